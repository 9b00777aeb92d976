"""The admissible groups of bin covering: bins whose level lies in a window.

Two forms, see :mod:`atleastk.models.groups`:

- *decision* (objective ``max``): m bins, none above K. Levels lie in the window of
  :func:`~atleastk.models.bin_covering.window`, groups cost 0.
- *sum* (objectives ``excess`` and ``quadratic``): levels from k to a cap, groups cost
  their summand.

The cap
-------
A bin whose items split into two bins of level >= k is in no optimal solution of a sum:
levels a + b = L cost less apart, since (a - k) + (b - k) < L - k and
a (a - k) + b (b - k) < L (L - k). Let x be the largest size.

- A bin that holds an item of size z >= k splits unless the rest is below k: L <= z+k-1.
- Otherwise fill a first part until it reaches k: it has at most k + z - 1, where z is
  the largest size below k, so the bin splits unless L - (k + z - 1) <= k - 1.

So levels above max(x + k - 1 if x >= k, 2 k + z - 2) are never needed, and the weights
of a certificate need not bound them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import IntArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.covering import Objective
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.bin_covering import most_bins, window
from atleastk.models.groups import Group, Parts
from atleastk.models.kinds import Kinds
from atleastk.models.knapsack import LARGEST, Shelf, suffix_sums
from atleastk.models.windows import Window

_MOST_SUMS = 2**16
"""The most sums that are listed, half a megabyte."""

_STEPS_PER_CHOICE = 16
"""Elementary steps of a choice of a half, in units of those of a cell; measured."""


def level_cap(instance: BinCovering) -> int:
    """Return an upper bound of the levels in optimal solutions of a sum."""
    k = instance.k
    heavy = max((x + k - 1 for x in instance.sizes if x >= k), default=0)
    light = max((2 * k + x - 2 for x in instance.sizes if x < k), default=0)
    return min(instance.total, max(heavy, light))


@dataclass(frozen=True, slots=True)
class BinGroups:
    """The bins whose level lies in a window, over kinds of equal sizes."""

    kinds: Kinds  # the distinct sizes, the largest first
    k: int
    levels: Window  # the window of levels
    objective: Objective  # ``max`` in the decision form, where groups cost 0
    parts: Parts

    @classmethod
    def decision(
        cls, instance: BinCovering, bins: int, cost: int, kinds: Kinds | None = None
    ) -> BinGroups:
        """Return the bins of solutions with `bins` bins, none above `cost`."""
        kinds, levels = kinds or Kinds.of(instance.sizes), window(instance, bins, cost)
        return cls(kinds, instance.k, levels, "max", Parts(bins, bins))

    @classmethod
    def any_number(cls, instance: BinCovering, cost: int) -> BinGroups:
        """Return the bins of solutions with any number of bins, none above `cost`."""
        fewest, most = -(-instance.total // cost), most_bins(instance)
        levels = Window(most, instance.k, cost)
        kinds = Kinds.of(instance.sizes)
        return cls(kinds, instance.k, levels, "max", Parts(fewest, most))

    @classmethod
    def sums(cls, instance: BinCovering) -> BinGroups:
        """Return the bins of optimal solutions of a sum."""
        if instance.objective == "max":
            raise NotApplicableError(
                "the sum form needs the objective excess or quadratic, not max"
            )
        cap = level_cap(instance)
        fewest = max(1, -(-instance.total // cap)) if cap else min(1, instance.n)
        kinds, most = Kinds.of(instance.sizes), most_bins(instance)
        levels, parts = Window(most, instance.k, cap), Parts(fewest, most)
        return cls(kinds, instance.k, levels, instance.objective, parts)

    def proved(self, weights: Sequence[int], scale: int) -> int | None:
        """Return the bound that weights prove, or None if they refute every partition.

        By weak duality, see :mod:`atleastk.models.certificates.weights`. With `scale` 0
        the bound is 0 unless they refute.
        """
        best = self.best_group(weights, scale)
        fewest, most = self.parts
        if best is None or fewest > most:
            return None
        greatest = best.worth(weights, scale)
        total = sum(d * y for d, y in zip(self.demand, weights, strict=True))
        least = total - greatest * (most if greatest > 0 else fewest)
        if scale:
            return -(-least // scale)
        return None if least > 0 else 0

    @property
    def demand(self) -> tuple[int, ...]:
        """The multiplicity of every size."""
        return self.kinds.demand

    @property
    def work(self) -> int:
        """The elementary steps of one call of the oracle, roughly."""
        if self.levels.empty:
            return 0
        listed, steps = self._listing
        return steps if listed else self._shelf.cells

    @property
    def _listing(self) -> tuple[bool, int]:
        """Whether choices, of halves if they suffice, beat levels; and their steps."""
        shelf, halves = self._shelf, self.objective != "quadratic"
        steps = _STEPS_PER_CHOICE * shelf.choices(halves)
        better = steps < shelf.cells and shelf.can_list(halves)
        return not shelf.levels_fit or better, steps

    def cost(self, level: Any) -> Any:
        """Return the cost of a group of this level (elementwise for arrays)."""
        match self.objective:
            case "max":
                return 0
            case "excess":
                return level - self.k
            case "quadratic":
                return level * (level - self.k)

    def refuses(self) -> str | None:
        """Return why the oracle cannot take these groups, or None if it can."""
        if self.levels.empty:
            return None
        shelf = self._shelf
        if shelf.levels_fit or shelf.can_list(self.objective != "quadratic"):
            return None
        return (
            f"{len(shelf.sizes)} distinct sizes and levels up to {shelf.high} are too "
            "many for an exact knapsack"
        )

    def best_group(self, weights: Sequence[int], scale: int) -> Group | None:
        """Return a group S of greatest ``weights(S) - scale * cost(S)``."""
        if self.levels.empty:
            return None
        shelf = self._shelf
        linear = self.objective != "quadratic"
        net = list(weights)
        if self.objective == "excess":
            net = [
                y - scale * x for y, x in zip(weights, self.kinds.values, strict=True)
            ]
        reach = sum(d * abs(y) for d, y in zip(self.demand, net, strict=True))
        penalty = 0 if linear else scale * max(1, self.cost(shelf.high))
        refusal = self.refuses()
        if refusal is None and (reach >= LARGEST or shelf.high >= LARGEST):
            refusal = "the weights are too large for 64 bits"
        if refusal is not None:
            raise NotApplicableError(refusal)
        chosen: list[int] | None
        listed, _ = self._listing
        if linear:
            chosen = (shelf.by_halves if listed else shelf.by_levels)(net)
        elif penalty < LARGEST and not listed:
            levels = np.arange(shelf.low, shelf.high + 1, dtype=np.int64)
            chosen = shelf.by_levels(net, scale * self.cost(levels))
        elif shelf.can_list(halves=False):
            chosen = shelf.by_listing(net, lambda x: scale * self.cost(x), penalty)
        else:
            raise NotApplicableError("the costs are too large for 64 bits")
        return None if chosen is None else self.group(chosen)

    def group(self, kinds: Sequence[int]) -> Group:
        """Return the group of these kinds, with its cost."""
        level = sum(self.kinds.values[kind] for kind in kinds)
        return Group(tuple(kinds), self.cost(level))

    def holds(self, group: Group) -> bool:
        """Tell whether a group over the same kinds is admissible here too."""
        level: int = sum(self.kinds.values[kind] for kind in group.items)
        return self.levels.holds(level)

    def columns(
        self, limit: int, stopped: Callable[[], bool] = lambda: False
    ) -> list[Group] | None:
        """Return all admissible groups, or None if there are more than `limit`.

        None also if it was stopped.

        Output-sensitive: partial groups that no further kinds can complete are dropped,
        so no more than `limit` exist at a time. (If the further kinds reach more than
        65,536 levels, only their total is known; then None can mean that partial groups
        were too many.)
        """
        if self.levels.empty:
            return []
        shelf = self._shelf
        suffixes = suffix_sums(shelf, _MOST_SUMS, stopped)
        levels: IntArray = np.zeros(1, dtype=shelf.exact)
        parents: list[IntArray] = []
        counts: list[IntArray] = []
        pairs = zip(reversed(shelf.sizes), reversed(shelf.copies), strict=True)
        totals = [*accumulate((s * copies for s, copies in pairs), initial=0)][::-1]
        for kind, copies in enumerate(shelf.copies):
            grown: list[IntArray] = []
            origins: list[IntArray] = []
            taken: list[IntArray] = []
            origin = np.arange(len(levels))
            for count in range(copies + 1):
                live = self._live(levels, suffixes[kind + 1], totals[kind + 1])
                grown.append(levels[live])
                origins.append(origin[live])
                taken.append(np.full(len(live), count, dtype=np.int64))
                levels = levels + shelf.sizes[kind]
                fits = levels <= shelf.high
                levels, origin = levels[fits], origin[fits]
                if sum(map(len, grown)) > limit or stopped():
                    return None
                if not len(levels):
                    break
            levels = np.concatenate(grown)
            parents.append(np.concatenate(origins))
            counts.append(np.concatenate(taken))
        return self._collect(parents, counts)

    @property
    def _shelf(self) -> Shelf:
        window = self.levels
        return Shelf(self.kinds.values, self.kinds.demand, window.least, window.most)

    def _live(
        self, levels: IntArray, sums: IntArray | None, total: int
    ) -> NDArray[np.intp]:
        """Return the partial groups that further kinds can complete."""
        low, high = self.levels.least, self.levels.most
        if sums is None:
            return np.flatnonzero(levels >= low - total)
        least = np.searchsorted(sums, low - levels, side="left")
        found = least < len(sums)
        reached = sums[np.where(found, least, 0)]
        return np.flatnonzero(found & (reached <= high - levels))

    def _collect(self, parents: list[IntArray], counts: list[IntArray]) -> list[Group]:
        """Trace the partial groups back to their items."""
        at = np.arange(len(parents[-1])) if parents else np.zeros(0, dtype=np.int64)
        kinds: list[list[int]] = [[] for _ in at]
        for kind in range(len(parents) - 1, -1, -1):
            for place in np.flatnonzero(counts[kind][at]):
                kinds[place] += [kind] * int(counts[kind][at[place]])
            at = parents[kind][at]
        return [self.group(chosen[::-1]) for chosen in kinds]
