"""The form of the battle file: every key, its meaning, its bounds. ``opfor schema battle`` prints it as JSON schema.

Keys that later rules will use (:data:`LATER_KEYS`) are accepted and kept as they are. A key that nobody knows is kept and
reported, unless it is so close to a known one that it must be a slip of the pen.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from opfor.formats.battle_file.mission_schema import AnyAction, AnyZone, MarkerEntry, StartEntry

FORMAT_VERSION = 1
#: greatest density of a minefield, in points of damage
MOST_MINES = 60
#: keys that the form provides for and no rule here reads yet, by the model they stand in
LATER_KEYS = {
    "battle": ("weather", "objectives", "scenario"),
    "unit": ("c3",),
    "side": (),
    "pilot": ("name", "rank"),
}
#: keys kept for people and tools, that no rule ever reads
KEPT_KEYS = {"battle": ("rulings", "log", "notes", "title"), "unit": ("notes",), "side": ("notes",), "pilot": ()}

Count = Annotated[int, Field(strict=True, ge=0)]
Flag = Annotated[bool, Field(strict=True)]
Facing = Annotated[str | int, Field(description="N, NE, SE, S, SW, NW or 0 to 5 clockwise from N")]
HexNumber = Annotated[str | int, Field(description='CCRR as "0611": column first, even columns half a hex lower')]
Skill = Annotated[int, Field(strict=True, ge=0, le=12)]
#: points lost, or the word "gone" for all of them
Points = Annotated[int, Field(strict=True, ge=0)] | Literal["gone", "destroyed", "all"]


#: markups of posts, as in :data:`opfor.report.posts.markup.MARKUPS`
PostForm = Literal["rpol", "bbcode", "markdown", "html", "text"]


class Entry(BaseModel):
    """A mapping of the battle file. Keys that are not declared are kept."""

    model_config = ConfigDict(extra="allow")


class OptionsEntry(Entry):
    """The options of a campaign character, each with its value. Rule: E-9."""

    tactics: Annotated[int, Field(strict=True, ge=0, le=9)] = Field(0, description="makes initiative easier")
    melee: Annotated[int, Field(strict=True, ge=0, le=9)] = Field(0, description="counts in physical attacks, made or suffered")
    hazard: Annotated[int, Field(strict=True, ge=0, le=9)] = Field(0, description="counts in physical attacks suffered")


class WoundEntry(Entry):
    """Wounds of one body location. Rule: E-38."""

    nl: Count = Field(0, description="non-lethal: 0 or 2")
    L: Annotated[int, Field(strict=True, ge=0, le=12)] = Field(0, description="L wounds")


class PilotEntry(Entry):
    """The pilot. ``gunnery`` and ``piloting`` are target numbers on 2d6; the campaign's names for them are understood."""

    gunnery: Skill | None = Field(None, description="target number to hit, 4 unless given")
    piloting: Skill | None = Field(None, description="target number of piloting skill rolls, 5 unless given")
    ranged_tn: Skill | None = Field(None, description="another name of gunnery")
    physical_tn: Skill | None = Field(None, description="another name of piloting")
    driving: Skill | None = Field(None, description="another name of piloting, for the crew of a vehicle")
    anti_mech: Skill | None = Field(None, description="another name of piloting, for infantry: its anti-'Mech skill")
    physical: Annotated[int, Field(strict=True, ge=-4, le=8)] | None = Field(
        None, description="physical level, higher is better: piloting is 8 less the level, unless it is given too"
    )
    mental_tn: Skill | None = Field(None, description="mental target number, 5 unless given")
    options: OptionsEntry | None = Field(None, description="options of the character: tactics, melee, hazard")
    wounds: dict[str, WoundEntry] = Field(
        {}, description="by body location (head, torso, left_arm, right_arm, left_leg, right_leg), as {nl: 2, L: 1}"
    )
    hits: Annotated[int, Field(strict=True, ge=0, le=6)] = Field(0, description="hits by the standard rules, 6 kill")
    conscious: Flag = True


class MovedEntry(Entry):
    """The movement made this turn."""

    mode: Literal["stand", "walk", "run", "jump", "evade", "sprint", "mount", "dismount"] = Field(description="how it moved")
    hexes: Count = Field(0, description="hexes moved, as counted for the target movement modifier")
    mp: Count = Field(0, description="movement points spent")
    finished: Flag = Field(True, description="false while it may still go on")
    skidded: Flag = False


class RollEntry(Entry):
    """A piloting skill roll due at the end of the phase."""

    reason: str
    modifier: Annotated[int, Field(strict=True)] = 0
    rule: str = "S-6"


class ThisTurnEntry(Entry):
    """What happened to the unit this turn or phase and is forgotten afterwards."""

    arms_fired: list[str] = Field([], description="arms (or legs of a quad) whose weapons fired")
    spotting: Flag = False
    tagged: Flag = False
    heat_built: Count = Field(0, description="heat built by moving and firing")
    heat_outside: Count = Field(0, description="heat put on it by others")
    damage: Count = Field(0, description="damage taken this phase")
    fell: Flag = Field(False, description="fell this phase")
    knocked_out: Flag = Field(False, description="the pilot lost consciousness this turn")
    acted: Flag = Field(False, description="has done its part of the phase going on")
    complex_action: str = Field(
        "", description="complex action declared this turn: opportunity, pause, several_targets, indirect_fire"
    )
    heat_held: Count = Field(0, description="heat of opportunity actions, which nothing sheds before the next turn")
    fell_back: Flag = Field(False, description="moved away from an enemy it was engaged with")
    action_started: str = Field("", description="mission action started this turn")
    action_broken: Flag = Field(False, description="has broken off that action by moving")
    rolls: list[RollEntry] = Field([], description="piloting skill rolls due at the end of the phase")


class DamageEntry(Entry):
    """Damage by name. Armour and structure as points lost; ammunition as rounds left."""

    armor: dict[str, Points] = Field({}, description="points lost by location (CTR, LTR, RTR: rear), or gone")
    structure: dict[str, Points] = Field({}, description="points lost by location, or gone")
    criticals: dict[str, list[str | int]] = Field({}, description="what has been hit in each location, by name or slot number")
    ammo: dict[str, Count | list[Count]] = Field({}, description="rounds left by weapon; a list gives each bin its own")
    weapons: list[str] = Field([], description="weapons lost, where not told by the criticals")
    jammed: list[str] = Field([], description="weapons that are jammed")
    used: list[str] = Field([], description="one-shot weapons that have been fired")
    systems: dict[str, Any] = Field({}, description="counts that differ from what the criticals tell, as engine_hits")
    crew: list[str] = Field([], description="crew of a vehicle that is hit: commander, driver, copilot, pilot, killed")
    stunned: Count = Field(0, description="turns that a vehicle's crew is stunned for, this one included")
    stunned_next: Count = Field(0, description="further turns of that, from the next one on")
    motive: list[str] = Field([], description="motive damage taken: minor, moderate, heavy")
    cruise_lost: Count | None = Field(None, description="cruising MP lost, where motive damage tells otherwise")
    immobilized: Flag | None = Field(None, description="motive system, engine or rotor gone")
    engine: Literal["", "hit"] = Field("", description="hit: the engine is dead, the vehicle immobile")
    sensors: Count = Field(0, description="sensor hits of a vehicle")
    flight_stabilizer: Flag = Field(False, description="a VTOL's flight stabilizer is hit")
    stabilizers: list[str] = Field([], description="locations whose stabilizer is hit")
    malfunctions: list[str] = Field([], description="weapons that a weapon phase must be spent on")
    turret: Literal["free", "jammed", "locked"] = "free"
    turret_jams: Count | None = Field(None, description="jams that the turret has had, those cleared included")
    cargo_lost: Flag = Field(False, description="a vehicle's cargo is destroyed")
    troopers: Count = Field(0, description="troopers that a platoon has lost")
    suits: Count | dict[str, Points] = Field(
        {}, description="battle armour: points lost by suit (S1 to S6), or gone; a number: so many suits are gone"
    )


class UnitInitiativeEntry(Entry):
    """A unit's own initiative this turn."""

    margin: Annotated[int, Field(strict=True)] | None = Field(
        None, description="by how much its roll reached its number; 0 or more has won"
    )
    roll: Count = Field(0, description="the roll of 2d6")


class UnitEntry(Entry):
    """One unit: what it is, where it stands, what it has suffered."""

    id: str | None = Field(None, description="short name used in orders; made from the type when missing")
    name: str | None = Field(None, description="call sign or title to show")
    side: str = Field(description="one of the sides")
    type: str = Field(description="catalogue name as Wolverine WVR-6R, or a path to an .mtf or .blk file")
    munitions: dict[str, str | list[str]] | list[str] = Field(
        {},
        description="special missiles in its bins: by ammunition, as {SRM 6: inferno}, or a word for each bin; plain for none",
    )
    at: HexNumber | None = None
    facing: Facing | None = None
    twist: str | int | None = Field(None, description="torso twist: left, right or none")
    turret: Facing | None = Field(None, description="where a vehicle's turret points, as a facing")
    elevation: Annotated[int, Field(strict=True)] | None = Field(None, description="levels above the hex's surface")
    prone: Flag = False
    stuck: Flag = Field(False, description="bogged down")
    arms_flipped: Flag = False
    pilot: PilotEntry | None = None
    crew: PilotEntry | None = Field(None, description="another name of pilot, for vehicles and infantry")
    moved: MovedEntry | Flag | None = None
    fired: list[str] = Field([], description="weapons fired this turn")
    heat: Count = 0
    shutdown: Flag = False
    damage: DamageEntry | None = None
    club: str = Field("", description="kind of club in its hands")
    narc: list[str] = Field([], description="sides whose Narc beacon it carries")
    aboard: str = Field("", description="id of the unit that carries it; its hex is its carrier's")
    swarming: str = Field("", description="id of the enemy that it clings to")
    dug_in: Flag = False
    bombs: Count | None = Field(None, description="bombs left under a VTOL, as many as its type carries when missing")
    this_turn: ThisTurnEntry | None = None
    destroyed: str | Flag = Field("", description="why it is out of the battle")
    gone: Flag = Field(False, description="it has left the map")
    hidden: Flag = Field(False, description="the other sides do not know of it")
    initiative: UnitInitiativeEntry | Annotated[int, Field(strict=True)] | None = Field(
        None, description="its own initiative this turn: {margin: 2, roll: 9}, or the margin alone"
    )
    waiting: Flag = Field(False, description="has won initiative and waits with its movement until the fire phase")
    opportunity: Flag = Field(False, description="holds an opportunity action ready")
    heat_carried: Count = Field(0, description="heat of infernos beyond the most a turn takes, for later turns")
    battle_shocked: Flag = Field(False, description="battle-shocked: may not start mission actions")
    oc: Count | Literal["-"] | None = Field(None, description="objective control: mission actions need 1 or more")
    keywords: list[str] = Field([], description="keywords beyond those of its kind, as TITANIC, FORTIFICATION")
    orders: str | list[str] = Field([], description="restraints on who plays it: do not move, no jump, do not leave 0810-0814")
    fired_on: Flag = Field(False, description="somebody has fired on it or struck at it")


class SideEntry(Entry):
    """One side of the battle."""

    controller: Literal["gm", "opfor"] | None = Field(None, description="who gives its orders")
    post: PostForm | None = Field(None, description="markup of the posts about it, in place of the battle's")
    policy: str | None = Field(None, description="the policy that plays it, see opfor policies")
    character: str | None = Field(None, description="a character of the veteran, as raider: another way to name the policy")
    difficulty: str | None = Field(None, description="how well it judges: green, regular, veteran, elite")
    orders: str | list[str] = Field(
        [], description="restraints on who plays it, kept until taken out: hold fire, ignore alpha-1"
    )
    objective: str | None = Field(None, description="hold 0812, escort mule-1, reach north, destroy alpha-1, delay 6 turns ...")
    victory: Flag = Field(False, description="reaching the objective decides the battle")
    knows: Literal["all", "sees", "contacts"] = Field(
        "all", description="what it knows of enemies: all that are not hidden, those it sees, those and where it saw the others"
    )
    contacts: dict[str, HexNumber] = Field({}, description="where enemies out of sight were last seen, by unit")
    edge: Literal["", "north", "south", "east", "west"] = Field("", description="home edge")
    withdrawing: Flag = False


class InitiativeEntry(Entry):
    """Initiative of the turn."""

    modifier: Annotated[int, Field(strict=True)] = 0
    order: list[str] | None = Field(None, description="sides from the one that acts first (lowest) to the last")


class ActingEntry(Entry):
    """The unit in the middle of its turn, and what it owes next."""

    unit: str
    due: Literal["movement", "fire", "physical", "action"] = "movement"


class BlowEntry(Entry):
    """A physical attack made with fire, that waits for the physical phase. Rule: E-7."""

    attacker: str
    attack: Literal["punch", "kick", "push", "club", "hatchet", "sword"]
    limb: str = Field("", description="arm or leg as LA, RL; none for a push or a club")
    target: str
    hit: Flag = Field(True, description="false for a kick that missed, whose roll to stay up is still to be made")
    damage: Count | None = Field(None, description="points of damage, worked out when missing")
    self_damage: Count = Field(0, description="points that it costs the attacker")
    side: Literal["", "front", "left", "right", "rear"] = Field("", description="side struck, as the target stood")
    table: Literal["", "normal", "punch", "kick"] = Field("", description="hit location table, as the target stood")
    at: HexNumber | None = Field(None, description="where the attacker stood")
    target_at: HexNumber | None = Field(None, description="where the target stood")


class ShellEntry(Entry):
    """Artillery or bombs that have been announced: the call, and the turn in which it lands."""

    order: dict[str, Any] = Field(description="a call, as orders are written in JSON")
    lands: Annotated[int, Field(strict=True, ge=1)] | None = Field(None, description="turn of landing, this one when missing")
    level: Annotated[int, Field(strict=True)] | None = Field(None, description="height over the hex of a bomb run flown")


class SightingEntry(Entry):
    """What a spotter has rolled in this phase."""

    spotter: str
    target: str = Field(description="a unit, or a hex as @0512")
    margin: Annotated[int, Field(strict=True)] = Field(description="by how much the roll passed, below 0 when it failed")


class CorrectionEntry(Entry):
    """What an artillery piece has learnt of a hex: shells landed under observation, or that one has hit."""

    unit: str
    at: HexNumber
    shots: Count = 0
    hit: Flag = False


class PendingEntry(Entry):
    """Orders declared and not yet resolved, and physical attacks that have still to count."""

    declared: list[dict[str, Any]] = []
    charges: list[dict[str, Any]] = []
    blows: list[BlowEntry] = Field([], description="physical attacks made with fire, that wait for the physical phase")
    shells: list[ShellEntry] = Field([], description="artillery and bomb runs announced and not yet landed")
    sightings: list[SightingEntry] = Field([], description="spotters' rolls of this phase")
    corrections: list[CorrectionEntry] = Field([], description="what artillery has learnt by earlier shots")


class MineEntry(Entry):
    """A minefield: its density in points of damage, and who knows of it."""

    at: HexNumber | None = None
    density: Annotated[int, Field(strict=True, ge=1, le=MOST_MINES)] = Field(10, description="points of damage")
    known: list[str] | Literal["all", "none"] = Field("none", description="sides that know of it")


class BattleFile(Entry):
    """The whole battle as it stands."""

    opfor: Annotated[int, Field(strict=True)] = Field(FORMAT_VERSION, description="format version")
    name: str = ""
    post: PostForm | None = Field(None, description="markup of the posts that opfor orders --out writes, text when missing")
    ruleset: str | dict[str, Any] = Field("campaign", description="a name, or {base: NAME, SWITCH: VALUE}")
    board: str | dict[str, Any] | list[Any] = Field(
        description="a .board path relative to this file, a built-in name, a list of these to join, or {size, rows}"
    )
    map_names: str | dict[str, Any] | None = Field(
        None,
        description="names of the hexes: letters, or {columns, first_column, first_row, even_rows, skip, order, hexes}",
    )
    terrain: dict[str, str] = Field({}, description="hexes that differ from the board, as 0812: level 1, rough")
    mines: list[MineEntry] | dict[str, Count | MineEntry] = Field([], description="minefields beyond those of the board")
    fires: list[HexNumber] = Field([], description="burning hexes beyond those of the board")
    wind: Facing | None = Field(None, description="direction that the wind blows toward; calm when missing")
    turn: Annotated[int, Field(strict=True, ge=1)] = 1
    phase: Literal["initiative", "movement", "declarations", "fire", "physical", "end"] = "initiative"
    stage: Literal["", "calls", "rolled", "players", "answer"] = Field(
        "", description="part of the phase: calls, then rolled (initiative); players, then answer (fire)"
    )
    initiative: InitiativeEntry | None = None
    queue: list[str] | None = Field(None, description="sides still to act in this phase, one entry for each unit to act")
    acting: str | ActingEntry | None = Field(
        None, description="unit in the middle of its turn: its id when it goes on moving, or {unit: ID, due: fire}"
    )
    limit: Count = Field(0, description="last turn of the battle, 0 for none")
    winner: str | None = Field(None, description="a side, or draw, once the battle is over")
    zones: dict[str, AnyZone] | None = Field(None, description="named sets of hexes")
    actions: list[AnyAction] | None = Field(None, description="mission actions, or names of those that ship")
    markers: list[MarkerEntry] | None = Field(None, description="markers on the map")
    scores: dict[str, Annotated[int, Field(strict=True)]] | None = Field(None, description="points of mission actions by side")
    actions_started: list[StartEntry] | None = Field(None, description="mission actions started so far")
    sides: dict[str, SideEntry | None] = Field(description="the sides by name", min_length=1)
    units: list[UnitEntry] = Field(description="the units", min_length=1)
    pending: PendingEntry | None = None


#: the model behind each path of the file that holds free keys
MODELS: dict[str, type[Entry]] = {"battle": BattleFile, "unit": UnitEntry, "side": SideEntry, "pilot": PilotEntry}
