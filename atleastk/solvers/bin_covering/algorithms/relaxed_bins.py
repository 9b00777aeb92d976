"""The relaxed approximation scheme of [Du09, Theorem 11].

For 0 < e < 1/2 it finds a partition whose bins have levels >= (1 - 2e) k and at most
(1 + e) (OPT + e k): inequality (4). Level k itself may be missed, so the result is in
general *not* a solution of bin covering, the checker rejects it, and the scheme is not
among the approximation algorithms of the problem.

Algorithm, in units of k
------------------------
Items >= e are large; round them down to powers e (1 + e)^l. A *type* is a partition of
the rounded large items into bins of level <= 3, some possibly empty. Among all types
whose gap, the sum of max(0, 1 - e - level), does not exceed the total s of the small
items, take the one whose greedy completion (small items one by one to the emptiest bin)
has the least maximum. The number of types is polynomial for fixed e, but enormous.

As printed
----------
Three slips in the proof are repaired here. The scheme needs OPT <= 3. If the items
below 1 fill a bin, Fold is optimal or OPT <= 3. Otherwise let t0 be the least item
>= 1. Some optimum has exactly one such item in each bin.

1. "Reduce oversize items by 1 - t0": by t0 - 1.
2. "After which all have size at most 2" fails: {1, 100, tiny} for k = 1. But if an item
   is >= t0 + 1, own bins and all smaller items on t0 cost max x, which is optimal. Else
   all reduced items are below 2. A reduced bin must keep exactly one of them, or adding
   t0 - 1 back breaks (4): only such types are enumerated.
3. "b <= n / (1 - 2e)" bins supposes x_i <= 1, but items up to 3 are left. Here b is
   floor(sum x / (1 - 2e)), which is what the proof needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heapreplace
from typing import NamedTuple

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.covering import levels
from atleastk.models.results.solution import Solution
from atleastk.solvers.bin_covering.algorithms.greedy_bins import Leftovers, pack

Number = int | Fraction
Configuration = tuple[int, ...]
"""How often a bin holds an item of each kind."""


def relaxed_scheme(
    instance: BinCovering, epsilon: Fraction, limit: int = 100_000
) -> Solution:
    """Return bins that keep inequality (4); see the module.

    Raises
    ------
    NotApplicableError
        If more than `limit` types would have to be enumerated, or epsilon is not
        strictly between 0 and 1/2.
    """
    if not 0 < epsilon < Fraction(1, 2):
        raise NotApplicableError(
            f"epsilon: expected a fraction between 0 and 1/2, got {epsilon}"
        )
    sizes, k = instance.sizes, instance.k
    oversize = [size for size in sizes if size >= k]
    nominal = instance.total - sum(oversize)
    anchored = nominal < k
    done = not oversize if anchored else bool(oversize) and max(oversize) >= 3 * k
    if done or (anchored and max(oversize) >= min(oversize) + k):
        order = range(instance.n)
        return Solution.of(pack(sizes, k, order, Leftovers.FOLD_LEAST))
    shift = min(oversize) - k if anchored else 0
    reduced = [size - shift if size >= k else size for size in sizes]
    return _Scheme(reduced, k, epsilon, anchored=anchored).run(limit)


def keeps_relaxed_promise(
    instance: BinCovering, epsilon: Fraction, solution: Solution, optimum: int
) -> bool:
    """Return whether inequality (4) holds for a solution."""
    reached = levels(instance, solution)
    slack = epsilon * instance.k
    return min(reached) >= instance.k - 2 * slack and max(reached) <= (1 + epsilon) * (
        optimum + slack
    )


class _Kind(NamedTuple):
    """Large items that round to one value; anchors have kinds of their own."""

    anchor: bool
    rounded: Fraction


class _Scheme:
    """Types, their greedy completions, and the best of them."""

    def __init__(
        self, sizes: Sequence[int], k: int, epsilon: Fraction, *, anchored: bool
    ) -> None:
        self.sizes, self.k, self.epsilon = sizes, k, epsilon
        self.anchored = anchored
        self.small = [i for i, size in enumerate(sizes) if size < epsilon * k]
        home = {
            i: _Kind(anchored and size >= k, self._round_down(size))
            for i, size in enumerate(sizes)
            if size >= epsilon * k
        }
        counted = Counter(home.values())
        self.kinds = sorted(counted, reverse=True)
        self.counts = tuple(counted[kind] for kind in self.kinds)
        self.items = {
            kind: [i for i, own in home.items() if own == kind] for kind in self.kinds
        }

    def run(self, limit: int) -> Solution:
        """Return the best greedy completion of all weakly feasible types."""
        best: tuple[Number, list[Configuration], list[list[int]]] | None = None
        for seen, packing in enumerate(self._types(), start=1):
            if seen > limit:
                raise NotApplicableError(
                    f"relaxed scheme: more than {limit} types at epsilon "
                    f"{self.epsilon}; raise the limit or epsilon, or take fewer items"
                )
            if self._weakly_feasible(packing):
                cost, added = self._completion(packing)
                if best is None or cost < best[0]:
                    best = cost, packing, added
        if best is None:
            raise NotApplicableError("relaxed scheme: the total size is below k")
        _, packing, added = best
        stock = {kind: iter(items) for kind, items in self.items.items()}
        for configuration, group in zip(packing, added, strict=True):
            for kind, count in zip(self.kinds, configuration, strict=True):
                group.extend(next(stock[kind]) for _ in range(count))
        return Solution.of(added)

    def _round_down(self, size: int) -> Fraction:
        value = self.epsilon * self.k
        while value * (1 + self.epsilon) <= size:
            value *= 1 + self.epsilon
        return value

    def _level(self, configuration: Configuration) -> Fraction:
        parts = zip(self.kinds, configuration, strict=True)
        return sum((kind.rounded * count for kind, count in parts), Fraction(0))

    def _types(self) -> Iterator[list[Configuration]]:
        """Yield every type once: its configurations in descending order."""
        most = int(sum(self.sizes) / ((1 - 2 * self.epsilon) * self.k))
        empty = (0,) * len(self.kinds)
        for packing in self._packings(self.counts, None, most):
            idle = 0 if self.anchored else most - len(packing)
            for extra in range(idle + 1):
                if packing or extra:
                    yield packing + [empty] * extra

    def _packings(
        self, counts: Configuration, previous: Configuration | None, most: int
    ) -> Iterator[list[Configuration]]:
        if not any(counts):
            yield []
            return
        if most == 0:
            return
        for first in self._configurations(counts):
            if previous is None or first <= previous:
                rest = tuple(a - b for a, b in zip(counts, first, strict=True))
                for others in self._packings(rest, first, most - 1):
                    yield [first, *others]

    def _configurations(self, counts: Configuration) -> Iterator[Configuration]:
        """Yield the bins that can hold the first kind of item left."""
        lead = next(kind for kind, count in enumerate(counts) if count)

        def extend(kind: int, room: Fraction, anchors: int) -> Iterator[Configuration]:
            if kind == len(counts):
                if not self.anchored or anchors == 1:
                    yield ()
                return
            least = 1 if kind == lead else 0
            anchor = self.kinds[kind].anchor
            for count in range(least, counts[kind] + 1):
                left = room - count * self.kinds[kind].rounded
                found = anchors + count * anchor
                if left < 0 or found > 1:
                    return
                for rest in extend(kind + 1, left, found):
                    yield (count, *rest)

        yield from extend(0, Fraction(3 * self.k), 0)

    def _weakly_feasible(self, packing: list[Configuration]) -> bool:
        goal = (1 - self.epsilon) * self.k
        gaps = (max(Fraction(0), goal - self._level(c)) for c in packing)
        return sum(gaps) <= sum(self.sizes[i] for i in self.small)

    def _completion(
        self, packing: list[Configuration]
    ) -> tuple[Number, list[list[int]]]:
        """Return the greatest level of the greedy completion, and what it adds."""
        heap = [(self._level(c), b) for b, c in enumerate(packing)]
        heapify(heap)
        added: list[list[int]] = [[] for _ in packing]
        for item in self.small:
            level, b = heap[0]
            added[b].append(item)
            heapreplace(heap, (level + self.sizes[item], b))
        return max(heap)[0], added
