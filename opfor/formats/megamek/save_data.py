"""What a saved game of MegaMek says, as plain data in that program's own terms: no rule here is applied to it yet.

:func:`opfor.formats.megamek.save.read_save` fills these; :mod:`opfor.formats.megamek.save_battle` makes a battle of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SavedPlayer:
    """A player. ``team`` 0 is none; ``start``: where it came in (1 north-west, then clockwise to 8 west)."""

    id: int
    name: str
    team: int
    bot: bool
    observer: bool
    start: int = 0
    initiative: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedTerrain:
    """One kind of terrain in a hex. ``exits`` is None where the program works them out."""

    name: str
    level: int
    exits: int | None
    factor: int = 0


@dataclass(frozen=True, slots=True)
class SavedHex:
    """A hex: ``at`` is column and row from 0."""

    at: tuple[int, int]
    level: int
    terrain: tuple[SavedTerrain, ...]
    fire_turns: int = 0

    def words(self) -> str:
        """Level and terrain in the notation of board files."""
        return f"{self.level} {';'.join(terrain_words(one) for one in self.terrain)}".strip()

    def find(self, name: str) -> SavedTerrain | None:
        """The terrain of that name."""
        return next((one for one in self.terrain if one.name == name), None)


def terrain_words(one: SavedTerrain) -> str:
    """``woods:1``, or with exits ``road:1:18``."""
    return f"{one.name}:{one.level}" + (f":{one.exits}" if one.exits is not None else "")


@dataclass(frozen=True, slots=True)
class SavedBuilding:
    """A building: by hex the construction factor, that of the phase's beginning, armour, and whether it burns."""

    kind: int
    hexes: tuple[tuple[tuple[int, int], int, int, int, bool], ...]
    building_class: int = 0
    original_hexes: int = 0
    collapsed_hexes: int = 0


@dataclass(frozen=True, slots=True)
class SavedMine:
    """A minefield. ``kind`` by number, ``known``: ids of the players who see it."""

    at: tuple[int, int]
    kind: int
    density: int
    player: int
    detonated: bool
    known: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedSmoke:
    """A cloud of smoke."""

    level: int
    duration: int
    round: int
    hexes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SavedAction:
    """An attack or the like, declared and not resolved: its class and its numbers by name."""

    kind: str
    values: dict[str, int]


@dataclass(slots=True)
class SavedSlot:
    """A critical slot. ``system`` names a system, else ``item`` is the index of the equipment in it."""

    number: int
    system: str = ""
    item: int = -1
    hit: bool = False
    destroyed: bool = False
    missing: bool = False
    breached: bool = False

    @property
    def damaged(self) -> bool:
        """Whether anything is wrong with it."""
        return self.hit or self.destroyed or self.missing or self.breached


@dataclass(slots=True)
class SavedItem:
    """A piece of equipment. ``kind`` is weapon, ammo or other; ``linked`` the ammunition in use, -1 for none."""

    index: int
    type: str
    kind: str
    location: int
    rear: bool = False
    destroyed: bool = False
    hit: bool = False
    missing: bool = False
    breached: bool = False
    jammed: bool = False
    used: bool = False
    fired: bool = False
    shots: int = 0
    linked: int = -1
    one_shot: bool = False


@dataclass(slots=True)
class SavedLocation:
    """A location: points now, as they count in play, and at the start; None where it has none of a kind.

    ``file_armor``, ``file_rear`` and ``file_structure`` are the numbers that stand in the file, where a lost location kept its
    old ones.
    """

    name: str
    index: int
    armor: int | None
    armor_start: int | None
    structure: int | None
    structure_start: int | None
    rear: int | None = None
    rear_start: int | None = None
    destroyed: bool = False
    blown_off: bool = False
    breached: bool = False
    file_armor: int | None = None
    file_rear: int | None = None
    file_structure: int | None = None


@dataclass(slots=True)
class SavedCrew:
    """The pilot, or the crew's first seat."""

    name: str = ""
    gunnery: int = 4
    piloting: int = 5
    hits: int = 0
    unconscious: bool = False
    dead: bool = False
    ejected: bool = False
    knocked_out_now: bool = False

    @property
    def active(self) -> bool:
        """Whether somebody is awake in the seat."""
        return not self.unconscious and not self.dead


@dataclass(slots=True)
class SavedUnit:
    """One unit. What no rule needs a name of its own for stands in ``flags`` and ``numbers`` by the file's names."""

    id: int
    kind: str
    layout: str
    owner: int
    chassis: str
    model: str
    tons: float
    movement_mode: str
    in_game: bool
    removal: int = 0
    at: tuple[int, int] | None = None
    facing: int = 0
    secondary_facing: int = 0
    elevation: int = 0
    moved: str = "MOVE_NONE"
    hexes: int = 0
    mp_used: int = 0
    moved_last: str = "MOVE_NONE"
    mp_used_last: int = 0
    heat: int = 0
    heat_buildup: int = 0
    walk: int = 0
    jump: int = 0
    crew: SavedCrew = field(default_factory=SavedCrew)
    locations: list[SavedLocation] = field(default_factory=list)
    slots: list[list[SavedSlot]] = field(default_factory=list)
    items: list[SavedItem] = field(default_factory=list)
    flags: dict[str, bool] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    #: how it is built: numbers of the engine and so on, for a unit that nothing else describes
    build: dict[str, int] = field(default_factory=dict)
    armor_types: tuple[int, ...] = ()
    loads: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Chassis and model."""
        return f"{self.chassis} {self.model}".strip()


@dataclass(slots=True)
class SavedGame:
    """A whole save. Hexes row by row; turns by the ids of their players."""

    source: str
    version: str
    round: int
    phase: str
    last_phase: str
    width: int
    height: int
    hexes: list[SavedHex]
    boards: tuple[str, ...] = ()
    players: list[SavedPlayer] = field(default_factory=list)
    #: initiative rolls with their bonus by team
    teams: dict[int, tuple[int, ...]] = field(default_factory=dict)
    turn_index: int = -1
    turns: list[int] = field(default_factory=list)
    buildings: list[SavedBuilding] = field(default_factory=list)
    mines: list[SavedMine] = field(default_factory=list)
    smoke: list[SavedSmoke] = field(default_factory=list)
    conditions: dict[str, object] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    actions: list[SavedAction] = field(default_factory=list)
    units: list[SavedUnit] = field(default_factory=list)
    #: entries of classes that nobody here knows, and lists that nothing here reads: what and how many
    unread: dict[str, int] = field(default_factory=dict)

    def player(self, id: int) -> SavedPlayer | None:
        """A player by id."""
        return next((player for player in self.players if player.id == id), None)
