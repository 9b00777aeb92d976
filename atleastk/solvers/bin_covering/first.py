"""Bin covering: trivial answers and start heuristics, without any search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import most_bins
from atleastk.models.covering import is_feasible
from atleastk.models.results.solution import Solution
from atleastk.solvers.bin_covering.algorithms.longest_first import longest_first
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.search import Search

_EXACTLY: Final = 10_000
"""Items for which every number of bins is tried: 0.1 s."""

_COARSE: Final = 32
"""Of more there may be fewer bins than longest first fills, by 1 in 32: not tuned."""


def first_answers(instance: BinCovering) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if the items are too few."""
    if not instance.n:
        yield "no items", Solution(())
    elif is_feasible(instance):
        yield "one bin", Solution.of([range(instance.n)])
        coarse = 1
        if instance.n > _EXACTLY:
            coarse += most_bins(instance) // _COARSE
        placed = longest_first(instance, precision=coarse, plainly=True)
        yield "longest first", placed


def closed_at_once(search: Search[BinCovering], source: str) -> bool:
    """Close the search of no items or too few; return whether it is closed."""
    if not is_feasible(search.instance):
        search.close_infeasible(source, {"kind": "total"})
    elif not search.instance.n:
        search.offer([], source)
        search.raise_bound(0, source, {"kind": "counting"})
    return search.closed


def part_counts(search: Search[BinCovering]) -> PartCounts:
    """Return the levels that counting leaves open below the cost of one bin."""
    instance = search.instance
    search.offer([range(instance.n)], "one bin")
    counts = PartCounts(
        instance.total, instance.k, max(instance.sizes), most_bins(instance)
    )
    counts.cap(search.cost or 0)
    return counts
