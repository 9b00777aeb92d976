"""APPROX-DR: as printed it leaves rows; repaired it does not."""

import random
from itertools import product

import numpy as np

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.direct import direct, direct_printed
from atleastk.solvers.tables.listed_table import ListedTable


def printed(table, k):
    records = KAnonymity(table, k).records
    group = direct_printed(ListedTable(closed_patterns(records, k), records, k))
    return group[records.record_of].tolist()


def test_smallest_table_that_is_not_partitioned():
    """Rows 0, 0, 1 with k = 2: row 2 is left. Nothing smaller leaves one."""
    assert printed([[0], [0], [1]], 2) == [0, 0, -1]
    for n, m, k in product(range(1, 3), range(3), range(1, 3)):
        if n < k:
            continue
        for cells in product(range(n), repeat=n * m):
            table = [list(cells[i * m : (i + 1) * m]) for i in range(n)]
            assert -1 not in printed(table, k)


def test_less_than_k_rows_are_left():
    rng = random.Random(1)
    left = 0
    for _ in range(400):
        k = rng.randint(1, 5)
        n, m = rng.randint(k, 30), rng.randint(1, 4)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        records = KAnonymity(table, k).records
        table = ListedTable(closed_patterns(records, k), records, k)
        group = direct_printed(table)
        uncovered = int(records.copies[group < 0].sum())
        assert uncovered < k
        left += uncovered > 0
        sizes = np.bincount(direct(table))
        assert sizes.sum() == n
        assert sizes.min() >= k
    assert left > 50


def test_a_large_group_parts_with_few_rows():
    records = KAnonymity([[0, 0]] * 100 + [[0, 1]], 3).records
    group = direct(ListedTable(closed_patterns(records, 3), records, 3))
    assert sorted(np.bincount(group)) == [3, 98]
