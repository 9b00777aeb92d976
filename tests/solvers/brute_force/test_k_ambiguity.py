import pytest

from atleastk import KAmbiguity, NotApplicableError
from atleastk.instances.generators.k_ambiguity import seven_people
from atleastk.solvers.brute_force.k_ambiguity import is_ambiguous, optimum


@pytest.mark.parametrize(
    ("table", "k", "best"),
    [
        ([[0], [1]], 2, 1),
        ([[0], [1], [2]], 3, 2),
        ([[0, 0], [0, 1]], 2, 1),
        ([[0, 0], [1, 1]], 1, 0),
        ([["1"], [1]], 2, 1),
        ([["*"], ["a"]], 2, 1),
        ([[0, 0, 0], [1, 1, 1], [2, 2, 2]], 2, 3),
    ],
)
def test_known_answers(table, k, best):
    cost, hidden = optimum(KAmbiguity(table, k))
    assert cost == best == len(hidden)
    assert is_ambiguous(table, k, hidden)


def test_the_figure_of_the_thesis_is_optimal():
    instance = seven_people(0)
    assert is_ambiguous(instance.table, 2, ((2, 2), (3, 0), (3, 1), (3, 3)))
    assert optimum(instance, most_cells=28)[0] == 4


def test_limits():
    assert optimum(KAmbiguity([[0], [0]], 3)) is None
    assert optimum(KAmbiguity([], 3)) == (0, ())
    with pytest.raises(NotApplicableError, match="at most 14 cells, got 15"):
        optimum(KAmbiguity([[0] * 5] * 3, 2))
