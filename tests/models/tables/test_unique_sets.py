import random
from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.records import Records
from atleastk.models.tables.unique_sets import unique_sets


def found(rows, missing=(), most=3, looks=10**9):
    codes = np.array(rows, dtype=np.int32).reshape(len(rows), -1)
    records = Records.coded(codes)
    return unique_sets(records, np.isin(records.codes, missing), most, looks)


def by_enumeration(rows, missing, most):
    """Return the rows of every smallest unique set, and the least size of each row."""
    smallest = [[] for _ in rows]
    for size in range(1, most + 1):
        for chosen in combinations(range(len(rows[0])), size):
            for row, mine in zip(rows, smallest, strict=True):
                values = [row[j] for j in chosen]
                if any(v in missing for v in values):
                    continue
                if any(set(less) < set(chosen) for less in mine):
                    continue
                if sum([r[j] for j in chosen] == values for r in rows) == 1:
                    mine.append(chosen)
    sets = [chosen for mine in smallest for chosen in mine]
    counts = {chosen: sets.count(chosen) for chosen in sets}
    joint = [
        sum(any(j in s and len(s) > 1 for s in mine) for mine in smallest)
        for j in range(len(rows[0]))
    ]
    return counts, [len(mine[0]) if mine else 0 for mine in smallest], tuple(joint)


@pytest.mark.parametrize("seed", range(60))
def test_sets_are_those_of_the_definition(seed):
    rng = random.Random(seed)
    n, m, most = rng.randrange(1, 14), rng.randrange(1, 6), rng.randrange(1, 6)
    rows = [[rng.randrange(rng.choice([2, 3, 9])) for _ in range(m)] for _ in range(n)]
    missing = rng.choice([(), (0,)])
    sets = found(rows, missing, most)
    counts, smallest, joint = by_enumeration(rows, missing, min(most, m))
    assert (dict(sets.rows_of), sets.smallest.tolist()) == (counts, smallest)
    assert sets.together == joint
    assert sum(sets.by_size.values()) + sets.left == n


def test_columns_of_many_values_are_sorted_and_not_counted():
    great = 2**31 - 1
    rows = [[great - i // 9, great - i // 3 % 3, great - i % 3, 0] for i in range(27)]
    sets = found(rows, most=4)
    assert (dict(sets.rows_of), sets.left) == ({(0, 1, 2): 27}, 0)


def test_a_size_that_takes_too_long_is_left_out_as_a_whole():
    rows = [[i % 2, i // 2 % 2, i // 4] for i in range(8)]
    sets = found(rows, looks=24)
    assert (sets.size, sets.unlooked, sets.left) == (2, 8, 8)
    assert found(rows, looks=32).by_size == {1: 0, 2: 0, 3: 8}


def test_a_table_without_rows_has_none():
    sets = unique_sets(
        Records.coded(np.empty((0, 2), dtype=np.int32)), np.empty((0, 2), bool), 2, 9
    )
    assert (dict(sets.rows_of), sets.left) == ({}, 0)
