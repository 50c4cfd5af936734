"""Orders as what to click in MegaMek, in the order in which that program asks for them. Rule: S-2, S-4, S-8.

For game masters who keep the fight there: by phase and unit the buttons to press, hexes to click in turn, turns, targets and
weapons. What that program has no button for is said as a remark, for the table to settle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from opfor.formats.battle_file.battle import Battle
from opfor.formats.names import mount_label
from opfor.hex import DIRECTION_NAMES, format_ccrr
from opfor.orders import ActionOrder, Attack, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.report.advice import Advice
from opfor.state import State
from opfor.tables import table
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState

#: hexsides from the facing that a step goes in
_STEPS = {"F": 0, "SR": 1, "SRB": 2, "B": 3, "SLB": 4, "SL": 5}
_BACKWARD = ("B", "SLB", "SRB")
_NUMBER = re.compile(r"^MegaMek unit (\d+)$")


@dataclass(frozen=True, slots=True)
class Click:
    """One thing to do. ``press`` is a button, ``hex`` what to click on the map, ``choose`` what to pick in a list."""

    press: str = ""
    hex: str = ""
    choose: str = ""
    why: str = ""

    def words(self) -> str:
        """The click as a line."""
        what = [
            f"press {self.press}" if self.press else "",
            f"choose {self.choose}" if self.choose else "",
            f"click {self.hex}" if self.hex else "",
        ]
        line = ", ".join(part for part in what if part)
        return f"{line} ({self.why})" if self.why else line

    def as_dict(self) -> dict[str, str]:
        """Keys that say something."""
        rows = {"press": self.press, "choose": self.choose, "hex": self.hex, "why": self.why}
        return {key: value for key, value in rows.items() if value}


@dataclass(slots=True)
class UnitClicks:
    """All the clicks for one order. ``number`` is the unit's number there, where the battle came from a save."""

    unit: str
    shown: str
    phase: str
    order: str
    number: int | None = None
    clicks: list[Click] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        row: dict[str, Any] = {"unit": self.unit, "shown": self.shown, "order": self.order}
        if self.number is not None:
            row["number"] = self.number
        row["clicks"] = [click.as_dict() for click in self.clicks]
        if self.remarks:
            row["remarks"] = self.remarks
        return row


def click_list(battle: Battle, advice: Advice) -> list[UnitClicks]:
    """The clicks for every order of an advice, in its order; those of a later phase there come after the others."""
    maker = _Maker(battle)
    found = [maker.unit(one.order, one.words) for one in advice.advised]
    phases = list(table("mm_clicks")["phase_words"])
    return sorted(found, key=lambda one: phases.index(one.phase))


class _Maker:
    """Makes clicks, following where each unit has got to."""

    def __init__(self, battle: Battle) -> None:
        self.state: State = battle.state
        self.at = {unit.id: (unit.cell, unit.facing) for unit in self.state.units}
        self.words = table("mm_clicks")
        self.numbers = {}
        for entry, unit in zip(battle.document.get("units", ()), self.state.units, strict=False):
            said = _NUMBER.match(str(entry.get("notes") or ""))
            if said:
                self.numbers[unit.id] = int(said[1])

    def unit(self, order: Order, words: str) -> UnitClicks:
        unit = self.state.unit(order.unit)
        phase = self.words["phases"].get(order.kind, "none")
        one = UnitClicks(unit.id, self.shown(unit), phase, words, self.numbers.get(unit.id))
        if isinstance(order, MoveOrder):
            self.move(one, unit, order)
        elif isinstance(order, FireOrder):
            self.fire(one, unit, order)
        elif isinstance(order, PhysicalOrder):
            self.physical(one, unit, order)
        elif isinstance(order, CallOrder):
            self.call(one, unit, order)
        else:
            what = f"mission action {order.action}" if isinstance(order, ActionOrder) else order.kind
            one.remarks.append(f"{what}: there is no button for it, settle it at the table")
        return one

    def shown(self, unit: UnitState) -> str:
        """A unit as that program lists it, with its pilot."""
        return unit.spec.name if unit.name == unit.spec.name else f"{unit.spec.name} ({unit.name})"

    def hex(self, cell: int) -> str:
        """That program's number of a hex, whatever the map is named here."""
        grid = self.state.board.grid
        return format_ccrr(grid.columns[cell], grid.rows[cell]) if grid.contains(cell) else "off the map"

    def target(self, id: str) -> tuple[str, str]:
        """Hex and name of a target."""
        if names_hex(id):
            cell = self.state.target(id).cell
            return self.hex(cell), f"hex {self.hex(cell)}"
        unit = self.state.unit(id)
        number = self.numbers.get(id)
        return self.hex(self.at[id][0]), self.shown(unit) + (f", unit {number}" if number is not None else "")

    # -- movement ------------------------------------------------------------------------------------------------------

    def move(self, one: UnitClicks, unit: UnitState, order: MoveOrder) -> None:
        words = self.words
        if order.mode == "wait":
            one.remarks.append("waits until the fire phase: move it there when its order comes")
            return
        if order.mode in ("mount", "dismount"):
            self.ride(one, order)
            return
        cell, facing = self.at[unit.id]
        button = ""
        if order.path == ("J",):
            self.press(one, words["modes"]["jump"])
            one.clicks.append(Click(hex=self.hex(order.to), why="lands"))
            cell = order.to
            if order.facing != facing:
                self.turn(one, cell, order.facing)
            facing = order.facing
        else:
            turned = False
            for token in order.path:
                if token in ("L", "R"):
                    facing, turned = (facing + (1 if token == "R" else 5)) % 6, True
                    continue
                if token in _STEPS:
                    wanted = words["backward"] if token in _BACKWARD else words["modes"].get(order.mode, words["modes"]["walk"])
                    # a hex ahead turns the unit on its own; to go sideways or back it has to be turned first
                    if turned and token != "F":
                        self.turn(one, cell, facing)
                        button = ""
                    if wanted != button:
                        self.press(one, wanted, words["far"].get(order.mode, "") if token not in _BACKWARD else "")
                        button = wanted
                    cell = self.state.board.grid.neighbour(cell, (facing + _STEPS[token]) % 6)
                    one.clicks.append(Click(hex=self.hex(cell), why="" if token in ("F", "B") else "sidestep"))
                    turned = False
                    continue
                if turned:
                    self.turn(one, cell, facing)
                    turned = False
                self.press(one, words["steps"][token])
                button = ""
            if turned:
                self.turn(one, cell, facing)
        if order.attack:
            where, name = self.target(order.target)
            one.clicks.append(Click(press=words["attacks_moving"][order.attack], hex=where, why=f"at {name}"))
        elif (cell, facing) != (order.to, order.facing):
            one.remarks.append(f"ends in {self.hex(order.to)} facing {DIRECTION_NAMES[order.facing]}")
        if order.act == "opportunity":
            one.remarks.append("holds an opportunity action ready: there is no button for it, keep it in mind")
        elif order.act == "pause":
            one.remarks.append("stops here to act and may go on: there is no button for it, settle the shots by hand")
        if order.mode in ("evade", "sprint") and not one.clicks:
            self.press(one, words["modes"][order.mode])
        self.at[unit.id] = (order.to, order.facing)
        stays = not one.clicks
        one.clicks.append(Click(press=words["done"], why="stays where it is" if stays else _mode_words(order)))

    def ride(self, one: UnitClicks, order: MoveOrder) -> None:
        """Getting into a carrier, and out of it."""
        if order.mode == "mount":
            where, name = self.target(order.target)
            one.clicks.append(Click(press=self.words["modes"]["mount"], hex=where, why=name))
        else:
            one.clicks.append(Click(press=self.words["modes"]["dismount"], hex=self.hex(order.to), why="its carrier's button"))
            self.at[order.unit] = (order.to, order.facing)
        self.press(one, self.words["done"])

    def press(self, one: UnitClicks, button: str, why: str = "") -> None:
        one.clicks.append(Click(press=button, why=why))

    def turn(self, one: UnitClicks, cell: int, facing: int) -> None:
        """A change of facing: the button, and the hex that it is to face, which may lie off the map."""
        ahead = self.state.board.grid.neighbour(cell, facing)
        where = self.hex(ahead) if self.state.board.grid.contains(ahead) else ""
        one.clicks.append(Click(press=self.words["turn"], hex=where, why=f"to face {DIRECTION_NAMES[facing]}"))

    # -- attacks -------------------------------------------------------------------------------------------------------

    def fire(self, one: UnitClicks, unit: UnitState, order: FireOrder) -> None:
        words = self.words
        if order.clear:
            self.instead(one, unit, order.clear)
        cell, facing = self.at[unit.id]
        if order.twist != unit.twist and (unit.spec.is_mech or unit.spec.turret):
            to = (facing + order.twist) % 6
            ahead = self.state.board.grid.neighbour(cell, to)
            where = self.hex(ahead) if self.state.board.grid.contains(ahead) else ""
            one.clicks.append(Click(press=words["twist"], hex=where, why=f"to {DIRECTION_NAMES[to]}"))
        if order.flip and not unit.arms_flipped:
            self.press(one, words["flip"])
        # the first target fired at is the primary one there
        attacks = sorted(order.attacks, key=lambda attack: attack.target != order.primary)
        last = ""
        for attack in attacks:
            last = self.attack(one, unit, attack, last)
        if not attacks and not order.clear:
            one.clicks.append(Click(press=words["done"], why="holds its fire"))
            return
        self.press(one, words["done"])

    def attack(self, one: UnitClicks, unit: UnitState, attack: Attack, last: str) -> str:
        """The clicks of one weapon; the target is picked anew only when it changes. Returns the target."""
        words = self.words
        where, name = self.target(attack.target)
        if attack.target != last:
            one.clicks.append(Click(hex=where, choose=name, why="the target"))
        mount = unit.spec.mounts[attack.mount]
        label = mount_label(unit.spec, attack.mount)
        place = unit.spec.location_name(mount.location) + (" rear" if mount.rear else "")
        one.clicks.append(Click(choose=label if place in label else f"{label} ({place})"))
        if attack.mode:
            one.clicks.append(Click(press=words["mode"], choose=attack.mode, why="or its ammunition"))
        if attack.aim:
            one.clicks.append(Click(choose=attack.aim, why=words["aim"]))
        if attack.spotter:
            one.remarks.append(f"{label}: indirect, {self.target(attack.spotter)[1]} spots")
        self.press(one, words["fire"])
        return attack.target

    def instead(self, one: UnitClicks, unit: UnitState, task: str) -> None:
        """What is done in place of firing."""
        words = self.words
        if task == "turret":
            self.press(one, words["unjam_turret"])
        elif task.isdigit():
            one.clicks.append(Click(press=words["unjam"], choose=mount_label(unit.spec, int(task))))
        elif task in ("dig in", "clear mines"):
            self.press(one, words["dig_in" if task == "dig in" else "clear_mines"])
        else:
            one.remarks.append(f"{task}: there is no button for it, settle it at the table")

    def physical(self, one: UnitClicks, unit: UnitState, order: PhysicalOrder) -> None:
        words = self.words
        if not order.attack:
            one.clicks.append(Click(press=words["done"], why="no attack"))
            return
        if order.attack == "pick_up":
            one.remarks.append("asked for in the weapon attack phase there")
            self.press(one, words["find_club"])
            self.press(one, words["done"])
            return
        button = words["physical"].get(order.attack)
        if button is None:
            one.remarks.append(f"{order.attack}: there is no button for it, settle it at the table")
            return
        if order.target:
            where, name = self.target(order.target)
            one.clicks.append(Click(hex=where, choose=name, why="the target"))
        limb = order.limb.removesuffix("_mule")
        choose = words["limbs"].get(limb, limb)
        weapon = order.attack if order.attack in ("hatchet", "sword") else ""
        one.clicks.append(Click(press=button, choose=weapon or choose))
        if order.limb.endswith("_mule"):
            one.remarks.append("a kick to the rear")
        self.press(one, words["done"])

    def call(self, one: UnitClicks, unit: UnitState, order: CallOrder) -> None:
        """Artillery, asked for in the targeting phase; bomb runs go with the flight."""
        words = self.words
        if order.what != "artillery":
            what = f"bomb run over {self.hex(order.cell)}" if order.what else "nothing announced"
            one.remarks.append(f"{what}: there it goes with the movement, settle it at the table")
            return
        where, name = self.target(order.target) if order.target else (self.hex(order.cell), f"hex {self.hex(order.cell)}")
        one.clicks.append(Click(hex=where, choose=name, why="the target"))
        one.clicks.append(Click(choose=mount_label(unit.spec, order.mount)))
        if order.mode:
            one.clicks.append(Click(press=words["mode"], choose=order.mode))
        self.press(one, words["fire"])
        self.press(one, words["done"])


def _mode_words(order: MoveOrder) -> str:
    """What the movement must be counted as there."""
    if order.mode in ("walk", "run") and any(token in _STEPS for token in order.path):
        return "check: it must say running" if order.mode == "run" else "check: it must say walking"
    return ""


def click_text(battle: Battle, advice: Advice) -> str:
    """The click list as text: a heading a phase, a numbered list a unit."""
    words = table("mm_clicks")["phase_words"]
    lines = [f"# {advice.name}, turn {advice.turn}: what to click in MegaMek"]
    last = ""
    for one in click_list(battle, advice):
        if one.phase != last:
            lines += ["", f"## {words[one.phase]}"]
            last = one.phase
        number = f", unit {one.number}" if one.number is not None else ""
        lines += ["", f"{one.unit}: {one.order}", f"   {one.shown}{number}"]
        lines += [f"   {index:2d}. {click.words()}" for index, click in enumerate(one.clicks, start=1)]
        lines += [f"   note: {remark}" for remark in one.remarks]
    if len(lines) == 1:
        lines += ["", "# nobody of the Op Force has anything to do in this phase"]
    return "\n".join([*lines, ""])


def click_document(battle: Battle, advice: Advice) -> dict[str, Any]:
    """The click list as data: phases of that program, each with its units in order."""
    phases: dict[str, list[dict[str, Any]]] = {}
    for one in click_list(battle, advice):
        phases.setdefault(one.phase, []).append(one.as_dict())
    rows: Sequence[dict[str, Any]] = [{"phase": phase, "units": units} for phase, units in phases.items()]
    return {"program": "MegaMek", "battle": advice.name, "turn": advice.turn, "phase": advice.phase, "phases": rows}


def click_json(battle: Battle, advice: Advice) -> str:
    """The same as JSON text."""
    return json.dumps(click_document(battle, advice), indent=1, ensure_ascii=False) + "\n"
