"""What must hold after every order, whatever the rules did: an observer for tests and for rule testing by self-play."""

from __future__ import annotations

from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.events import Event
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.movement import mode_points, movement_points
from opfor.rules.moving.stacking import takes_room
from opfor.rules.pilots.wounds import kills
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ROTOR
from opfor.units.state import UnitState


class InvariantBroken(AssertionError):
    """A battle reached a state that no rules can lead to. ``check`` names what was looked at, ``rule`` its ledger id if any."""

    def __init__(self, message: str, check: str = "", rule: str = "") -> None:
        self.check = check
        self.rule = rule
        super().__init__(message)


class _Past:
    """What of a unit may only change in one direction."""

    __slots__ = ("alive", "ammo", "armor", "cell", "crew", "motive", "structure", "twist")

    def __init__(self, unit: UnitState) -> None:
        self.alive = unit.alive
        self.ammo = unit.ammo[:]
        self.armor = unit.armor[:]
        self.cell = unit.cell
        self.crew = unit.crew
        self.motive = unit.motive_hits
        self.structure = unit.structure[:]
        self.twist = unit.twist


class Invariants:
    """Checks after every order; raises :class:`InvariantBroken` naming the unit and what is wrong.

    Checked: the order was listed, and each unit acts once a phase; no negative armour, structure, ammunition or heat, and
    none of the first three (troopers and suits are structure) ever grows; the dead neither move nor act; no more units in a
    place than may share it; MP never exceeded; every die shows 1 to 6; heat after the heat phase is what it was, plus what
    was built, less what was shed, and nothing but 'Mechs heats up; crews do not recover from wounds; who is carried or
    clings to a unit is where that is; turrets that cannot turn do not; what moves no more does not; on the board nothing grows
    back, and only what can burn burns.
    """

    def before(self, game: Game) -> None:
        """Remember where things stand."""
        self._rolls = len(game.dice.log)
        self._acted: set[tuple[int, str, str]] = set()
        self._remember(game.state)

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """The order must be listed, and its unit able to act."""
        if order not in decision.legal:
            self._broken(order.unit, f"order not listed: {order}", "listed", "E-1")
        state = game.state
        unit = state.unit(order.unit)
        if not unit.active:
            self._broken(unit.id, "acts while out of action", "out of action")
        turn = (state.turn, state.phase + state.stage, unit.id)
        going_on = bool(state.underway) and state.underway[-1].unit == unit.index
        if decision.kind == "opportunity":
            self._break_in(state, unit, order)
        elif turn in self._acted and not going_on:
            self._broken(unit.id, f"acts twice in a {state.phase} phase", "acts twice", "S-1")
        elif not isinstance(order, MoveOrder) or order.mode != "wait":
            self._acted.add(turn)
        self._remember(state)
        self._allowed: int | None = None
        if isinstance(order, MoveOrder):
            self._allow(state, unit, order)
        elif isinstance(order, FireOrder) and order.twist != unit.twist and (unit.turret or not _turns(unit)):
            self._broken(unit.id, f"turns a turret that cannot turn: {order}", "turret", "E-24b")

    def _break_in(self, state: State, unit: UnitState, order: Order) -> None:
        """Who breaks in holds an action ready (or has yet to declare), and does so against an enemy. Rule: M-9, M-10."""
        declaring = state.units[state.underway[-1].unit]
        if declaring.side == unit.side:
            self._broken(unit.id, f"breaks in on its own side's {declaring.id}", "breaking in", "M-9")
        if isinstance(order, FireOrder | PhysicalOrder | MoveOrder) and not unit.opportunity:
            self._broken(unit.id, "breaks in without an opportunity action", "breaking in", "M-9")

    def _allow(self, state: State, unit: UnitState, order: MoveOrder) -> None:
        if (unit.immobilized or unit.engine_dead) and (order.path or order.to != unit.cell):
            self._broken(unit.id, f"moves and cannot: {order}", "immobile moves", "S-2")
        if order.mode in ("walk", "run", "jump", "evade", "sprint"):
            points = movement_points(state, unit)
            allowed = points.jump if order.mode == "jump" else mode_points(points, order.mode)
            if unit.spec.is_vehicle and order.mode != "jump":
                # Rule: E-12, a point more on pavement all the way
                allowed += int(table("movement")["vehicle"]["pavement_bonus"])
            # points lost in the middle of a movement do not undo what was spent before
            self._allowed = max(allowed, unit.mp_spent)

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Check the state that the order led to."""
        state = game.state
        for roll in game.dice.log[self._rolls :]:
            if not all(1 <= die <= 6 for die in roll.dice):
                self._broken(order.unit, f"dice {roll.dice}", "dice")
        self._rolls = len(game.dice.log)
        for unit, past in zip(state.units, self._before, strict=True):
            self._check_unit(unit, past)
            if unit.spec.is_mech:
                continue
            self._check_kind(unit, past)
            self._check_company(state, unit)
        self._check_stacking(state)
        self._check_ground(state)
        unit = state.unit(order.unit)
        if self._allowed is not None and unit.mp_spent > self._allowed and unit.hexes_moved > 1:
            self._broken(unit.id, f"spent {unit.mp_spent} MP of {self._allowed}", "movement points", "S-2")
        for event in events:
            if event.what == "heat":
                data = event.data
                expected = max(0, data["before"] + data["built"] + data["outside"] - data["shed"]) + data.get("held", 0)
                if data["after"] != expected:
                    self._broken(event.unit, f"heat {data} does not add up", "heat sum", "S-7")

    def after(self, game: Game) -> None:
        """Nothing more to check."""

    def _remember(self, state: State) -> None:
        self._before = [_Past(unit) for unit in state.units]
        self._board = state.board

    def _check_ground(self, state: State) -> None:
        """What has changed on the board can have changed so: nothing grows back, only what can burn burns. Rule: S-10."""
        board, before = state.board, self._board
        if board is before:
            return
        for cell in board.grid.on_board:
            now, then = board.hexes[cell], before.hexes[cell]
            if now is then:
                continue
            at = board.grid.names[cell]
            if now.woods > then.woods or now.building_cf > then.building_cf or now.bridge_cf > then.bridge_cf:
                self._broken(at, f"grows: {then} became {now}", "ground", "S-10")
            if min(now.mines, now.building_cf, now.bridge_cf, now.woods_damage) < 0 or not 0 <= now.smoke <= 2:
                self._broken(at, f"holds {now}", "ground", "S-10")
            if now.fire and not (now.woods or now.building):
                self._broken(at, "burns with nothing to burn", "ground", "S-10")
            if now.building and not now.building_cf:
                self._broken(at, "a building without strength stands", "ground", "S-10")
            if now.ice and not then.ice:
                self._broken(at, "freezes", "ground", "S-10")

    def _check_unit(self, unit: UnitState, past: _Past) -> None:
        if min(unit.armor, default=0) < 0 or min(unit.structure) < 0:
            self._broken(unit.id, f"armour {unit.armor}, structure {unit.structure}", "armour", "S-5")
        for what, now, then in (
            ("ammunition", unit.ammo, past.ammo),
            ("armour", unit.armor, past.armor),
            ("structure", unit.structure, past.structure),
        ):
            if any(have < 0 or have > had for have, had in zip(now, then, strict=True)):
                self._broken(unit.id, f"{what} {then} became {now}", what)
        if min(unit.heat, unit.heat_built, unit.heat_outside) < 0:
            self._broken(unit.id, f"heat {unit.heat} + {unit.heat_built} + {unit.heat_outside}", "heat", "S-7")
        if unit.wounds != sum([hits // 2 for hits in unit.body]) or (unit.alive and kills(unit)):
            self._broken(unit.id, f"{unit.wounds} L wounds of {unit.body}", "wounds", "E-38")
        if not past.alive and unit.cell != past.cell:
            self._broken(unit.id, "moved while out of the battle", "out of the battle")
        if not past.alive and unit.alive:
            self._broken(unit.id, "came back to life", "out of the battle")

    def _check_kind(self, unit: UnitState, past: _Past) -> None:
        """What holds for vehicles and infantry. Rule: E-16, E-20 to E-24, S-9."""
        if unit.heat or unit.heat_built or unit.prone or unit.shutdown:
            self._broken(
                unit.id,
                f"heat {unit.heat} + {unit.heat_built}, prone {unit.prone}, shut down {unit.shutdown}",
                "conditions by kind",
                "S-9",
            )
        if past.crew & ~unit.crew or past.motive & ~unit.motive_hits:
            self._broken(
                unit.id,
                f"crew hits {past.crew} became {unit.crew}, motive damage {past.motive} {unit.motive_hits}",
                "crew",
                "S-9",
            )
        if unit.spec.is_vehicle:
            if unit.cruise_lost > unit.spec.walk:
                self._broken(unit.id, f"lost {unit.cruise_lost} of {unit.spec.walk} cruising MP", "motive", "E-22")
            # a VTOL may live on without its rotor
            parts = slice(0, ROTOR if unit.spec.kind == "vtol" else None)
            whole = unit.spec.structure[parts]
            if unit.alive and any(left <= 0 < full for left, full in zip(unit.structure[parts], whole, strict=True)):
                self._broken(unit.id, f"lives with a location gone: {unit.structure}", "lives", "S-9")
        elif unit.alive and not any(unit.structure):
            self._broken(unit.id, "lives without a trooper or suit", "lives", "S-9")
        if not -2 <= unit.twist <= 3 or (unit.twist and not unit.spec.turret):
            self._broken(unit.id, f"turret at {unit.twist}", "turret", "E-24b")

    def _check_company(self, state: State, unit: UnitState) -> None:
        """Who is carried, or clings to a unit, is where that is. Rule: S-9."""
        if not unit.alive:
            return
        for other_id, what in ((unit.aboard, "aboard"), (unit.swarming, "swarming")):
            if not other_id:
                continue
            other = state.unit(other_id)
            if not other.alive:
                self._broken(unit.id, f"{what} {other_id}, which is out of the battle", "company", "S-9")
            if (unit.cell, unit.elevation) != (other.cell, other.elevation):
                self._broken(unit.id, f"is not where {other_id} is that it is {what}", "company", "S-9")
            if (unit.side == other.side) is (what == "swarming"):
                self._broken(unit.id, f"{what} {other_id}, of side {other.side}", "company", "S-9")

    def _check_stacking(self, state: State) -> None:
        """One 'Mech in a place, so many units of a side and in all, those on their way through left out. Rule: S-2, M-9a."""
        limits = table("movement")["stacking"]
        passing = {one.unit for one in state.underway if isinstance(one.order, MoveOrder)}
        standing: dict[tuple[str, int], list[UnitState]] = {}
        for unit in state.units:
            if not takes_room(unit) or unit.index in passing:
                continue
            ground = ground_for(state.board, unit.spec, state.ruleset)
            level = ground.elevation[ground.place(unit.cell, unit.elevation)]
            standing.setdefault((state.board.grid.names[unit.cell], level), []).append(unit)
        for (hex, _), units in standing.items():
            mechs = [unit.id for unit in units if unit.spec.is_mech]
            sides = [unit.side for unit in units]
            if len(mechs) > 1:
                self._broken(mechs[1], f"stands in the place of {mechs[0]} in {hex}", "stacking", "S-2")
            if len(units) > limits["in_all"] or any(sides.count(side) > limits["a_side"] for side in set(sides)):
                self._broken(units[-1].id, f"one too many in {hex}: {', '.join(unit.id for unit in units)}", "stacking", "S-2")

    def _broken(self, unit: str, what: str, check: str, rule: str = "") -> None:
        raise InvariantBroken(f"{unit}: {what}", check, rule)


def _turns(unit: UnitState) -> bool:
    """Whether a torso or turret of the unit could turn at all."""
    return unit.spec.is_mech or (unit.spec.turret and not unit.engine_dead)
