"""First groups, against what is known of them and by brute force."""

from itertools import combinations

import numpy as np
import pytest

import atleastk
from atleastk import KAnonymity
from atleastk.solvers.tables import first_groups
from atleastk.solvers.tables.first_groups import peeled


def drawn(seed, n=40, m=4, values=4):
    rng = np.random.default_rng(seed)
    return [tuple(row) for row in rng.integers(0, values, (n, m)).tolist()]


def groups_of(instance, k):
    return peeled(instance.records, k).solution(instance.records).groups


def hidden_columns(rows, group):
    return sum(len({rows[i][j] for i in group}) > 1 for j in range(len(rows[0])))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("k", [2, 3, 7, 40])
def test_no_row_hides_more_columns_than_any_k_rows_agree_without(seed, k):
    """Unless rows that share fewer columns with it were finished before."""
    rows = drawn(seed)
    instance = KAnonymity(rows, k)
    groups = groups_of(instance, k)
    assert atleastk.check(instance, groups).feasible
    fewest = min(
        size
        for size in range(5)
        for kept in combinations(range(4), 4 - size)
        if max(
            np.unique(np.array(rows)[:, list(kept)], axis=0, return_counts=True)[1],
            default=0,
        )
        >= k
    )
    assert min(hidden_columns(rows, group) for group in groups) == fewest


def test_classes_that_are_there_stay_as_they_are():
    rows = [(1, 1)] * 3 + [(2, 2)] * 4 + [(3, 3)] * 5
    assert groups_of(KAnonymity(rows, 3), 3) == (
        (0, 1, 2),
        (3, 4, 5, 6),
        (7, 8, 9, 10, 11),
    )


def test_rows_that_are_left_join_the_group_that_loses_least():
    rows = [(1, 1)] * 5 + [(2, 2)] * 3 + [(3, 3)]
    groups = groups_of(KAnonymity(rows, 3), 3)
    assert groups == ((0, 1, 2, 3, 4), (5, 6, 7, 8))


def test_columns_of_most_information_are_hidden_first():
    rows = [(i, i % 2, 0) for i in range(6)]
    groups = groups_of(KAnonymity(rows, 3), 3)
    assert groups == ((0, 2, 4), (1, 3, 5))


@pytest.mark.parametrize("limit", ["MOST_IDLE", "_MOST_PEELED"])
def test_rows_that_no_set_reaches_are_neighbours(monkeypatch, limit):
    monkeypatch.setattr(first_groups, limit, 0)
    instance = KAnonymity(drawn(1), 3)
    groups = groups_of(instance, 3)
    assert atleastk.check(instance, groups).feasible
    assert len(groups) == 13
