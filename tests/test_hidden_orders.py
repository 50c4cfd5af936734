"""Orders do not depend on what a side does not know: units out of its sight, mines, shells, what its enemies have been told.

In each position what is not known is changed, one secret after the other. The view of the side is then the same in every field,
and every policy orders the same, word for word. ``random`` is left out: it draws among the legal orders and looks at nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.directives import NOTHING
from opfor.formats.battle_file.battle_missions import read_missions
from opfor.formats.battle_file.battle_schema import BattleFile
from opfor.formats.source import Document
from opfor.formats.words.directives import read_objective, read_restraint
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.restraint import restrained
from opfor.game.view import View, unseen
from opfor.gm.arena.promises import changed, fingerprint
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder
from opfor.state import Blow, Shell, State, Underway
from policies.registry import make, policy_names
from tests.learned_models import playable
from tests.skirmish import skirmish
from tests.support import make_state

POLICIES = [name for name in policy_names() if name != "random"]
LASERS = {"jump": 3, "weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "RT": ["is_medium_laser"]}}
LRMS = {"weapons": {"RT": ["is_lrm15"]}, "ammo": {"LA": ["IS Ammo LRM-15"]}}
#: nobody sees over it from one half of the map to the other
RIDGE = {f"{column:02}08": "level 6" for column in range(1, 17)}
#: how the secret units are kept from the side
WAYS = ("hidden", "sees", "contacts")
HOLD = {"name": "hold", "starts": "fire", "effect": {"score": 4}, "units": {"within": ["hill"]}}


@dataclass(frozen=True)
class Position:
    """A kind of decision under a ruleset, for these units of the players' side."""

    kind: str
    ruleset: str
    units: tuple[str, ...]
    phase: str = ""
    moment: str = ""

    @property
    def name(self) -> str:
        """As the tests are called."""
        return "-".join([self.kind, self.ruleset, *([self.moment] if self.moment else [])])


POSITIONS = [
    Position("movement", "standard", ("a", "l", "i")),
    Position("movement", "campaign", ("a", "l", "i")),
    Position("movement", "mwii", ("a", "l", "i"), phase="declarations"),
    Position("fire", "standard", ("a", "l", "i")),
    Position("fire", "campaign", ("a", "l", "i")),
    Position("fire", "mwii", ("a",), phase="declarations"),
    Position("physical", "standard", ("a",)),
    Position("call", "campaign", ("g",), phase="initiative"),
    Position("action", "campaign", ("l",), phase="fire"),
    Position("opportunity", "campaign", ("a",), phase="movement", moment="moves"),
    Position("opportunity", "mwii", ("a",), phase="declarations", moment="fires"),
]


def battle(position: Position, way: str) -> State:
    """``a``, ``l``, ``i`` and the gun ``g`` south of the ridge with ``e`` before them; ``s`` and ``t`` are the secret ones."""
    moved = {} if position.kind in ("movement", "call") else {"moved": {"mode": "stand"}}
    held = {"opportunity": True, "complex_action": "opportunity"} if position.moment == "moves" else {"initiative": 3}
    state = make_state(
        board={**RIDGE, "0711 0912": "light woods"},
        units=[
            {"id": "a", "at": "0812", "facing": "S", "mech": LASERS, **moved, **(held if position.moment else {})},
            {"id": "l", "at": "0509", "facing": "S", "mech": LRMS, "oc": 1, **moved},
            {"id": "i", "at": "1012", "platoon": {"weapon": "srm"}, **moved},
            {"id": "g", "at": "0109", "facing": "S", "vehicle": {"weapons": {"FR": ["is_thumper"]}, "ammo": ["Thumper Ammo"]}},
            {"id": "e", "side": 1, "at": "0813", "facing": "N", "mech": LASERS, "moved": {"mode": "stand"}, "initiative": 0},
            {"id": "s", "side": 1, "at": "0803", "facing": "S", "type": "Awesome AWS-8Q", "hidden": way == "hidden"},
            {"id": "t", "side": 1, "at": "1203", "facing": "S", "hidden": way == "hidden",
             "vehicle": {"weapons": {"FR": ["is_thumper"], "TU": ["is_ppc"]}, "tons": 80, "ammo": ["Thumper Ammo"]}},
        ],
        phase=position.phase or position.kind,
        ruleset=position.ruleset,
    )  # fmt: skip
    if position.kind == "action":
        rows = {"actions": [HOLD], "zones": {"hill": {"hexes": ["0509"]}}}
        file = {**rows, "board": "x", "sides": dict.fromkeys(state.sides), "units": [{"side": "x", "type": "x"}]}
        read_missions(Document(file, "case", {}), BattleFile.model_validate(file), state, state.board)
    knows = "all" if way == "hidden" else way
    contacts = (("s", at(state, "0504")), ("t", at(state, "1105"))) if way == "contacts" else ()
    state.directives = (replace(NOTHING, knows=knows, contacts=contacts), NOTHING)
    return state


def at(state: State, name: str) -> int:
    return state.board.grid.parse(name)


def asked(position: Position, state: State) -> Decision:
    """The decision that the position is about."""
    moment = None
    if position.moment:
        enemy = state.unit("e")
        order: MoveOrder | FireOrder = FireOrder("e", attacks=(Attack(0, "a"),), primary="a")
        if position.moment == "moves":
            order = MoveOrder("e", "run", ("B", "B"), at(state, "0815"), enemy.facing)
        moment = Underway(enemy.index, order=order)
        state.underway = [moment]
    return restrained(Decision(state, 0, [state.unit(id) for id in position.units], position.kind, moment=moment))


# -- the secrets ------------------------------------------------------------------------------------------------------

Secret = Callable[[State], None]
SECRETS: dict[str, Secret] = {}
#: what is known of a contact all the same: the damage that it has taken
OF_CONTACTS = ("damage", "wounds", "ammunition", "loss")


def secret(made: Secret) -> Secret:
    SECRETS[made.__name__] = made
    return made


@secret
def place(state: State) -> None:
    for id, name in (("s", "0101"), ("t", "1605")):
        state.unit(id).cell = at(state, name)
    state.touch()


@secret
def facing(state: State) -> None:
    for id in ("s", "t"):
        state.unit(id).facing, state.unit(id).twist = 5, 1


@secret
def damage(state: State) -> None:
    for id in ("s", "t"):
        unit = state.unit(id)
        unit.armor = [0] * len(unit.armor)
        unit.structure = [1] * len(unit.structure)
        unit.mounts_lost, unit.immobilized, unit.engine_hits, unit.slots_hit[1] = 1, True, 2, 3


@secret
def wounds(state: State) -> None:
    state.unit("s").pilot_hits, state.unit("s").conscious, state.unit("t").stunned = 4, False, 2


@secret
def ammunition(state: State) -> None:
    for id in ("s", "t"):
        state.unit(id).ammo = [0] * len(state.unit(id).ammo)
        state.unit(id).one_shot_used, state.unit(id).jammed = 1, 1


@secret
def loss(state: State) -> None:
    state.unit("s").tagged, state.unit("s").narc, state.unit("t").turret, state.unit("t").crew = True, 1, 2, 1


@secret
def heat(state: State) -> None:
    unit = state.unit("s")
    unit.heat, unit.heat_built, unit.heat_outside, unit.heat_held, unit.heat_carried = 18, 5, 4, 3, 2


@secret
def movement(state: State) -> None:
    for id in ("s", "t"):
        unit = state.unit(id)
        unit.moved, unit.mode, unit.hexes_moved, unit.mp_spent = True, "run", 6, 6
    state.unit("s").prone = True


@secret
def readiness(state: State) -> None:
    unit = state.unit("s")
    unit.waiting, unit.opportunity, unit.complex_action, unit.initiative, unit.acted = True, True, "opportunity", 4, True
    unit.dug_in, unit.arms_flipped, unit.used_arms, unit.fired, unit.spotting, unit.action_started = (
        True,
        True,
        16,
        1,
        True,
        "x",
    )


@secret
def what_they_declare(state: State) -> None:
    state.declared.append(FireOrder("s", attacks=(Attack(0, "a"),), primary="a"))
    state.pending.append(Blow("s", "kick", "RL", "l", "front", "kick", (5, 0), state.unit("s").cell, state.unit("l").cell))
    state.sightings["s", "a"] = 3


@secret
def mines(state: State) -> None:
    state.board = state.board.changed(
        {
            at(state, name): replace(state.board.hexes[at(state, name)], mines=30, mines_known=2)
            for name in ("0811", "0712", "0912", "1112", "0510")
        }
    )


@secret
def shells(state: State) -> None:
    state.shells += [
        Shell(CallOrder("t", "artillery", 0, cell=at(state, name)), state.turn, 1) for name in ("0812", "0811", "0509", "1012")
    ]
    state.corrections["t", at(state, "0812")] = 2


@secret
def what_they_are_told(state: State) -> None:
    told = replace(
        NOTHING, objective=read_objective("hold 0812", state), restraint=read_restraint("hold fire", state), knows="sees"
    )
    state.directives = (state.directives[0], told)
    state.fired_on = frozenset({"e", "s"})


def ambush(state: State) -> None:
    """Hidden beside woods under the side's nose: told apart from the others, as it takes room that movement runs into."""
    state.unit("s").cell, state.unit("t").cell = at(state, "0711"), at(state, "0913")
    state.touch()


# -- the tests --------------------------------------------------------------------------------------------------------


def kept(way: str) -> Iterator[str]:
    """The secrets that are kept from a side that knows in that way."""
    return (name for name in SECRETS if way != "contacts" or name not in OF_CONTACTS)


def ordered(position: Position, state: State, policy: str) -> tuple[Any, ...]:
    """The order of a policy, its reason, and what it notes for the game master."""
    decision = asked(position, state)
    chooser = make(playable(policy), 0)
    order = chooser.choose(decision, View(state, 0))
    assert order in decision.legal
    return order, order.reason, getattr(chooser, "notes", None)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", list(SECRETS))
def test_the_view_is_the_same_in_every_field(name: str, way: str) -> None:
    if name not in kept(way):
        pytest.skip("known of contacts")
    for position in POSITIONS:
        plain, other = battle(position, way), battle(position, way)
        SECRETS[name](other)
        before, after = fingerprint(View(plain, 0).state), fingerprint(View(other, 0).state)
        assert not changed(before, after), position.name


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("position", [pytest.param(p, id=p.name) for p in POSITIONS])
def test_orders_do_not_tell_what_is_not_known(position: Position, policy: str, way: str) -> None:
    plain = ordered(position, battle(position, way), policy)
    for name in kept(way):
        state = battle(position, way)
        SECRETS[name](state)
        assert ordered(position, state, policy) == plain, f"{name} shows in the orders"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("position", [pytest.param(p, id=p.name) for p in POSITIONS if p.kind != "movement"])
def test_who_hides_close_by_does_not_show(position: Position, policy: str) -> None:
    if (policy, position.moment) == ("learned", "moves"):
        pytest.skip("it sees where a chance to move leads, and who hides takes room, as in movement")
    plain, other = battle(position, "hidden"), battle(position, "hidden")
    ambush(other)
    assert ordered(position, other, policy) == ordered(position, plain, policy)


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
@pytest.mark.parametrize("policy", POLICIES)
def test_whole_battles_do_not_tell(policy: str, ruleset: str) -> None:
    """Two choosers of a kind go through a battle side by side, one of them with the secrets changed at every decision."""
    state = skirmish(3, size=3, limit=7, ruleset=ruleset)
    state.units[1].hidden = state.units[-1].hidden = True
    state.directives = tuple([replace(NOTHING, knows="sees") for _ in state.sides])
    game = Game(state, SeededDice(1))
    choosers, twins = [[make(playable(policy), side) for side in range(2)] for _ in range(2)]
    partly = 0
    while (decision := game.decision()) is not None:
        side = decision.side
        order = choosers[side].choose(decision, game.view(side))
        other = game.state.copy()
        unknown = unseen(other, side) | {unit.id for unit in other.units if unit.hidden and unit.side != side}
        for id in unknown:
            unit = other.unit(id)
            unit.armor, unit.ammo = [0] * len(unit.armor), [0] * len(unit.ammo)
            unit.facing, unit.heat, unit.pilot_hits, unit.prone, unit.hexes_moved = (unit.facing + 3) % 6, 20, 3, True, 9
        partly += 0 < len(unknown) < len(other.enemies(side))
        same = twins[side].choose(decision, View(other, side))
        assert (order, order.reason) == (same, same.reason), f"turn {decision.turn}, {decision}"
        game.apply(order)
    assert partly > 5, "some enemies are to be seen and others not"


#: secrets that no order depends on even when they are open: those that only others act upon
SILENT = frozenset({"what_they_declare", "what_they_are_told", "ammunition"})


@pytest.mark.parametrize("name", [name for name in SECRETS if name not in SILENT])
def test_what_is_known_makes_a_difference(name: str) -> None:
    """The counter-test: with everything open, the same changes show somewhere in the veteran's orders or notes."""
    found = []
    for position in POSITIONS:
        plain, other = battle(position, "all"), battle(position, "all")
        SECRETS[name](other)
        for state in (plain, other):
            state.shells = [replace(shell, side=0) for shell in state.shells]
            state.board = state.board.changed(
                {c: replace(h, mines_known=3) for c, h in enumerate(state.board.hexes) if h is not None and h.mines}
            )
            # the ridge is taken away
            state.board = state.board.changed({c: replace(state.board.hexes[c], level=0) for c in state.board.grid.on_board})
        found.append(ordered(position, plain, "veteran") != ordered(position, other, "veteran"))
    assert any(found)


def test_every_kind_of_decision_is_asked() -> None:
    from opfor.game.decision import KINDS

    assert {position.kind for position in POSITIONS} == set(KINDS)


def test_a_unit_out_of_sight_is_as_on_its_sheet() -> None:
    """What a view holds of a hidden unit is its type and its pilot, of one out of sight as well."""
    for way in ("hidden", "sees"):
        state = battle(POSITIONS[0], way)
        damage(state)
        ammunition(state)
        unit = View(state, 0).state.unit("s")
        assert (unit.gone, unit.cell, unit.armor, unit.structure) == (
            True,
            -1,
            list(unit.spec.armor),
            list(unit.spec.structure),
        )
        assert unit.ammo == [bin.shots for bin in unit.spec.bins]
        assert (unit.gunnery, unit.piloting) == (state.unit("s").gunnery, state.unit("s").piloting)
        # and of a contact, its damage
    seen = battle(POSITIONS[0], "contacts")
    damage(seen)
    assert View(seen, 0).state.unit("s").armor == seen.unit("s").armor
