"""What a game is measured by: an observer that reads the events and nothing else, and gives a row of numbers.

The measures, their words and what damage and destruction are put down to are data: ``measures.yaml``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.orders import Order
from opfor.rules.events import Event
from opfor.tables import load_yaml
from opfor.units.spec import UnitSpec

SEATS = ("first", "second")
#: numbers to hit are counted from the one to the other; beyond are shots that could not hit
LEAST, MOST = 2, 12
_LEGS = frozenset({"LL", "RL", "FLL", "FRL", "RLL", "RRL"})
Row = dict[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its key in a row, its group, words and unit.

    ``heavy``: a few games make up the sum, or there are few values. ``told``: shown, but nothing is claimed by it.
    """

    key: str
    group: str
    words: str
    unit: str
    heavy: bool = False
    told: bool = False


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    text = files("opfor.gm.ruletest").joinpath("measures.yaml").read_text(encoding="utf-8")
    return dict(load_yaml(text))


@lru_cache(maxsize=1)
def measures() -> dict[str, Measure]:
    """Every measure by key, in the order of the file."""
    groups = _table()["groups"].items()
    return {key: Measure(key, group, **row) for group, rows in groups for key, row in rows.items()}


class Measures:
    """Looks on at one game (:class:`opfor.game.loop.Observer`); :meth:`row` has the game's numbers at any time after it began.

    Points are of armour and structure, a trooper counts as one. The first side is that of the first seat. A share of
    something that never happened is not in the row.
    """

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._specs: dict[str, UnitSpec] = {}
        self._sides: dict[str, int] = {}
        self._names: list[str] = []
        self._worth: dict[str, int] = {}
        #: who is out of the battle, and the source of the last damage to each unit
        self._out: set[str] = set()
        self._last_source: dict[str, str] = {}
        self._turns = 0
        self._turn = 0
        self._winner: str | None = None
        #: attacker and class of each source of damage met
        self._known: dict[str, tuple[str, str]] = {}

    # -- looking on ---------------------------------------------------------------------------------------------------

    def before(self, game: Game) -> None:
        """Who takes part: types, sides, worth (Battle Value, or tons where no unit has one)."""
        units = game.state.units
        valued = any(unit.spec.battle_value for unit in units)
        self._names = list(game.state.sides)
        for unit in units:
            self._specs[unit.id] = unit.spec
            self._sides[unit.id] = unit.side
            self._worth[unit.id] = unit.spec.battle_value if valued else unit.spec.tons
            if not unit.alive:
                self._out.add(unit.id)
        self._begin_turn(game.state.turn)

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Nothing: what is ordered tells less than what happens."""

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Count."""
        for event in events:
            heard = _HEARD.get(event.what)
            if heard is not None:
                heard(self, event.unit, event.data)

    def after(self, game: Game) -> None:
        """Nothing more."""

    # -- what comes of it ---------------------------------------------------------------------------------------------

    def row(self) -> Row:
        """The numbers by key of :func:`measures`."""
        count = self._count
        keys = [key for key, measure in measures().items() if measure.unit != "share" and key not in _MEANS]
        row: Row = {key: float(count[key]) for key in keys}
        row["turns"] = float(self._turns)
        if self._winner is not None:
            for seat, name in zip(SEATS, self._names, strict=False):
                row[f"won.{seat}"] = float(self._winner == name)
            row["drawn"] = float(self._winner == "")
        for key, (above, below) in _MEANS.items():
            if count[below]:
                row[key] = count[above] / count[below]
        for number in range(LEAST, MOST + 2):
            if count["shots"]:
                row[f"at.{number}"] = count[f"at.{number}"] / count["shots"]
        return row

    # -- what is heard ------------------------------------------------------------------------------------------------

    def _begin_turn(self, turn: int) -> None:
        self._turn = turn
        self._turns += 1
        self._count["mech turns"] += sum(
            1 for unit_id, spec in self._specs.items() if spec.is_mech and unit_id not in self._out
        )

    def _phase(self, unit: str, data: dict[str, Any]) -> None:
        if data["turn"] > self._turn:
            self._begin_turn(data["turn"])

    def _ended(self, unit: str, data: dict[str, Any]) -> None:
        self._winner = data["winner"]

    def _damage(self, unit: str, data: dict[str, Any]) -> None:
        self._points(unit, str(data["source"]), data["armor"] + data["structure"])

    def _troopers(self, unit: str, data: dict[str, Any]) -> None:
        self._points(unit, str(data["source"]), data["lost"])

    def _points(self, unit: str, source: str, points: int) -> None:
        attacker, kind = self._known.get(source) or self._read_source(source)
        self._last_source[unit] = kind
        self._count["damage"] += points
        self._count[f"damage.{kind}"] += points
        self._count[f"taken.{self._specs[unit].kind}"] += points
        if attacker:
            self._count[f"given.{self._specs[attacker].kind}"] += points

    def _read_source(self, source: str) -> tuple[str, str]:
        """Who did damage ("" for nobody) and its class, from the words of its source."""
        attacker = max((one for one in self._specs if source == one or source.startswith(f"{one} ")), key=len, default="")
        words = source[len(attacker) :].strip()
        kind = self._class(attacker, words)
        self._known[source] = attacker, kind
        return attacker, kind

    def _class(self, attacker: str, words: str) -> str:
        rows = _table()
        if attacker:
            for mount in self._specs[attacker].mounts:
                if mount.name == words:
                    codes = mount.weapon.kinds
                    return next((kind for code, kind in rows["weapons"].items() if code in codes), "other")
            if not words:
                # somebody fell on the unit
                return "fall"
        if any(words.startswith(f"{blow} ") for blow in rows["own_blows"]):
            return "physical"
        for kind, ends in rows["sources"].items():
            if any(words == end or words.endswith(f" {end}") for end in ends):
                return str(kind)
        return "other"

    def _destroyed(self, unit: str, data: dict[str, Any]) -> None:
        self._lost(unit, self._cause(unit, str(data["why"])))

    def _crew_killed(self, unit: str, data: dict[str, Any]) -> None:
        # counts as destroyed (E-21)
        self._lost(unit, "crew")

    def _cause(self, unit: str, why: str) -> str:
        for cause, words in _table()["causes"].items():
            if any(one in why for one in words):
                inside = cause in ("centre_torso", "engine", "location") and self._last_source.get(unit) == "explosion"
                return "explosion" if inside else str(cause)
        return "other"

    def _lost(self, unit: str, cause: str) -> None:
        if unit in self._out:
            return
        self._out.add(unit)
        seat = SEATS[self._sides[unit]] if self._sides[unit] < len(SEATS) else "other"
        self._count.update({"kills": 1, f"kills.{cause}": 1, f"units_lost.{seat}": 1})
        self._count.update({"worth_lost": self._worth[unit], f"worth_lost.{seat}": self._worth[unit]})

    def _left_map(self, unit: str, data: dict[str, Any]) -> None:
        if unit not in self._out:
            self._out.add(unit)
            self._count["withdrawn"] += 1

    def _location_lost(self, unit: str, data: dict[str, Any]) -> None:
        if data["location"] in _LEGS:
            self._count["motion_lost"] += 1

    def _roll(self, unit: str, data: dict[str, Any]) -> None:
        # rolls of pilots and drivers have a reason; those for heat and consciousness have none
        if data.get("reason"):
            self._count["piloting.rolls"] += 1
            self._count["rolls failed"] += not data["success"]

    def _pilot_hurt(self, unit: str, data: dict[str, Any]) -> None:
        self._count["pilots.hurt"] += 1

    def _heat(self, unit: str, data: dict[str, Any]) -> None:
        self._count.update({"heat left": data["after"], "heat built": data["built"], "heat.outside": data["outside"]})

    def _explosion(self, unit: str, data: dict[str, Any]) -> None:
        if data["shots"] or data["name"] == "ammunition":
            self._count["explosions.ammunition"] += 1

    def _declared(self, unit: str, data: dict[str, Any]) -> None:
        for attack in data["attacks"]:
            self._count["declared"] += 1
            self._count["indirect"] += bool(attack["spotter"])
            self._count["at second"] += bool(data["primary"]) and attack["target"] != data["primary"]

    def _attack(self, unit: str, data: dict[str, Any]) -> None:
        number = data["to_hit"]
        self._count["shots"] += 1
        self._count["hits"] += bool(data["hit"])
        if number["tn"] is None or number["tn"] > MOST:
            self._count[f"at.{MOST + 1}"] += 1
        else:
            self._count[f"at.{max(LEAST, number['tn'])}"] += 1
            self._count.update({"numbers": number["tn"], "shots with a number": 1})
        self._count["covered"] += any(part["what"] == "partial cover" for part in number.get("modifiers", ()))

    def _physical(self, unit: str, data: dict[str, Any]) -> None:
        self._count["blows"] += 1
        self._count["blows that hit"] += bool(data["hit"])

    def _moved(self, unit: str, data: dict[str, Any]) -> None:
        self._count["moves"] += 1
        self._count[f"moved {data['mode']}"] += 1

    def _spotting(self, unit: str, data: dict[str, Any]) -> None:
        self._count["spotting.failed"] += not data["success"]


#: measures that are one count over another
_MEANS = {
    "piloting.failed": ("rolls failed", "piloting.rolls"),
    "heat.mean": ("heat left", "mech turns"),
    "heat.built": ("heat built", "mech turns"),
    "shots.hit": ("hits", "shots"),
    "shots.number": ("numbers", "shots with a number"),
    "shots.indirect": ("indirect", "declared"),
    "shots.at_second": ("at second", "declared"),
    "cover.modifier": ("covered", "shots"),
    "blows.hit": ("blows that hit", "blows"),
    **{f"moves.{mode}": (f"moved {mode}", "moves") for mode in ("run", "jump", "evade", "sprint")},
}


def _once(key: str) -> Callable[[Measures, str, dict[str, Any]], None]:
    """Counts one for each such event."""

    def heard(self: Measures, unit: str, data: dict[str, Any]) -> None:
        self._count[key] += 1

    return heard


_HEARD: dict[str, Callable[[Measures, str, dict[str, Any]], None]] = {
    "phase": Measures._phase,
    "ended": Measures._ended,
    "damage": Measures._damage,
    "troopers_lost": Measures._troopers,
    "destroyed": Measures._destroyed,
    "crew_killed": Measures._crew_killed,
    "left_map": Measures._left_map,
    "location_lost": Measures._location_lost,
    "roll": Measures._roll,
    "pilot_hit": Measures._pilot_hurt,
    "wounded": Measures._pilot_hurt,
    "heat": Measures._heat,
    "explosion": Measures._explosion,
    "fire_declared": Measures._declared,
    "attack": Measures._attack,
    "physical_attack": Measures._physical,
    "moved": Measures._moved,
    "spotting": Measures._spotting,
    "fall": _once("falls"),
    "unconscious": _once("pilots.out"),
    "shutdown": _once("shutdowns"),
    "immobilized": _once("motion_lost"),
    "munition": _once("munitions"),
    "cover_struck": _once("cover.struck"),
    "critical": _once("criticals"),
    "vehicle_critical": _once("criticals"),
    "shell": _once("shells"),
    "bombs": _once("shells"),
    "paused": _once("pauses"),
    "opportunity": _once("opportunity"),
    "physical_lost": _once("blows.lost"),
}
