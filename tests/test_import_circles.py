"""Which files import each other in a circle: those whose rules lead to one another, and no others.

A circle is a set of files each of which leads by imports to every other, imports for types alone and imports within functions
included. Those there are follow from the game: damage makes critical hits, critical hits make explosions, and these damage.
"""

from __future__ import annotations

import grimp
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

PACKAGES = ("opfor", "policies", "envs", "training")
#: why each is one, and its files
RULES_THAT_LEAD_TO_ONE_ANOTHER = {
    "damage, critical hits, explosions": {"harm.damage", "harm.criticals", "harm.explosions"},
    "the same, for vehicles": {"vehicles.vehicle_damage", "vehicles.vehicle_criticals"},
    "a VTOL that comes down may come down on mines, or through a roof": {
        "moving.displacement", "moving.entering", "terrain.buildings", "terrain.minefields", "vehicles.motive", "vehicles.vtol",
    },
    "who is destroyed is let go by those who cling to it, who may drown": {"harm.destruction", "troops.clinging"},
}  # fmt: skip


def test_files_import_each_other_only_where_their_rules_lead_to_one_another() -> None:
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    modules = sorted(graph.modules)
    place = {module: number for number, module in enumerate(modules)}
    arrows = [(place[one], place[two]) for one in modules for two in graph.find_modules_directly_imported_by(one)]
    sources, targets = np.array(arrows).T
    table = csr_array((np.ones(len(arrows)), (sources, targets)), shape=(len(modules), len(modules)))
    count, labels = connected_components(table, connection="strong")
    found = [{modules[number] for number in np.flatnonzero(labels == label)} for label in range(count)]
    known = [{f"opfor.rules.{name}" for name in files} for files in RULES_THAT_LEAD_TO_ONE_ANOTHER.values()]
    assert sorted(map(sorted, (one for one in found if len(one) > 1))) == sorted(map(sorted, known))
