"""How a unit stands: position, damage, heat, ammunition, pilot. Small, flat, copied in microseconds.

The spec never changes and is shared; a state holds only what does. Everything here is plain numbers, so that
:meth:`UnitState.copy` is a handful of assignments and list copies.
"""

from __future__ import annotations

from opfor.units.spec import LEGS, UnitSpec


class UnitState:
    """One unit in one battle. ``cell`` is its hex (-1 off the map), ``facing`` 0 to 5, ``twist`` the torso's turn (-1, 0, 1).

    Masks have one bit an item: ``slots_hit[location]`` the destroyed slots, ``mounts_lost`` and ``jammed`` weapons,
    ``equipment_lost`` equipment; counts: ``sinks_lost``, ``jets_lost``, ``engine_hits``, ``gyro_hits``, ``sensor_hits``.
    """

    __slots__ = (
        "aboard",
        "acted",
        "action_broken",
        "action_started",
        "ammo",
        "armor",
        "arms_flipped",
        "battle_shocked",
        "body",
        "bombs",
        "cargo_lost",
        "cell",
        "club",
        "cockpit_hit",
        "complex_action",
        "conscious",
        "crew",
        "cruise_lost",
        "damage_this_phase",
        "destroyed",
        "dug_in",
        "elevation",
        "engine_dead",
        "engine_hits",
        "equipment_lost",
        "facing",
        "fell_back",
        "fell_this_phase",
        "fired",
        "flight_stabilizer",
        "gone",
        "gunnery",
        "gyro_hits",
        "hazard",
        "heat",
        "heat_built",
        "heat_carried",
        "heat_held",
        "heat_outside",
        "hexes_moved",
        "hidden",
        "id",
        "immobilized",
        "index",
        "initiative",
        "initiative_roll",
        "jammed",
        "jets_lost",
        "keywords",
        "knocked_out",
        "life_support_hits",
        "malfunctioned",
        "melee",
        "mental",
        "mode",
        "motive_hits",
        "mounts_lost",
        "moved",
        "mp_spent",
        "name",
        "narc",
        "oc",
        "one_shot_used",
        "opportunity",
        "physical_level",
        "pilot_hits",
        "piloting",
        "prone",
        "psr",
        "sensor_hits",
        "shutdown",
        "side",
        "sinks_lost",
        "skidded",
        "slots_hit",
        "spec",
        "spotting",
        "stabilizers",
        "structure",
        "stuck",
        "stunned",
        "stunned_next",
        "swarming",
        "tactics",
        "tagged",
        "turret",
        "turret_jams",
        "twist",
        "used_arms",
        "waiting",
        "wounds",
    )

    def __init__(self, spec: UnitSpec, id: str, side: int, index: int = 0) -> None:
        self.spec = spec
        self.id = id
        self.name = spec.name
        self.side = side
        self.index = index
        # where it stands
        self.cell = -1
        self.facing = 0
        self.twist = 0
        #: levels above the hex's surface: 0 on the ground, -depth on the bottom of water, a roof's or bridge's height on it
        self.elevation = 0
        self.prone = False
        self.arms_flipped = False
        self.stuck = False
        # damage
        self.armor = list(spec.armor)
        self.structure = list(spec.structure)
        self.slots_hit = [0] * len(spec.slots)
        self.ammo = [b.shots for b in spec.bins]
        self.mounts_lost = 0
        self.jammed = 0
        self.one_shot_used = 0
        self.equipment_lost = 0
        self.sinks_lost = 0
        self.jets_lost = 0
        self.engine_hits = 0
        self.gyro_hits = 0
        self.sensor_hits = 0
        self.life_support_hits = 0
        self.cockpit_hit = False
        self.narc = 0  # bit mask of sides whose Narc beacon it carries
        self.club = ""  # kind of club in its hands
        # heat
        self.heat = 0
        self.heat_built = 0  # this turn, by moving and firing
        self.heat_outside = 0  # this turn, from others
        self.shutdown = False
        # pilot
        self.gunnery = 4
        self.piloting = 5
        self.pilot_hits = 0
        self.conscious = True
        self.knocked_out = False  # this turn: no attempt to come round before the next
        #: where wounds are by body location: hits taken by each of BODY of :mod:`opfor.rules.pilots.wounds`, () for none (E-38)
        self.body: tuple[int, ...] = ()
        self.wounds = 0  # L wounds that these make, in all (E-38)
        # this turn
        self.mode = ""  # "", stand, walk, run, jump, ...
        self.hexes_moved = 0
        self.mp_spent = 0
        self.moved = False  # has done its movement this turn
        self.skidded = False
        self.fired = 0  # mask of mounts fired this turn
        self.used_arms = 0  # mask of locations whose weapons fired this turn
        self.spotting = False
        self.tagged = False
        self.damage_this_phase = 0
        self.fell_this_phase = False
        #: piloting skill rolls due at the end of the phase: (reason id, modifier, rule)
        self.psr: list[tuple[str, int, str]] = []
        #: not seen by the other sides: their views and target lists leave it out
        self.hidden = False
        # vehicles: crews, motive systems, turrets (rules.crews, rules.motive)
        #: mask of crew hits: COMMANDER, DRIVER, COPILOT, PILOT, KILLED of :mod:`opfor.rules.vehicles.crews`
        self.crew = 0
        self.stunned = 0  # turns that the crew is stunned for, this one included
        self.stunned_next = 0  # further turns of that, from the next one on
        self.motive_hits = 0  # mask of motive damage taken: 1 minor, 2 moderate, 4 heavy
        self.cruise_lost = 0  # cruising MP lost
        self.immobilized = False  # motive system, engine or rotor gone
        self.engine_dead = False
        self.flight_stabilizer = False  # hit
        self.stabilizers = 0  # mask of locations whose stabilizer is hit
        self.malfunctioned = 0  # mask of mounts that a weapon phase must be spent on
        self.turret = 0  # 0 turns freely, 1 jammed, 2 locked; its facing is the twist, -2 to 3 hexsides
        self.turret_jams = 0  # jams that the turret has had, those cleared included
        self.cargo_lost = False
        # infantry and carriers (rules.transport, rules.anti_mech)
        self.aboard = ""  # id of the unit that carries it
        self.swarming = ""  # id of the unit that it clings to
        self.dug_in = False
        # the campaign's turn, skills and actions (rules.initiative, rules.opportunity, rules.mission_actions)
        self.acted = False  # has done its part of the phase, where each acts on its own (E-6, M-10)
        self.action_started = ""  # mission action started this turn, or ""
        self.action_broken = False  # moved after it started that action, which will not be completed
        self.fell_back = False  # moved away from an enemy it was engaged with this turn
        self.waiting = False  # won initiative and waits to move in the fire phase (E-3)
        self.initiative: int | None = None  # margin of its own initiative roll, None before one is made (E-2, M-10)
        self.initiative_roll = 0  # that roll (E-2)
        self.complex_action = ""  # declared this turn: opportunity (M-9), pause (M-8), evade, sprint ...; "" none (M-1)
        self.opportunity = False  # holds an opportunity action ready (M-9)
        self.heat_held = 0  # heat of opportunity actions this turn, which nothing sheds before the next (M-9e)
        self.heat_carried = 0  # heat of infernos beyond the most a turn takes, for later turns (E-33)
        self.physical_level: int | None = None  # higher is better; None: 8 less piloting (E-9, E-11)
        self.mental = 5  # mental target number: spotting, bombing, indirect fire (E-9, E-34)
        self.tactics = 0  # levels of the pilot's options (E-9)
        self.melee = 0
        self.hazard = 0
        self.bombs = spec.bombs  # bombs left (E-30)
        self.battle_shocked = False  # the flag of mission actions, set by the game master
        self.oc: int | None = None  # objective control: None missing, -1 for "-"; none of them and 0 start an action
        self.keywords: tuple[str, ...] = ()  # beyond those of its kind
        # out of the battle
        self.destroyed = ""  # why, or "" while it lives
        self.gone = False  # left the map

    def copy(self) -> UnitState:
        """An independent copy that shares the spec."""
        twin = UnitState.__new__(UnitState)
        twin.ammo = self.ammo[:]
        twin.armor = self.armor[:]
        twin.aboard = self.aboard
        twin.crew = self.crew
        twin.cruise_lost = self.cruise_lost
        twin.dug_in = self.dug_in
        twin.engine_dead = self.engine_dead
        twin.flight_stabilizer = self.flight_stabilizer
        twin.immobilized = self.immobilized
        twin.malfunctioned = self.malfunctioned
        twin.motive_hits = self.motive_hits
        twin.stabilizers = self.stabilizers
        twin.stunned = self.stunned
        twin.stunned_next = self.stunned_next
        twin.swarming = self.swarming
        twin.turret = self.turret
        twin.turret_jams = self.turret_jams
        twin.cargo_lost = self.cargo_lost
        twin.arms_flipped = self.arms_flipped
        twin.cell = self.cell
        twin.club = self.club
        twin.cockpit_hit = self.cockpit_hit
        twin.body = self.body
        twin.wounds = self.wounds
        twin.conscious = self.conscious
        twin.damage_this_phase = self.damage_this_phase
        twin.destroyed = self.destroyed
        twin.elevation = self.elevation
        twin.engine_hits = self.engine_hits
        twin.equipment_lost = self.equipment_lost
        twin.facing = self.facing
        twin.fell_this_phase = self.fell_this_phase
        twin.fired = self.fired
        twin.gone = self.gone
        twin.gunnery = self.gunnery
        twin.gyro_hits = self.gyro_hits
        twin.heat = self.heat
        twin.heat_built = self.heat_built
        twin.heat_outside = self.heat_outside
        twin.hidden = self.hidden
        twin.hexes_moved = self.hexes_moved
        twin.id = self.id
        twin.index = self.index
        twin.jammed = self.jammed
        twin.jets_lost = self.jets_lost
        twin.knocked_out = self.knocked_out
        twin.life_support_hits = self.life_support_hits
        twin.mode = self.mode
        twin.mounts_lost = self.mounts_lost
        twin.moved = self.moved
        twin.mp_spent = self.mp_spent
        twin.name = self.name
        twin.narc = self.narc
        twin.one_shot_used = self.one_shot_used
        twin.pilot_hits = self.pilot_hits
        twin.piloting = self.piloting
        twin.prone = self.prone
        twin.psr = self.psr[:]
        twin.sensor_hits = self.sensor_hits
        twin.shutdown = self.shutdown
        twin.side = self.side
        twin.sinks_lost = self.sinks_lost
        twin.skidded = self.skidded
        twin.slots_hit = self.slots_hit[:]
        twin.spec = self.spec
        twin.spotting = self.spotting
        twin.structure = self.structure[:]
        twin.stuck = self.stuck
        twin.tagged = self.tagged
        twin.twist = self.twist
        twin.acted = self.acted
        twin.action_started = self.action_started
        twin.action_broken = self.action_broken
        twin.fell_back = self.fell_back
        twin.waiting = self.waiting
        twin.initiative = self.initiative
        twin.initiative_roll = self.initiative_roll
        twin.opportunity = self.opportunity
        twin.complex_action = self.complex_action
        twin.heat_held = self.heat_held
        twin.heat_carried = self.heat_carried
        twin.physical_level = self.physical_level
        twin.mental = self.mental
        twin.tactics = self.tactics
        twin.melee = self.melee
        twin.hazard = self.hazard
        twin.bombs = self.bombs
        twin.battle_shocked = self.battle_shocked
        twin.oc = self.oc
        twin.keywords = self.keywords
        twin.used_arms = self.used_arms
        return twin

    # -- questions about the unit -------------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """On the map and not destroyed."""
        return not self.destroyed and not self.gone

    @property
    def active(self) -> bool:
        """Alive, running and with a pilot who is awake: able to act."""
        return not self.destroyed and not self.gone and not self.shutdown and self.conscious

    @property
    def immobile(self) -> bool:
        """Immobile in the sense of the to-hit table: shut down, pilot or crew out, motive system gone. Rule: S-4."""
        return self.shutdown or not self.conscious or self.immobilized

    @property
    def torso_facing(self) -> int:
        """Facing of the torso, twist included."""
        return (self.facing + self.twist) % 6

    def lost(self, location: int) -> bool:
        """Whether the location is destroyed or blown off."""
        return self.structure[location] <= 0

    def working(self, location: int, kind: str) -> bool:
        """Whether the location has that actuator (or system) and it has not been hit."""
        bits = self.spec.slot_bits.get((location, kind), 0)
        return bits != 0 and self.structure[location] > 0 and self.slots_hit[location] & bits == 0

    def hit(self, location: int, kind: str) -> bool:
        """Whether an actuator that the location was built with has been destroyed."""
        bits = self.spec.slot_bits.get((location, kind), 0)
        return bits != 0 and self.slots_hit[location] & bits != 0

    @property
    def legs(self) -> tuple[int, ...]:
        """The locations that are legs: two, or four of a quad."""
        return (4, 5, 6, 7) if self.spec.quad else LEGS

    @property
    def legs_lost(self) -> int:
        """How many legs are gone."""
        structure = self.structure
        return len([leg for leg in self.legs if structure[leg] <= 0])

    def has_equipment(self, kind: str) -> bool:
        """Whether a working piece of equipment of that kind is aboard."""
        return any(e.kind == kind and not self.equipment_lost >> e.index & 1 for e in self.spec.equipment)

    def shots(self, ammo: str) -> int:
        """Rounds left of an ammunition kind, over all its bins."""
        return sum(n for n, b in zip(self.ammo, self.spec.bins, strict=True) if b.kind == ammo)
