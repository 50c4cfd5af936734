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
        "ammo",
        "armor",
        "arms_flipped",
        "cell",
        "club",
        "cockpit_hit",
        "conscious",
        "damage_this_phase",
        "destroyed",
        "elevation",
        "engine_hits",
        "equipment_lost",
        "facing",
        "fell_this_phase",
        "fired",
        "gone",
        "gunnery",
        "gyro_hits",
        "heat",
        "heat_built",
        "heat_outside",
        "hexes_moved",
        "hidden",
        "id",
        "index",
        "jammed",
        "jets_lost",
        "knocked_out",
        "life_support_hits",
        "mode",
        "mounts_lost",
        "moved",
        "mp_spent",
        "name",
        "narc",
        "one_shot_used",
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
        "structure",
        "stuck",
        "tagged",
        "twist",
        "used_arms",
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
        # out of the battle
        self.destroyed = ""  # why, or "" while it lives
        self.gone = False  # left the map

    def copy(self) -> UnitState:
        """An independent copy that shares the spec."""
        twin = UnitState.__new__(UnitState)
        twin.ammo = self.ammo[:]
        twin.armor = self.armor[:]
        twin.arms_flipped = self.arms_flipped
        twin.cell = self.cell
        twin.club = self.club
        twin.cockpit_hit = self.cockpit_hit
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
        """Immobile in the sense of the to-hit table: shut down, or the pilot out. Rule: S-4."""
        return self.shutdown or not self.conscious

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
        return sum(1 for leg in self.legs if self.structure[leg] <= 0)

    def has_equipment(self, kind: str) -> bool:
        """Whether a working piece of equipment of that kind is aboard."""
        return any(e.kind == kind and not self.equipment_lost >> e.index & 1 for e in self.spec.equipment)

    def shots(self, ammo: str) -> int:
        """Rounds left of an ammunition kind, over all its bins."""
        return sum(n for n, b in zip(self.ammo, self.spec.bins, strict=True) if b.kind == ammo)
