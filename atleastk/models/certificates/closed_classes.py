"""The nodes of a lattice with their classes, and bounds by weights of closed ones.

Every column of a table has labels at the levels 0, ..., h - 1, and one label for all at
its height h. A *node* is a level of every column; its classes are the records that
agree there. Suppression is the case of height 1. A class is *closed* if its records
share no lower level of some column: that is, a closed pattern.

Theorem
-------
Let u_t be integers, one per record, D > 0, and let a row of record t pay w_t times the
price of its node. Let V be the greatest sum of u_t - D w_t (price) over k or more rows
of a class: the k greatest terms, and all further positive ones. Then D times the cost
of every solution is at least the sum of u over all rows, less the sum of max(0, V) over
all closed classes of k rows or more.

Proof. Let the groups of a solution that are published alike be merged. Each is then in
a closed class, used once, which it costs no more to use; add up what the groups pay.

If rows may be dropped and pay nothing then, d of them at most, the sum of the d
greatest max(0, u_t) is subtracted, too: so much less do the others pay.

Time O(N D log D) for N nodes and D records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.certificates.weights import expect_safe
from atleastk.models.in_time import look_up

Labels = Sequence[Int32Array]
"""By column the numbered labels of the records at the levels below the top, [level,
record]."""


def nodes(
    labels: Labels, distinct: int, apart: IntArray | None = None
) -> Iterator[tuple[tuple[int, ...], IntArray]]:
    """Yield every node, with the class of every record, numbered from 0; top first.

    `apart` are the classes of the top, if that is not one.
    """
    stack: list[tuple[tuple[int, ...], IntArray]]
    top = np.zeros(distinct, dtype=np.int64) if apart is None else apart
    stack = [((), top)] if distinct else []
    while stack:
        look_up()
        levels, classes = stack.pop()
        if len(levels) == len(labels):
            yield levels, classes
            continue
        below = labels[len(levels)]
        for level, own in enumerate(below):
            keys = classes * (int(own.max()) + 1) + own
            finer = np.unique(keys, return_inverse=True)[1].reshape(distinct)
            stack.append(((*levels, level), finer.astype(np.int64)))
        stack.append(((*levels, len(below)), classes))


def proven_by(
    weights: Sequence[int],
    scale: int,
    labels: Labels,
    prices: Sequence[int],
    records: Records,
    k: int,
    most_dropped: int = 0,
    apart: IntArray | None = None,
    base: int = 0,
) -> int:
    """Return the bound that weights of the records prove; `prices` are of a level.

    Where levels are limited, `labels` are those between the limits, `apart` are the
    classes at the greatest levels, and `base` is what the least ones cost.
    """
    pairs = zip(prices, labels, strict=True)
    dearest = 1 + base + sum(price * len(below) for price, below in pairs)
    dearest *= int(records.worth.max(initial=1))
    heaviest = max(map(abs, weights), default=0) + scale * dearest
    expect_safe((records.n + k) * heaviest)
    plain = np.array(weights, dtype=np.int64)
    pairs_of_rows = zip(records.copies.tolist(), weights, strict=True)
    total: int = sum(count * weight for count, weight in pairs_of_rows)
    for levels, classes in nodes(labels, records.distinct, apart):
        price = base + sum(p * level for p, level in zip(prices, levels, strict=True))
        terms = plain - scale * price * records.worth
        total -= _worth_of_closed(labels, levels, classes, terms, records.copies, k)
    total -= worth_of_dropped(plain, records.copies, most_dropped)
    return -(-total // scale)


def worth_of_dropped(weights: IntArray, copies: IntArray, most: int) -> int:
    """Return the sum of the greatest positive weights of so many rows."""
    return int((dearest(weights, copies, most) * np.maximum(weights, 0)).sum())


def dearest(weights: IntArray, copies: IntArray, most: int) -> IntArray:
    """Return how many copies of each record are among so many of greatest weights."""
    order = np.argsort(-weights, kind="stable")
    before = np.cumsum(copies[order]) - copies[order]
    taken = np.empty_like(copies)
    taken[order] = np.clip(min(most, int(copies.sum())) - before, 0, copies[order])
    return taken


def greatest_values(
    terms: IntArray, copies: IntArray, starts: IntArray, k: int
) -> tuple[IntArray, IntArray]:
    """Return the greatest sums of k or more terms, and the number of rows, by class.

    Classes begin at `starts`, and the terms of each decrease.
    """
    before = np.cumsum(copies) - copies
    before -= np.repeat(before[starts], np.diff(starts, append=len(copies)))
    taken = np.where(terms > 0, copies, np.clip(k - before, 0, copies))
    return np.add.reduceat(taken * terms, starts), np.add.reduceat(copies, starts)


def _worth_of_closed(
    labels: Labels,
    levels: Sequence[int],
    classes: IntArray,
    terms: IntArray,
    copies: IntArray,
    k: int,
) -> int:
    """Return the sum of max(0, V) over the closed classes of a node."""
    order = np.lexsort((-terms, classes))
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    values, support = greatest_values(terms[order], copies[order], starts, k)
    counts = (values > 0) & (support >= k)
    if not counts.any():
        return 0
    lengths = np.diff(starts, append=len(order))
    members = order[np.repeat(counts, lengths)]
    ends = np.cumsum(lengths[counts])
    shared = np.zeros(len(ends), dtype=np.bool_)
    for below, level in zip(labels, levels, strict=True):
        if level:
            own = below[level - 1][members]
            least = np.minimum.reduceat(own, ends - lengths[counts])
            shared |= least == np.maximum.reduceat(own, ends - lengths[counts])
    return int(values[counts][~shared].sum())
