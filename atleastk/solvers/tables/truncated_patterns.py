"""Closed patterns of a table whose full list would be too long: the cheap ones.

All closed patterns whose stars cost at most 0, 1, 2, ..., as many levels as fit. Every
other pattern costs its rows more, so bounds stay valid with ``Patterns.reach`` set to
the last level: no weight is above the next cost, and no dearer pattern gains by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import groupby, islice
from operator import itemgetter

import numpy as np

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
    whole = closed_patterns(records, max(records.n, k), records.distinct)
    assert whole is not None
    levels: list[Patterns] = []
    room, cells, reach = most_pairs, 0, -1
    for cost, hidden in groupby(sets_by_price(records.price.tolist()), itemgetter(0)):
        fits = (_MOST_CELLS - cells) // max(1, records.codes.size)
        sets = [columns for _, columns in islice(hidden, fits + 1)]
        cells += len(sets) * records.codes.size
        found = None if cells > _MOST_CELLS else level(records, k, sets, budget)
        if found is None or found.pairs > room or cost == records.most:
            break
        room -= found.pairs
        levels.append(found)
        reach = cost
    return joined([*levels, whole.where(whole.stars > reach)], reach)


def level(
    records: Records, k: int, sets: Iterable[tuple[int, ...]], budget: Budget
) -> Patterns | None:
    """Return the closed patterns of support at least k with stars in just these sets.

    None if the budget is spent before.
    """
    found: list[Patterns] = []
    for hidden in sets:
        if budget.spent:
            return None
        found.append(with_stars(records, k, hidden))
    return joined(found, reach=-1)


def sets_by_price(prices: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield all sets of columns with their prices, the cheapest first."""
    order = sorted(range(len(prices)), key=prices.__getitem__)
    heap: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while heap:
        cost, places = heappop(heap)
        yield cost, tuple(order[place] for place in places)
        last = places[-1] if places else -1
        if last + 1 == len(order):
            continue
        # The next column joins, and it takes the place of the last: all sets once.
        more = prices[order[last + 1]]
        heappush(heap, (cost + more, (*places, last + 1)))
        if places:
            other = cost + more - prices[order[last]]
            heappush(heap, (other, (*places[:-1], last + 1)))


def with_stars(
    records: Records, k: int, hidden: tuple[int, ...], *, closed: bool = True
) -> Patterns:
    """Return the patterns of support at least k with these stars, by default closed."""
    kept = [j for j in range(records.m) if j not in hidden]
    _, home = distinct_rows(records.codes[:, kept])
    order = np.argsort(home, kind="stable").astype(np.int32)
    lengths = np.bincount(home)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    support = np.add.reduceat(records.copies[order], starts[:-1])
    chosen = support >= k
    for column in hidden if closed else ():
        values = records.codes[order, column]
        least = np.minimum.reduceat(values, starts[:-1])
        chosen &= np.maximum.reduceat(values, starts[:-1]) > least
    everything = Patterns(
        stars=np.full(len(support), records.price[list(hidden)].sum(), dtype=np.int32),
        kept=np.full(len(support), sum(1 << j for j in kept), dtype=np.int64),
        support=support,
        starts=starts,
        records=order,
        reach=-1,
    )
    return everything.where(chosen)


def joined(parts: list[Patterns], reach: int) -> Patterns:
    """Return the patterns of several lists."""
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return Patterns(
        stars=np.concatenate([part.stars for part in parts]),
        kept=np.concatenate([part.kept for part in parts]),
        support=np.concatenate([part.support for part in parts]),
        starts=np.concatenate(([0], np.cumsum(lengths))),
        records=np.concatenate([part.records for part in parts]),
        reach=reach,
    )
