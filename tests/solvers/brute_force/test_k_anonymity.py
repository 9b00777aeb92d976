import pytest

from atleastk import KAnonymity, NotApplicableError
from atleastk.solvers.brute_force.k_anonymity import ROWS, optimum


def test_costs_by_hand():
    table = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    assert optimum(KAnonymity(table, 2)) == (4, [[0, 1], [2, 3]])
    assert optimum(KAnonymity([*table, [1, 1, 2]], 2))[0] == 5
    assert optimum(KAnonymity(table, 3))[0] == 12
    assert optimum(KAnonymity(table, 1))[0] == 0


def test_untouched_copies_are_not_always_best():
    """Three equal rows may have to give some of them away, though k = 3."""
    ones = [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    table = [[0, 0, 0]] * 3 + [row for row in ones for _ in range(2)]
    assert optimum(KAnonymity(table, 3))[0] == 9


def test_texts_are_not_numbers():
    assert optimum(KAnonymity([["1"], [1]], 2))[0] == 2
    assert optimum(KAnonymity([[1], [1]], 2))[0] == 0


def test_limits():
    assert optimum(KAnonymity([], 2)) == (0, [])
    assert optimum(KAnonymity([[1]], 2)) is None
    assert optimum(KAnonymity([[], []], 2))[0] == 0
    with pytest.raises(NotApplicableError, match="at most 10 rows, got 11"):
        optimum(KAnonymity([[1]] * (ROWS + 1), 1))
