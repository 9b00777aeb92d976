"""Bin covering: trivial answers and start heuristics, without any search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import most_bins
from atleastk.models.covering import is_feasible
from atleastk.models.results.solution import Solution
from atleastk.solvers.bin_covering.algorithms.longest_first import (
    gallop,
    longest_first,
)
from atleastk.solvers.bin_covering.rows import MOST_SHORT, in_rows
from atleastk.solvers.compiled.rows import WORD
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.search import Search

_FEW: Final = 10_000
"""Items for which every number of bins is tried: 0.1 s."""

_FINE: Final = 2_000
"""Of more there may be fewer bins than would do, by 1 in 2000: a million take 0.5 s."""

_MANY: Final = 200_000
_EVERY: Final = 16
"""Items of which a sample is tried first, and the share of it."""

_PASSES: Final = 4
"""How often rows are put in again: a million items take 0.3 s."""

_ROWS: Final = {"whole rows": 1, "half rows": 2}
"""The parts of the bins that a row of items goes to, one after the other: all at once
where bins hold few items, half where some items are as large as bins."""


def first_answers(instance: BinCovering) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if the items are too few."""
    if not instance.n:
        yield "no items", Solution(())
    elif is_feasible(instance):
        yield "one bin", Solution.labelled(np.zeros(instance.n, dtype=np.int64))
        short = instance.n > MOST_SHORT * most_bins(instance)
        if instance.n <= _FEW or instance.total >= WORD or short:
            placed = longest_first(instance, plainly=instance.n <= _FEW)
            yield "longest first", placed
        if instance.total < WORD and not short:
            for name, share in _ROWS.items():
                yield name, row_by_row(instance, share)


def row_by_row(instance: BinCovering, share: int = 1) -> Solution:
    """Put rows of items into the emptiest bins, again and again; O(n log n) a number.

    The number of bins is found by doubling steps and bisection, to within 1 in 2000 of
    the most.
    """
    sizes, labels = instance.amounts[instance.longest], np.zeros_like(instance.longest)
    homes = _homes(sizes, instance.k, share, most_bins(instance))
    if homes is not None:
        labels[instance.longest] = homes
    return Solution.labelled(labels)


def _homes(sizes: IntArray, k: int, share: int, most: int) -> IntArray | None:
    """Return the bins of items, longest first, that rows fill to k; None if none are.

    Of very many items a sample, every so many-th, says where to begin: where as many
    bins for each of its own, and one more, would be.
    """

    def reach(levels: IntArray) -> bool:
        return bool(levels.min() >= k)

    def attempt(bins: int) -> IntArray | None:
        homes, levels = in_rows(sizes, bins, share, _PASSES, reach)
        return homes if reach(levels) else None

    if len(sizes) > _MANY:
        some = _homes(sizes[::_EVERY], k, share, most // _EVERY)
        if some is not None:
            most = min(most, _EVERY * (int(some.max()) + 2))
    return gallop(most, attempt, max(1, most // _FINE))


def begin(search: Search[BinCovering], source: str) -> bool:
    """Close the search of no items or too few; return whether work is left."""
    if not is_feasible(search.instance):
        search.close_infeasible(source, {"kind": "total"})
    elif not search.instance.n:
        search.offer([], source)
        search.raise_bound(0, source, {"kind": "counting"})
    return not search.closed


def part_counts(search: Search[BinCovering]) -> PartCounts:
    """Return the levels that counting leaves open below the cost of one bin."""
    instance = search.instance
    if search.cost is None:
        search.offer([range(instance.n)], "one bin")
    counts = PartCounts(
        instance.total, instance.k, max(instance.sizes), most_bins(instance)
    )
    counts.cap(search.cost or 0)
    return counts
