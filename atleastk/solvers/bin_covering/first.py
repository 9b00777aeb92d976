"""Bin covering: what needs no search."""

from __future__ import annotations

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import most_bins
from atleastk.models.covering import is_feasible
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.search import Search

__all__ = ["closed_at_once", "part_counts"]


def closed_at_once(search: Search[BinCovering], source: str) -> bool:
    """Close the search if there are no items or too few; tell whether it is closed."""
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
