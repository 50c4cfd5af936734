"""The outlines of units on a record sheet: where each location lies, and where its name stands. Units of 330 by 400."""

from __future__ import annotations

from opfor.report.drawing import Point
from opfor.units.spec import UnitSpec

#: outline and place of the label
Part = tuple[tuple[Point, ...], Point]


def _mirrored(outline: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((330 - x, y) for x, y in outline)


def _pair(outline: tuple[Point, ...], label: Point) -> tuple[Part, Part]:
    """A part on the unit's left, drawn on the left, and its fellow on the right."""
    return (outline, label), (_mirrored(outline), (330 - label[0], label[1]))


_HEAD: Part = (((147, 28), (183, 28), (194, 42), (194, 66), (183, 76), (147, 76), (136, 66), (136, 42)), (165, 20))
_CENTRE: Part = (((128, 84), (202, 84), (208, 96), (200, 206), (130, 206), (122, 96)), (165, 222))
_SIDE = _pair(((70, 92), (116, 88), (124, 200), (84, 186), (66, 130)), (92, 80))
_ARM = _pair(((18, 98), (58, 94), (62, 130), (58, 246), (48, 262), (24, 262), (12, 246), (12, 120)), (36, 84))
_LEG = _pair(((92, 232), (156, 230), (152, 300), (150, 386), (74, 386), (76, 360), (86, 300)), (92, 226))
_BIPED = (_HEAD, _CENTRE, _SIDE[1], _SIDE[0], _ARM[1], _ARM[0], _LEG[1], _LEG[0])

_Q_HEAD: Part = (((143, 26), (187, 26), (196, 40), (196, 64), (186, 74), (144, 74), (134, 64), (134, 40)), (165, 19))
_Q_CENTRE: Part = (((130, 84), (200, 84), (208, 100), (208, 236), (196, 250), (134, 250), (122, 236), (122, 100)), (165, 266))
_Q_SIDE = _pair(((74, 110), (114, 96), (116, 240), (80, 226)), (98, 92))
_Q_FRONT = _pair(((16, 60), (60, 70), (66, 100), (60, 190), (20, 190), (10, 90)), (40, 52))
_Q_REAR = _pair(((22, 236), (66, 232), (84, 252), (76, 372), (30, 372), (16, 300)), (48, 226))
_QUAD = (_Q_HEAD, _Q_CENTRE, _Q_SIDE[1], _Q_SIDE[0], _Q_FRONT[1], _Q_FRONT[0], _Q_REAR[1], _Q_REAR[0])

_FRONT: Part = (((84, 34), (246, 34), (268, 62), (218, 118), (112, 118), (62, 62)), (165, 26))
_FLANK = _pair(((56, 72), (104, 126), (104, 292), (56, 346)), (34, 210))
_REAR: Part = (((112, 300), (218, 300), (262, 352), (246, 384), (84, 384), (68, 352)), (165, 398))
_TURRET: Part = (((130, 144), (200, 144), (216, 160), (216, 262), (200, 278), (130, 278), (114, 262), (114, 160)), (165, 137))
_BODY: Part = (((116, 126), (214, 126), (214, 292), (116, 292)), (165, 210))
_VEHICLE = (_BODY, _FRONT, _FLANK[1], _FLANK[0], _REAR, _TURRET)

_V_FRONT: Part = (((140, 30), (190, 30), (210, 62), (204, 110), (126, 110), (120, 62)), (165, 22))
_V_FLANK = _pair(((108, 118), (150, 118), (150, 236), (116, 236), (98, 190), (98, 140)), (72, 206))
_V_REAR: Part = (((138, 244), (192, 244), (182, 330), (196, 384), (134, 384), (148, 330)), (165, 398))
_VTOL = (_BODY, _V_FRONT, _V_FLANK[1], _V_FLANK[0], _V_REAR, (((236, 120), (318, 120), (318, 156), (236, 156)), (277, 112)))


def parts_of(spec: UnitSpec) -> tuple[Part, ...]:
    """The parts of a 'Mech or vehicle in the order of its locations; a vehicle's body, which has no armour, is not shown."""
    if spec.is_mech:
        return _QUAD if spec.quad else _BIPED
    return _VTOL if spec.kind == "vtol" else _VEHICLE


def placed(part: Part, at: Point, scale: float = 1.0) -> Part:
    """A part moved to a place on the sheet."""
    outline, label = part
    return tuple((at[0] + x * scale, at[1] + y * scale) for x, y in outline), (
        at[0] + label[0] * scale,
        at[1] + label[1] * scale,
    )
