"""The page docs/observation.md: every group and column of an observation, made from the code that writes them."""

from __future__ import annotations

from textwrap import wrap

from envs.observation import LAYOUT, SIZE, VERSION

_WIDTH = 124
_SIZE = f"""An observation is a flat float32 vector of {SIZE:,} numbers (layout version {VERSION}; the version changes whenever
a column changes its place or meaning). All numbers lie in -1 to 1; what would go beyond is cut. It has the same size for
every battle: any board, any number of units. More than 24 units a side: the nearest 24 are shown. A board of any size: the
ground is a window around the acting unit, and positions are told from that unit."""
_KNOWN = """It holds what the side that is asked knows, and nothing else: its view of the battle (`Game.view`) and the question
that is asked. Hidden units, enemies out of sight where the side is told no more than it sees, mines it has not met, shells of
the other side and what that has been told are not in it. Of a mere contact, an enemy out of sight of whom only the last place
is known, that place and its type are told, and it stands there as if whole."""
_GROUPS = """Groups are tables, one after the other, rows one after the other: `LAYOUT.view(observation, "units")` is a group as
an array of rows and columns, `LAYOUT.read(observation, "battle", "turn")` one number."""
_DAMAGE = """Expected damage is an estimate by which places, targets and shots are compared: mean damage of the weapons that
bear, each at its chance to hit, as many as the heat allows, in the best twist. In `slots` it is worked out for each hex and
facing that is offered, from line of sight, woods, cover, range, movement and arcs, against the six nearest enemies: enemies
that have moved stand where they are and face as they do; the others are taken to be in the two places, of those that they can
get to, from which their fire does most for what they would take there, half in each, and face as they like. What damage is
worth depends on where it strikes: thin armour, the rear and what kills count more, as the veteran reckons. An enemy fires at
one unit: it is feared less, the more it is drawn to others of the side. VTOLs are taken to fly as high as they do."""


def observation_page() -> str:
    """What an observation holds, group by group."""
    lines = ["# Observations", "", "Made from `envs/observation.py` and `envs/features/`, which write what stands here.", ""]
    for paragraph in (_SIZE, _KNOWN, _GROUPS):
        lines += [*wrap(" ".join(paragraph.split()), _WIDTH), ""]
    lines += ["| group | from | rows | columns | numbers | what |", "|---|---|---|---|---|---|"]
    for group in LAYOUT.groups.values():
        start = LAYOUT[group.name].start
        lines.append(f"| `{group.name}` | {start} | {group.rows} | {len(group.columns)} | {group.size} | {group.what} |")
    lines += ["", *wrap(" ".join(_DAMAGE.split()), _WIDTH), ""]
    for group in LAYOUT.groups.values():
        lines += [f"## {group.name}", "", group.what, "", "| column | name | what |", "|---|---|---|"]
        lines += [f"| {place} | `{column.name}` | {column.what} |" for place, column in enumerate(group.columns)]
        lines.append("")
    return "\n".join(lines)
