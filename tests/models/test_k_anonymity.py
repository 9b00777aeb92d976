import random

from atleastk import KAnonymity, Solution
from atleastk.models.k_anonymity import check, suppressed
from atleastk.solvers.brute_force.bin_covering import partitions

TABLE = [["a", 1, "x"], ["a", 1, "y"], ["b", 1, "y"], ["b", 2, "y"]]


def verdict(table, k, groups):
    return check(KAnonymity(table, k), Solution.of(groups))


def test_costs_by_hand():
    assert verdict(TABLE, 2, [[0, 1], [2, 3]]).cost == 4
    assert verdict(TABLE, 2, [[0, 1, 2, 3]]).cost == 12
    assert verdict(TABLE, 1, [[0], [1], [2], [3]]).cost == 0
    assert verdict([[5, 6]] * 4, 2, [[0, 1, 2, 3]]).cost == 0


def test_costs_are_those_of_the_published_table():
    rng = random.Random(1)
    for _ in range(20):
        n, m = rng.randint(1, 6), rng.randint(0, 4)
        instance = KAnonymity(
            [[rng.choice([1, "1", "b"]) for _ in range(m)] for _ in range(n)], 1
        )
        for groups in partitions(n):
            hidden = suppressed(instance, Solution.of(groups))
            published = [
                tuple(None if h else c for c, h in zip(row, stars, strict=True))
                for row, stars in zip(instance.table, hidden.tolist(), strict=True)
            ]
            assert verdict(instance.table, 1, groups).cost == hidden.sum()
            for group in groups:
                assert len({published[row] for row in group}) == 1
                for j in range(m):
                    shared = len({instance.table[row][j] for row in group}) == 1
                    assert all(hidden[row, j] != shared for row in group)


def test_a_group_too_small_still_has_a_cost():
    found = verdict(TABLE, 3, [[0, 1, 2], [3]])
    assert (found.cost, found.feasible) == (6, False)
    assert found.violations == ("group 1 has 1 records, below k = 3",)


def test_texts_are_not_numbers():
    assert verdict([["1"], [1]], 2, [[0, 1]]).cost == 2
    assert verdict([["1"], ["1"]], 2, [[0, 1]]).cost == 0
