"""The network that learns: it scores each option of the question that is asked, whatever the board and however many units.

Units, hexes and options are read by layers of their own that all rows of a kind share. What is seen of them is pooled into one
context, and every option is scored by the same layers from its own row and that context, so that no weight belongs to a
place among the units or the options. An option is read beside the question and the best that any option has in each column; one
that stands for a unit is read with that unit. :mod:`policies.learned.network` computes the same with NumPy alone, from the
same names.

Rows that stand for nothing are skipped: options are scored as one long list over the whole batch.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from envs.observation import LAYOUT
from policies.learned.options import OF_ENEMIES, OF_OWN, ROW
from policies.learned.sizes import NetworkSizes, named_sizes

#: rows of the group units that a side has
_SIDE = LAYOUT.groups["units"].rows // 2
_PRESENT = LAYOUT.groups["units"].index("present")
_SLOTS = LAYOUT.groups["slots"].rows


def _columns(name: str) -> int:
    return len(LAYOUT.groups[name].columns)


class SlotScorer(nn.Module):
    """Logits of all actions and the value of a position.

    ``sizes``: widths, or the name of a set of them. Weights are drawn from torch's generator: seed that first.
    Raises :class:`opfor.errors.InputError` for a name that there is not.
    """

    def __init__(self, sizes: NetworkSizes | str = "default") -> None:
        super().__init__()
        self.sizes = s = named_sizes(sizes) if isinstance(sizes, str) else sizes
        self.unit_layers = nn.ModuleList([nn.Linear(_columns("units"), s.units), nn.Linear(s.units, s.units)])
        self.unit_query = nn.Linear(s.units + _columns("choice"), s.units)
        self.unit_key = nn.Linear(s.units, s.units, bias=False)
        self.unit_read = nn.Linear(s.units, s.units, bias=False)
        self.ground = nn.Linear(LAYOUT.groups["ground"].size, s.ground)
        self.slot_row = nn.Linear(_columns("slots"), s.slots)
        self.slot_asked = nn.Linear(_columns("choice") + _columns("slots"), s.slots, bias=False)
        self.slot_unit = nn.Linear(s.units, s.slots, bias=False)
        seen = _columns("battle") + _columns("unit") + _columns("choice") + 6 * s.units + s.ground + 2 * s.slots
        self.context_layers = nn.ModuleList([nn.Linear(seen, s.context), nn.Linear(s.context, s.context)])
        self.slot_mix = nn.Linear(s.slots, s.slots)
        self.slot_add = nn.Linear(s.context, s.slots, bias=False)
        self.slot_scale = nn.Linear(s.context, s.slots)
        self.slot_score = nn.Linear(s.slots, 1)
        self.value_layers = nn.ModuleList([nn.Linear(s.context + s.slots, s.value), nn.Linear(s.value, 1)])
        self._begin()

    def _begin(self) -> None:
        """Weights to begin with: of a size that keeps what goes through, all options nearly alike, no value yet."""
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, math.sqrt(2.0))
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.slot_score.weight, 0.05)
        last = self.value_layers[-1]
        assert isinstance(last, nn.Linear)
        nn.init.orthogonal_(last.weight, 0.05)
        # an option counts as itself where the context says nothing
        nn.init.orthogonal_(self.slot_scale.weight, 0.1)
        nn.init.ones_(self.slot_scale.bias)

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """``obs``: flat observations, shape (n, :data:`envs.observation.SIZE`).

        Returns logits, shape (n, 320), and values, shape (n,). Logits of options that there are not are 0: whoever draws
        from them masks them.
        """
        part = {name: obs[:, LAYOUT[name]] for name in LAYOUT.groups}
        n = len(obs)
        slots = part["slots"].reshape(n, _SLOTS, -1)
        there = slots[:, :, 0] > 0.0
        counts = there.sum(1)
        of = torch.repeat_interleave(torch.arange(n, device=obs.device), counts)
        units, standing = self._read_units(part["units"])
        rows = torch.relu(self._read_options(slots[there], of, counts, part["choice"], units))
        mean, most = _pooled(rows, of, counts)
        seen = [part["battle"], part["unit"], part["choice"], *self._pool_units(units, standing, part["choice"])]
        context = torch.cat([*seen, torch.relu(self.ground(part["ground"])), mean, most], dim=1)
        for layer in self.context_layers:
            context = torch.relu(layer(context))
        mixed = self.slot_mix(rows) + self.slot_add(context).index_select(0, of)
        mixed = torch.relu(mixed) * self.slot_scale(context).index_select(0, of)
        scores = self.slot_score(mixed)[:, 0]
        logits = torch.zeros(n, _SLOTS, dtype=scores.dtype, device=obs.device).masked_scatter(there, scores)
        first, last = self.value_layers
        value = last(torch.relu(first(torch.cat([context, _pooled(mixed, of, counts)[0]], dim=1))))[:, 0]
        return logits, value

    def _read_units(self, flat: Tensor) -> tuple[Tensor, Tensor]:
        """What each unit comes to, shape (n, 2, rows, units), 0 where there is none, and which there are."""
        table = flat.reshape(len(flat), 2, _SIDE, -1)
        there = table[..., _PRESENT] > 0.0
        # rows in use come first on either side: what is beyond the longest is nothing for all
        used = max(1, int(there.sum(2).max()))
        table, there = table[:, :, :used], there[:, :, :used]
        for layer in self.unit_layers:
            table = torch.relu(layer(table))
        return table * there[..., None], there

    def _pool_units(self, units: Tensor, there: Tensor, choice: Tensor) -> list[Tensor]:
        """What the units come to: the acting one, what it sees of all, and each side by its mean and its most."""
        n, _, used, width = units.shape
        mean, most = units.sum(2) / there.sum(2).clamp(min=1)[..., None], units.amax(2)
        acting, every = units[:, 0, 0], units.reshape(n, 2 * used, width)
        heads = self.sizes.heads
        query = self.unit_query(torch.cat([acting, choice], dim=1)).reshape(n, heads, 1, -1)
        # the product with the key's weights is taken on the side of the query: one row instead of all of them
        asked = torch.einsum("nhod,hdu->nhu", query, self.unit_key.weight.reshape(heads, -1, width))
        scores = torch.einsum("nhu,nru->nhr", asked, every) / math.sqrt(width / heads)
        scores = scores.masked_fill(~there.reshape(n, 1, -1), -1e9)
        looked = torch.einsum("nhr,nru->nhu", torch.softmax(scores, dim=2), every)
        read = torch.einsum("nhu,hdu->nhd", looked, self.unit_read.weight.reshape(heads, -1, width))
        return [acting, read.reshape(n, -1), *mean.unbind(1), *most.unbind(1)]

    def _read_options(self, rows: Tensor, of: Tensor, counts: Tensor, choice: Tensor, units: Tensor) -> Tensor:
        """What each option comes to beside the others of its question: shape (options, slots)."""
        best = torch.segment_reduce(rows, "max", lengths=counts, axis=0, initial=-1.0)
        read = self.slot_row(rows) + self.slot_asked(torch.cat([choice, best], dim=1)).index_select(0, of)
        # options that stand for a unit: their row tells which one of its side
        enemies = (choice[:, OF_ENEMIES].sum(1) > 0.0).index_select(0, of)
        own = (choice[:, OF_OWN].sum(1) > 0.0).index_select(0, of)
        row = (rows[:, ROW] * _SIDE).round().long() - 1
        stands = ((enemies | own) & (row >= 0) & (row < units.shape[2])).nonzero()[:, 0]
        which = units[of[stands], enemies[stands].long(), row[stands]]
        found: Tensor = read.index_add(0, stands, self.slot_unit(which))
        return found


def _pooled(rows: Tensor, of: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """The mean and the most of the rows of each observation: shapes (n, width). None: 0."""
    lengths = counts.to(rows.device)
    mean = torch.segment_reduce(rows, "mean", lengths=lengths, axis=0, initial=0.0)
    most = torch.segment_reduce(rows, "max", lengths=lengths, axis=0, initial=0.0)
    return mean, most


def parameters_of(network: nn.Module) -> int:
    """How many numbers a network has learnt."""
    return sum(one.numel() for one in network.parameters())


__all__ = ["SlotScorer", "parameters_of"]
