"""Any record sheet made a unit. Rule: S-5, S-9."""

from __future__ import annotations

from opfor.units.build import build_mech
from opfor.units.build_infantry import build_battle_armor, build_infantry
from opfor.units.build_vehicle import build_vehicle
from opfor.units.sheet import MechSheet
from opfor.units.spec import UnitSpec
from opfor.units.vehicle_sheet import InfantrySheet, SuitsSheet, VehicleSheet
from opfor.units.workbench import Report

AnySheet = MechSheet | VehicleSheet | InfantrySheet | SuitsSheet


def build(sheet: AnySheet, report: Report | None = None) -> UnitSpec:
    """The unit that a record sheet of any kind describes; ``report`` and errors as in :func:`opfor.units.build.build_mech`."""
    if isinstance(sheet, MechSheet):
        return build_mech(sheet, report)
    if isinstance(sheet, VehicleSheet):
        return build_vehicle(sheet, report)
    return build_infantry(sheet, report) if isinstance(sheet, InfantrySheet) else build_battle_armor(sheet, report)
