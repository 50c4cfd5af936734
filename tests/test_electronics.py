"""ECM, C3, Artemis, Narc and active probes in their plain form. Rule: S-4."""

from __future__ import annotations

from typing import Any

from opfor.rules.shooting.electronics import (
    artemis_works,
    hostile_ecm,
    jammed_at,
    jammed_between,
    narc_works,
    network,
    probe_range,
    probed,
)
from opfor.state import State
from tests.support import make_state

ECM = {"equipment": {"RT": ["Guardian ECM Suite", "Guardian ECM Suite"]}}
ARTEMIS = {
    "weapons": {"RT": ["is_lrm10"]},
    "equipment": {"RT": ["Artemis IV FCS"]},
    "ammo": {"RT": ["IS Ammo LRM-10 Artemis-capable"], "LT": ["IS Ammo LRM-10", "IS Ammo LRM-10 Narc-capable"]},
}
C3I = {"equipment": {"RT": ["C3i", "C3i"]}}


def state_with(*units: dict[str, Any]) -> State:
    return make_state(size=(16, 34), units=units)


def test_ecm_covers_six_hexes() -> None:
    state = state_with({"id": "e", "side": 1, "at": "0810", "mech": ECM}, {"id": "a", "at": "0830"})
    cell = state.board.grid.parse
    assert jammed_at(state, cell("0810"), 0)
    assert jammed_at(state, cell("0816"), 0)
    assert not jammed_at(state, cell("0817"), 0)
    assert not jammed_at(state, cell("0810"), 1), "its own side is not jammed"
    assert [u.id for u in hostile_ecm(state, 0)] == ["e"]


def test_ecm_needs_power_and_a_whole_suite() -> None:
    for off in ({"shutdown": True}, {"equipment_lost": [0]}, {"destroyed": "engine"}, {"gone": True}):
        state = state_with({"id": "e", "side": 1, "at": "0810", "mech": ECM, **off})
        assert not jammed_at(state, state.board.grid.parse("0810"), 0), off


def test_ecm_jams_lines_that_pass_through() -> None:
    state = state_with({"id": "e", "side": 1, "at": "0815", "mech": ECM})
    cell = state.board.grid.parse
    assert jammed_between(state, cell("0801"), cell("0830"), 0)
    assert not jammed_between(state, cell("0801"), cell("0808"), 0)
    assert jammed_between(state, cell("0801"), cell("0809"), 0)


def test_artemis() -> None:
    units = [{"id": "a", "at": "0801", "mech": ARTEMIS}, {"id": "t", "side": 1, "at": "0812"}]
    state = state_with(*units)
    a, t = state.unit("a"), state.unit("t")
    mount = a.spec.mounts[0]
    assert mount.artemis >= 0
    assert artemis_works(state, a, mount, t)
    capable = next(m for m in mount.modes if m.ammo.endswith(":artemis"))
    plain = next(m for m in mount.modes if m.name == "")
    assert artemis_works(state, a, mount, t, mode=capable)
    assert not artemis_works(state, a, mount, t, mode=plain), "plain missiles are not guided"
    a.equipment_lost = 1 << mount.artemis
    assert not artemis_works(state, a, mount, t)
    jammed = state_with(*units, {"id": "e", "side": 1, "at": "0815", "mech": ECM})
    assert not artemis_works(jammed, jammed.unit("a"), mount, jammed.unit("t"))
    assert not artemis_works(jammed, jammed.unit("a"), mount, jammed.unit("t"), built_in=True)
    without = state_with({"id": "a", "at": "0801", "mech": {"weapons": {"RT": ["is_lrm10"]}}}, units[1])
    other = without.unit("a")
    assert not artemis_works(without, other, other.spec.mounts[0], without.unit("t"))
    assert artemis_works(without, other, other.spec.mounts[0], without.unit("t"), built_in=True)


def test_narc() -> None:
    units = [{"id": "a", "at": "0801", "mech": ARTEMIS}, {"id": "t", "side": 1, "at": "0812", "narc": 1}]
    state = state_with(*units)
    a, t = state.unit("a"), state.unit("t")
    capable = next(m for m in a.spec.mounts[0].modes if m.ammo.endswith(":narc"))
    plain = next(m for m in a.spec.mounts[0].modes if m.name == "")
    assert narc_works(state, a, capable, t)
    assert not narc_works(state, a, plain, t)
    t.narc = 2
    assert not narc_works(state, a, capable, t), "a beacon of the other side"
    jammed = state_with(*units, {"id": "e", "side": 1, "at": "0815", "mech": ECM})
    assert not narc_works(jammed, jammed.unit("a"), capable, jammed.unit("t"))


def test_networks() -> None:
    state = state_with(
        {"id": "a", "at": "0801", "mech": {"equipment": {"RT": ["C3 Slave"]}}},
        {"id": "b", "at": "0802", "mech": {"equipment": {"LT": ["C3 Master"] * 5}}},
        {"id": "c", "at": "0803", "mech": {"equipment": {"RT": ["C3 Slave"]}}},
        {"id": "d", "at": "0804", "mech": C3I},
        {"id": "e", "at": "0805", "mech": C3I},
        {"id": "x", "side": 1, "at": "0806", "mech": C3I},
        {"id": "n", "at": "0807"},
    )

    def members(id: str) -> list[str]:
        return [u.id for u in network(state, state.unit(id))]

    assert members("a") == ["b", "c"]
    assert members("b") == ["a", "c"]
    assert members("d") == ["e"]
    assert members("x") == []
    assert members("n") == []
    state.unit("b").destroyed = "engine"
    assert members("a") == []


def test_network_sizes() -> None:
    state = state_with(*({"id": f"u{n}", "at": f"08{n + 1:02d}", "mech": C3I} for n in range(8)))
    assert [u.id for u in network(state, state.unit("u0"))] == ["u1", "u2", "u3", "u4", "u5"]
    assert network(state, state.unit("u6")) == []


def test_probes() -> None:
    def reach(*names: str, tech: str = "Inner Sphere") -> int:
        state = state_with({"id": "a", "at": "0810", "mech": {"tech": tech, "equipment": {"RT": list(names)}}})
        return probe_range(state.unit("a"))

    assert reach() == 0
    assert reach("Beagle Active Probe", "Beagle Active Probe") == 4
    assert reach("Active Probe", tech="Clan") == 5
    assert reach("Light Active Probe", tech="Clan") == 3
    state = state_with(
        {"id": "a", "at": "0810", "mech": {"equipment": {"RT": ["Beagle Active Probe", "Beagle Active Probe"]}}},
    )
    a = state.unit("a")
    assert probed(state, a, state.board.grid.parse("0814"))
    assert not probed(state, a, state.board.grid.parse("0815"))
    a.equipment_lost = 1
    assert not probed(state, a, state.board.grid.parse("0811"))
    jammed = state_with(
        {"id": "a", "at": "0810", "mech": {"equipment": {"RT": ["Beagle Active Probe", "Beagle Active Probe"]}}},
        {"id": "e", "side": 1, "at": "0816", "mech": ECM},
    )
    assert not probed(jammed, jammed.unit("a"), jammed.board.grid.parse("0811"))
