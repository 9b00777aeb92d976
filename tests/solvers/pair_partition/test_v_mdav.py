"""V-MDAV: groups of varying size, by hand and by what they always are."""

import numpy as np

import atleastk
from atleastk.instances.generators.pair_partition import points
from atleastk.instances.pair_partition import PairPartition
from atleastk.solvers.pair_partition.algorithms import v_mdav


def grown(places, k, gamma):
    costs = np.square(np.subtract.outer(places, places))
    made = v_mdav.grown_groups(costs.__getitem__, costs.sum(axis=1), k, gamma)
    return sorted(map(sorted, made))


def test_what_is_near_a_group_joins_it():
    """0, 1, 2 are a group at k = 2 if 1, the way of 2, is below gamma times 8."""
    places = [0, 1, 2, 10, 11, 12]
    assert grown(places, 2, 0.0) == [[0, 1], [2, 3], [4, 5]]
    assert grown(places, 2, 0.2) == [[0, 1, 2], [3, 4, 5]]
    assert grown([0, 1, 2, 3], 2, 1.0) == [[0, 1], [2, 3]]
    assert grown([0, 1, 2, 3], 2, 1.1) == [[0, 1, 2, 3]]


def test_those_left_over_join_their_nearest():
    assert grown([0, 1, 5, 8, 9], 2, 0.2) == [[0, 1], [2, 3, 4]]
    assert grown([3, 4], 3, 0.2) == [[0, 1]]


def test_many_points_need_no_matrix(monkeypatch):
    instance = points(3, n=60, k=3, dimension=2)
    by_matrix = v_mdav.v_mdav(instance)
    monkeypatch.setattr(v_mdav, "MOST_PAIRED", 10)
    assert v_mdav.v_mdav(instance) == by_matrix


def test_clustered_points_are_grouped_as_they_are():
    """Clusters of 5 at k = 3: groups of 3 and what is left cannot be it."""
    places = [[100 * c + i, 0] for c in range(4) for i in range(5)]
    instance = PairPartition(points=places, k=3, objective="squares")
    best = atleastk.solve(instance, workers=1).cost
    assert atleastk.approximate(instance, "v-mdav").cost == best == 40
    assert atleastk.approximate(instance, "mdav").cost > best
