import numpy as np
import pytest

from atleastk.instances.suppression import Suppression
from atleastk.solvers.suppression.row_reassignment import within_star_limit
from scripts.combined_wishes import partitions


def most_stars(table, groups):
    values = np.array(table)
    stars = ((values[list(g)] != values[g[0]]).any(axis=0).sum() for g in groups)
    return max(map(int, stars))


@pytest.mark.parametrize("seed", range(60))
def test_groups_have_no_more_stars_than_they_may(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 4))
    n, m = int(rng.integers(2 * k, 8)), int(rng.integers(1, 5))
    table = rng.integers(0, 3, (n, m)).tolist()
    table = [[0, *row] for row in table]
    instance = Suppression(table, k, intact=[0])
    known = list(partitions(range(n), k))
    least = min(most_stars(table, groups) for groups in known)
    start = known[int(rng.integers(len(known)))]
    for most in range(m + 1):
        groups = within_star_limit(instance, start, most)
        if groups is not None:
            assert sorted(i for group in groups for i in group) == list(range(n))
            assert min(map(len, groups)) >= k
            assert least <= most_stars(table, groups) <= most


def test_rows_that_fit_nowhere_are_grouped_anew():
    table = [[1, 0], [0, 1], [1, 0], [0, 1]]
    groups = within_star_limit(Suppression(table, 2), [[0, 1], [2, 3]], 0)
    assert sorted(map(sorted, groups)) == [[0, 2], [1, 3]]


def test_what_is_left_of_a_group_joins_others():
    """Row 0 takes row 2 out of a group of two; row 3 follows row 1."""
    table = [[1, 0], [0, 1], [1, 1], [0, 1]]
    groups = within_star_limit(Suppression(table, 2), [[0, 1], [2, 3]], 1)
    assert sorted(map(sorted, groups)) == [[0, 2], [1, 3]]


def test_groups_of_more_rows_spare_some():
    """Row 5 is next to row 2 alone, of a group of three with other columns."""
    table = [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 1],
        [0, 1, 1],
        [0, 1, 1],
        [5, 0, 1],
        [0, 1, 1],
    ]
    groups = within_star_limit(Suppression(table, 2), [[0, 1, 2], [3, 4], [5, 6]], 1)
    assert sorted(map(sorted, groups)) == [[0, 1], [2, 5], [3, 4, 6]]


def test_rows_without_near_ones_are_left_alone():
    table = [[0, 0], [0, 0], [1, 1], [2, 2]]
    assert within_star_limit(Suppression(table, 2), [[0, 1], [2, 3]], 1) is None


def test_intact_columns_stay_without_stars():
    """Row 2 fits nowhere else: the rows next to it differ in the intact column."""
    table = [[0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 2], [1, 1, 1], [1, 1, 1]]
    start = [[0, 1], [2, 3], [4, 5]]
    assert within_star_limit(Suppression(table, 2, intact=[0]), start, 1) is None
    assert within_star_limit(Suppression(table, 2), start, 1) is not None
