"""Closed patterns of a table whose full list would be too long.

Two lists, each of which is complete in its own sense:

- *by stars*: all closed patterns of 0, 1, 2, ... stars, as many levels as fit. Every
  other pattern costs its rows at least one star more, so bounds stay valid with
  ``Patterns.reach`` set to the last level;
- *by support*: all closed patterns of support at least some k' > k, for the rows that
  few stars cannot cover. Solutions need nothing but valid patterns.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.instances.records import Records, distinct_rows
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.closed_patterns import closed_patterns

_MOST_CELLS = 2_000_000_000
"""The most cells that are sorted to list patterns by stars: more take too long."""


def truncated_patterns(
    records: Records, k: int, budget: Budget, most_pairs: int
) -> Patterns:
    """Return closed patterns of support at least k, truncated as above.

    The pattern that all rows match is always there, if there are k rows. It alone may
    take more than `most_pairs` pairs.
    """
    room = most_pairs // 2
    frequent = None
    support = 2 * k
    while frequent is None:
        least = records.n if budget.spent else min(support, records.n)
        few = budget if least < records.n else None
        frequent = closed_patterns(records, least, max(room, records.distinct), few)
        support *= 2
    levels: list[Patterns] = []
    cells = 0
    for stars in range(records.m):
        cells += comb(records.m, stars) * records.codes.size
        found = None if cells > _MOST_CELLS else level(records, k, stars, budget)
        if found is None or found.pairs > room:
            break
        room -= found.pairs
        levels.append(found)
    reach = len(levels) - 1
    beyond = _chosen(frequent, frequent.stars > reach)
    return _joined([*levels, beyond], reach)


def level(records: Records, k: int, stars: int, budget: Budget) -> Patterns | None:
    """Return the closed patterns of support at least k with exactly `stars` stars.

    None if the budget is spent before.
    """
    found: list[Patterns] = []
    for kept in combinations(range(records.m), records.m - stars):
        if budget.spent:
            return None
        found.append(_with_kept(records, k, kept))
    return _joined(found, reach=-1)


def _with_kept(records: Records, k: int, kept: tuple[int, ...]) -> Patterns:
    """Return the closed patterns of support at least k that keep just these columns."""
    chosen = list(kept)
    _, home = distinct_rows(records.codes[:, chosen])
    order = np.argsort(home, kind="stable").astype(np.int32)
    lengths = np.bincount(home)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    support = np.add.reduceat(records.copies[order], starts[:-1])
    closed = support >= k
    for column in set(range(records.m)) - set(kept):
        values = records.codes[order, column]
        least = np.minimum.reduceat(values, starts[:-1])
        closed &= np.maximum.reduceat(values, starts[:-1]) > least
    everything = Patterns(
        stars=np.full(len(support), records.m - len(kept), dtype=np.int32),
        kept=np.full(len(support), sum(1 << c for c in kept), dtype=np.int64),
        support=support,
        starts=starts,
        records=order,
        reach=-1,
    )
    return _chosen(everything, closed)


def _chosen(patterns: Patterns, mask: BoolArray) -> Patterns:
    lengths = np.diff(patterns.starts)
    return Patterns(
        stars=patterns.stars[mask],
        kept=patterns.kept[mask],
        support=patterns.support[mask],
        starts=np.concatenate(([0], np.cumsum(lengths[mask]))),
        records=patterns.records[np.repeat(mask, lengths)],
        reach=patterns.reach,
    )


def _joined(parts: list[Patterns], reach: int) -> Patterns:
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return Patterns(
        stars=np.concatenate([part.stars for part in parts]),
        kept=np.concatenate([part.kept for part in parts]),
        support=np.concatenate([part.support for part in parts]),
        starts=np.concatenate(([0], np.cumsum(lengths))),
        records=np.concatenate([part.records for part in parts]),
        reach=reach,
    )
