import pytest


@pytest.fixture
def made(script):
    return script("benchmarks.never_worse").MADE


@pytest.mark.parametrize("n", [10, 60])
def test_every_family_has_a_heuristic_whose_groups_hold(script, made, n):
    cost_of = script("benchmarks.never_worse").textbook_cost
    textbook = script("benchmarks.textbook")
    for family, make in made.items():
        instance = make(n)
        cost = cost_of(instance, textbook.HEURISTICS[instance.problem](instance))
        ordered = "order" in family  # which nearest neighbours do not look at
        assert (cost is not None) or ordered, family


def test_bins_have_one_fewer_until_all_reach_k(script):
    instance = script("benchmarks.textbook")
    sizes = type("Sizes", (), {"sizes": (5, 5, 4, 4), "k": 6})
    assert sorted(map(sorted, instance.longest_first(sizes))) == [[0, 2], [1, 3]]


def test_farthest_first_keeps_the_most_centres_that_are_near_enough_to_r(script):
    points = type("Points", (), {"points": [(0, 0), (0, 1), (9, 0), (9, 2)], "r": 2})
    found = script("benchmarks.textbook").farthest_first(points)
    assert sorted(map(sorted, found)) == [[0, 1], [2, 3]]
