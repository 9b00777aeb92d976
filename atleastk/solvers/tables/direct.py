"""APPROX-DR [ParkShim07, section 4.5]: closed patterns by stars, no second phase.

Takes the closed patterns by increasing stars. The rows of a pattern that are in no
group yet become a group if there are at least k. Of equal stars the pattern of least
support is first: the text leaves it open. On Adult it saved 0.6 to 1.0 % against the
order of the miner, and orders differed by 2 %. The paper has no promise for it.

Theorem: cost <= (1 + (k - 1) (m + 2k - 2)) / k * OPT. On ``worst-strays`` it is (2k +
(k - 1) m) / (3k - 1) * OPT.

Proof. Let a group S of an optimum have a stars. If a = 0, its rows are taken together,
without any. Else less than k have more than a in the end, and m at most, or they had
been enough for the pattern of S. That is a share of at most (1 + (k - 1) m) / k of what
S costs. Less than k rows are left. One of S joins a group with another row of S at
worst, for m stars and a more for each of the 2k - 2 rows there: (k - 1) (2k - 2) a in
all for the greatest a, and OPT >= k a.

Theorem: on ``worst-transversals`` it is a / (a + 1) (1 + H(k - 1)) at least, where
a = (k - 1)! and H(s) = 1 + 1/2 + ... + 1/s; so it grows like ln k.

Proof. Its k groups of k rows have a + 1 stars each. Rows of several groups have the a
stars that tell groups apart, one more unless all have the same number, and stars in all
own columns with a one. So the first rows of all groups come first, with a stars, and
then no group has k rows left. Say that the s last of each are left. As coordinates of
a product are independent, t of them have ones in a share 1 - (1 - 1/s_1) ... (1 -
1/s_t) of the a own columns, which is least for the first t, and telescopes to t / s. So
any k rows left have a + a k / s stars at least, and of all that have the same number
the first row left of every group has just that: it is taken next. In all, a group costs
a + (a + a k / (k - 1)) + ... + (a + a k / 1) = a k (1 + H(k - 1)), against (a + 1) k.

As printed
----------
The loop of the text (OPT-LB with |S'| >= k in place of |S'| > 0) runs until all rows
are covered, and 1..k-1 rows may remain that no pattern can cover. Smallest case: the
rows 0, 0, 1 and k = 2 leave row 2. :func:`direct_printed` returns these rows;
:func:`direct` gives each of them to the group where it costs least. A group of 2k - 1
rows or more parts with just k - 1 of its rows for it.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.joining import join_cheapest
from atleastk.solvers.tables.listed_table import ListedTable


def direct(table: ListedTable) -> IntArray:
    """Return the group of every row of a feasible table, in the order of records."""
    records, k = table.records, table.k
    group = np.repeat(direct_printed(table), records.copies)
    left = np.flatnonzero(group < 0)
    if len(left) == 0:
        return group
    codes = np.repeat(records.codes, records.copies, axis=0)
    worth = np.ones(len(group), dtype=np.int64)
    join_cheapest(left.tolist(), group, codes, records.price, worth, k)
    return group


def direct_printed(table: ListedTable) -> IntArray:
    """Return the group of every distinct record; -1 if it is left uncovered."""
    patterns = table.patterns
    order = np.lexsort((patterns.support, patterns.stars))
    parts = order, patterns.starts, patterns.records, table.records.copies
    return _direct(*parts, table.k)


@compiled
def _direct(
    order: IntArray,
    starts: IntArray,
    members: Int32Array,
    copies: IntArray,
    k: int,
) -> IntArray:
    group = np.full(len(copies), -1, dtype=np.int64)
    missing, found = np.sum(copies), 0
    for p in order:
        if missing < k:
            break
        fresh = 0
        for i in range(starts[p], starts[p + 1]):
            if group[members[i]] < 0:
                fresh += copies[members[i]]
        if fresh >= k:
            for i in range(starts[p], starts[p + 1]):
                if group[members[i]] < 0:
                    group[members[i]] = found
            found += 1
            missing -= fresh
    return group
