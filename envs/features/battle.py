"""The group ``battle``: turn, phase, what each side has left, and the switches that change how one fights."""

from __future__ import annotations

from collections.abc import Sequence

from envs.features.scene import Scene
from envs.layout import Column, Flat, Group, one_hot
from opfor.directives import OBJECTIVES
from opfor.game.decision import KINDS
from opfor.state import PHASES

#: turns, hexes and points that make 1
_TURNS, _HEXES, _POINTS, _UNITS = 20.0, 64.0, 10.0, 24.0
#: switches by value, each value a column
_ONE_HOT = {
    "turn_sequence": ("standard", "eridani", "mwii"),
    "action_budget": ("standard", "campaign", "mwii"),
    "indirect_fire": ("standard", "campaign", "mwii"),
}
#: switches as one column each, with the value that it stands for
_FLAGS = {
    "forced_withdrawal": "on",
    "fire_damage": "sequential",
    "physical_damage": "delayed",
    "partial_cover": "house",
    "physical_base": "house",
    "opportunity_actions": "on",
    "action_while_moving": "on",
    "evading": "on",
    "sprinting": "on",
    "bomb_runs": "house",
}
_EDGES = ("north", "south", "east", "west")


class _OneOf(dict[str, list[float]]):
    """By value the columns of :func:`one_hot`: 1 in that of the value, 0 in all for any other."""

    def __init__(self, values: Sequence[str]) -> None:
        super().__init__()
        self._values = tuple(values)

    def __missing__(self, value: str) -> list[float]:
        found = [float(value == one) for one in self._values]
        if value in self._values or not value:
            self[value] = found
        return found


_ONE_OF_KINDS, _ONE_OF_PHASES, _ONE_OF_OBJECTIVES, _ONE_OF_EDGES = (
    _OneOf(values) for values in (KINDS, PHASES, OBJECTIVES, _EDGES)
)

COLUMNS = (
    Column("turn", "turns played, 20 make 1"),
    Column("turns_left", "turns up to the last one, 20 make 1; 1 where the battle has none"),
    Column("limited", "1 where the battle has a last turn"),
    *one_hot("decision", KINDS, "1 for a decision of the kind {}"),
    *one_hot("phase", PHASES, "1 in the phase {}"),
    Column("initiative", "the side's place in the order of initiative: 0 acts first, 1 last"),
    Column("opforce", "1 for the Op Force"),
    Column("own_units", "own units on the map, 24 make 1"),
    Column("enemy_units", "enemies known on the map, 24 make 1"),
    Column("own_unmoved", "share of the own units that have yet to move this turn"),
    Column("enemy_unmoved", "share of the enemies known that have yet to move this turn"),
    Column("own_strength", "share of the own side's Battle Value left, by armour and structure"),
    Column("enemy_strength", "the same of the enemies known, those destroyed included"),
    Column("balance", "own Battle Value left less the enemies', over both"),
    Column("own_points", "points of mission actions, 10 make 1"),
    Column("enemy_points", "the most points of another side, 10 make 1"),
    Column("width", "columns of the board, 64 make 1"),
    Column("height", "rows of the board, 64 make 1"),
    *one_hot("objective", OBJECTIVES, "1 where the side is told to {}"),
    Column("objective_number", "turns to delay, or the strength in hundredths at which to withdraw, over 100"),
    Column("objective_decides", "1 where reaching the objective decides the battle"),
    Column("withdrawing", "1 where the side has been ordered to withdraw"),
    *one_hot("edge", _EDGES, "1 where the side's home edge is the {}"),
    *(
        column
        for switch, values in _ONE_HOT.items()
        for column in one_hot(switch, values, f"1 under the switch {switch}: {{}}")
    ),
    *(Column(switch, f"1 under the switch {switch}: {value}") for switch, value in _FLAGS.items()),
    Column("artillery", "1 where the ruleset has artillery"),
)
GROUP = Group("battle", "The battle as a whole.", 1, COLUMNS)
_RULES = len(_FLAGS) + 1 + sum(len(values) for values in _ONE_HOT.values())


class BattleFeatures:
    """Writes the group; the switches of a ruleset are read once."""

    def __init__(self) -> None:
        self._rules: dict[int, tuple[object, list[float]]] = {}

    def write(self, scene: Scene, out: Flat) -> None:
        """Fill the group, shape (1, columns)."""
        state, side = scene.state, scene.side
        kind = scene.walk.decision.kind
        limit = state.limit
        row = [
            state.turn / _TURNS,
            (limit - state.turn) / _TURNS if limit else 1.0,
            1.0 if limit else 0.0,
            *_ONE_OF_KINDS[kind],
            *_ONE_OF_PHASES[state.phase],
            state.initiative.index(side) / max(1, len(state.sides) - 1) if side in state.initiative else 0.0,
            float(side == state.opforce),
        ]
        row += self._forces(scene)
        scores = state.scores
        row += [
            scores[side] / _POINTS,
            max([points for one, points in enumerate(scores) if one != side], default=0) / _POINTS,
            state.board.grid.width / _HEXES,
            state.board.grid.height / _HEXES,
        ]
        directive = state.directive(side)
        objective = directive.objective
        told = objective.kind if objective is not None else ""
        row += _ONE_OF_OBJECTIVES[told]
        row += [objective.number / 100.0 if objective is not None else 0.0, float(directive.victory)]
        row.append(float(state.withdrawing[side]))
        edge = state.edges[side]
        row += _ONE_OF_EDGES[edge]
        row += self._switches(scene)
        out[0] = row

    def _forces(self, scene: Scene) -> list[float]:
        state, side = scene.state, scene.side
        units = scene.units
        valued = any(unit.spec.battle_value for unit in units)
        counts, unmoved, left, whole = [0, 0], [0, 0], [0.0, 0.0], [0.0, 0.0]
        for unit, record in zip(units, scene.records, strict=True):
            enemy = unit.side != side
            worth = float(unit.spec.battle_value if valued else unit.spec.tons)
            whole[enemy] += worth
            left[enemy] += worth * record.left
            counts[enemy] += 1
            unmoved[enemy] += not unit.moved
        # those destroyed are known of; those that are out of sight, or have left, are not
        if len(units) < len(state.units):
            for unit in state.units:
                if unit.destroyed and not unit.gone:
                    whole[unit.side != side] += float(unit.spec.battle_value if valued else unit.spec.tons)
        both = left[0] + left[1]
        return [
            counts[0] / _UNITS,
            counts[1] / _UNITS,
            unmoved[0] / counts[0] if counts[0] else 0.0,
            unmoved[1] / counts[1] if counts[1] else 0.0,
            left[0] / whole[0] if whole[0] else 0.0,
            left[1] / whole[1] if whole[1] else 0.0,
            (left[0] - left[1]) / both if both else 0.0,
        ]

    def _switches(self, scene: Scene) -> list[float]:
        ruleset = scene.state.ruleset
        known = self._rules.get(id(ruleset))
        # the ruleset is kept beside its columns, so that its id stays its own
        if known is None or known[0] is not ruleset:
            if len(self._rules) >= 64:
                self._rules.clear()
            row = [float(getattr(ruleset, switch) == one) for switch, values in _ONE_HOT.items() for one in values]
            row += [float(getattr(ruleset, switch) == value) for switch, value in _FLAGS.items()]
            row.append(float(ruleset.artillery != "off"))
            known = self._rules[id(ruleset)] = (ruleset, row)
        return known[1]
