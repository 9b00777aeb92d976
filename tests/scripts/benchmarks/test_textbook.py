import pytest

from scripts.benchmarks import textbook
from scripts.benchmarks.never_worse import MADE, textbook_cost


@pytest.mark.parametrize("n", [10, 60])
def test_every_family_has_a_heuristic_whose_groups_hold(n):
    for family, make in MADE.items():
        instance = make(n)
        cost = textbook_cost(instance, textbook.HEURISTICS[instance.problem](instance))
        ordered = "order" in family  # which nearest neighbours do not look at
        assert (cost is not None) or ordered, family


def test_bins_have_one_fewer_until_all_reach_k():
    sizes = type("Sizes", (), {"sizes": (5, 5, 4, 4), "k": 6})
    assert sorted(map(sorted, textbook.longest_first(sizes))) == [[0, 2], [1, 3]]


def test_farthest_first_keeps_the_most_centres_that_are_near_enough_to_r():
    points = type("Points", (), {"points": [(0, 0), (0, 1), (9, 0), (9, 2)], "r": 2})
    found = textbook.farthest_first(points)
    assert sorted(map(sorted, found)) == [[0, 1], [2, 3]]
