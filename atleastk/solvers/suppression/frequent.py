"""All frequent patterns of a table, closed or not.

For every set of columns the row kinds are grouped by their values on the others; groups
of k rows or more are the patterns with stars on that set.

Time: O(2^m m D log D) for D row kinds over m columns; space: the pairs.
"""

from __future__ import annotations

import numpy as np

from atleastk.instances.records import Records, distinct_rows
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget


def frequent_patterns(
    records: Records, k: int, forbidden: int, budget: Budget, most_pairs: int
) -> Patterns | None:
    """Return all patterns of support at least k, by increasing stars.

    None if they have more than `most_pairs` pairs with matching records, or if the
    budget ends first.

    Parameters
    ----------
    records
        Row kinds with their copies; codes may repeat.
    forbidden
        The columns without a star, as the bits of an integer.
    """
    m, codes = records.m, np.ascontiguousarray(records.codes)
    masks = [mask for mask in range(1 << m) if mask & forbidden == 0]
    kept, supports, lengths, members = [], [], [], []
    pairs = 0
    for hidden in sorted(masks, key=int.bit_count):
        if budget.spent:
            return None
        columns = [j for j in range(m) if not hidden >> j & 1]
        group_of = distinct_rows(codes[:, columns])[1]
        support = np.bincount(group_of, weights=records.copies).astype(np.int64)
        frequent = support >= k
        order = np.argsort(group_of, kind="stable")
        listed = order[frequent[group_of[order]]]
        pairs += len(listed)
        if pairs > most_pairs:
            return None
        members.append(listed.astype(np.int32))
        lengths.append(np.bincount(group_of)[frequent])
        supports.append(support[frequent])
        mask = ((1 << m) - 1) ^ hidden
        kept.append(np.full(int(frequent.sum()), mask, dtype=np.int64))
    all_kept = np.concatenate(kept)
    return Patterns(
        stars=(m - np.bitwise_count(all_kept)).astype(np.int32),
        kept=all_kept,
        support=np.concatenate(supports),
        starts=np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(
            np.int64
        ),
        records=np.concatenate(members),
        reach=m,
    )
