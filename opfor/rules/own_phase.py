"""What a game master's own rules do at the end of a phase: the workbench that they get, and calling them.

Everything that they do is reported as an event that cites ``own:NAME``, and rolls by the battle's own dice.
"""

from __future__ import annotations

from typing import Any

from opfor.errors import InputError, nearest
from opfor.own_rules.bundle import Active
from opfor.own_rules.plugin import Plugin
from opfor.own_rules.views import UnitView
from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.own import unit_view
from opfor.rules.pilots.piloting import reasons
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls, roll_or_fall
from opfor.rules.play import Play
from opfor.units.state import UnitState

HOOK = "end_of_phase"
#: the most points of damage or heat that one call deals, and dice that it throws
MOST = 200


class OwnPlay:
    """What a rule may do to a battle at the end of a phase. Units are named by id; points are whole numbers, 0 or more.

    ``turn`` and ``phase`` tell when it is. ``rule`` is a name of the file's ``RULES``; what is asked for by a rule that is
    switched off is not done. Raises :class:`InputError` for units, rules and numbers that cannot be.
    """

    __slots__ = ("_active", "_play", "_plugin", "phase", "turn")

    def __init__(self, play: Play, plugin: Plugin, active: Active, phase: str) -> None:
        self._play = play
        self._plugin = plugin
        self._active = active
        self.turn = play.state.turn
        self.phase = phase

    def on(self, rule: str) -> bool:
        """Whether a rule is on: ask before throwing dice for it."""
        return self._rule(rule) not in self._active.off

    def units(self) -> list[UnitView]:
        """The units that are in the battle, on the map and alive."""
        state = self._play.state
        return [unit_view(state, unit) for unit in state.units if unit.alive and unit.cell >= 0]

    def roll(self, count: int, why: str) -> int:
        """Throw dice; ``why`` is read by the person at the table. The sum."""
        return self._play.roll(self._points(count), why).total

    def heat(self, unit: str, points: int, rule: str) -> None:
        """Put heat into a 'Mech, which counts with what comes from others in the heat phase."""
        target = self._unit(unit)
        if self.on(rule) and target.spec.is_mech and self._points(points):
            target.heat_outside += points
            self._tell(target, rule, f"{points} heat", heat=points)

    def damage(self, unit: str, points: int, rule: str) -> None:
        """Deal damage from the front in groups, each with its own hit location."""
        target = self._unit(unit)
        if self.on(rule) and self._points(points):
            self._tell(target, rule, f"{points} points of damage", damage=points)
            words = rule.replace("_", " ")
            apply_in_groups(self._play, target, points, "front", "normal", rule=f"own:{rule}", source=words)

    def piloting(self, unit: str, reason: str, rule: str) -> bool:
        """Have a unit make a piloting roll or fall; ``reason`` is an id of ``piloting_rolls.yaml``. Whether it stays up."""
        target = self._unit(unit)
        if reason not in reasons():
            raise InputError(f"{reason!r} is no reason of a piloting roll", hint=nearest(reason, reasons()))
        if not self.on(rule) or not target.alive or target.prone or not target.spec.is_mech:
            return True
        self._tell(target, rule, f"a piloting roll, {reasons()[reason].what}", reason=reason)
        return roll_or_fall(self._play, target, reason)

    def report(self, unit: str, text: str, rule: str) -> None:
        """Report in words that something happened to a unit; it changes nothing."""
        target = self._unit(unit)
        if self.on(rule):
            self._tell(target, rule, str(text))

    def _tell(self, unit: UnitState, rule: str, text: str, **data: Any) -> None:
        self._play.emit("own_rule", unit, f"own:{rule}", name=rule.replace("_", " "), text=text, **data)

    def _unit(self, id: str) -> UnitState:
        state = self._play.state
        if id not in state.by_id:
            raise InputError(f"there is no unit {id!r}", hint=nearest(str(id), state.by_id))
        return state.unit(id)

    def _rule(self, rule: str) -> str:
        if rule not in self._plugin.rules:
            raise InputError(f"{rule!r} is none of the names in RULES", hint=nearest(str(rule), self._plugin.rules))
        return rule

    def _points(self, number: int) -> int:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST:
            raise InputError(f"{number!r} is no whole number from 0 to {MOST}")
        return number


def end_phase(play: Play, phase: str) -> None:
    """Have own rules do what they do at the end of a phase, before the next begins; falls that it calls for count at once."""
    active = play.state.ruleset.own_ends
    if active is None:
        return
    for plugin in active.with_hook(HOOK):
        if HOOK in plugin.rules and HOOK in active.off:
            continue
        plugin.call(HOOK, OwnPlay(play, plugin, active, phase), phase)
    resolve_phase_rolls(play)
