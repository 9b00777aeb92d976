import random

import numpy as np
import pytest
from searching import search_of

from atleastk import CellularClustering, Solution
from atleastk.models.cellular_clustering import check
from atleastk.solvers.cellular_clustering.first import begin
from atleastk.solvers.clustering.blocks import as_cut, centred, cut_up, halved


def in_the_plane(n, seed=1, **fields):
    rng = random.Random(seed)
    points = [[rng.randrange(10_000), rng.randrange(10_000)] for _ in range(n)]
    return CellularClustering(points=points, metric="euclidean", **fields)


def in_blocks(instance):
    return as_cut(instance, *cut_up(instance))


def nearest_points(instance):
    points, left, groups = np.array(instance.points), np.arange(instance.n), []
    while len(left) >= 2 * instance.r:
        far = ((points[left] - points[left[0]]) ** 2).sum(axis=1)
        taken = np.argsort(far, kind="stable")[: instance.r]
        groups.append(left[taken].tolist())
        left = np.delete(left, taken)
    return Solution.of([*groups, left.tolist()])


@pytest.mark.parametrize("centres", ["input", "member", "any"])
@pytest.mark.parametrize("fields", [{}, {"max_clusters": 7}], ids=str)
def test_blocks_are_a_solution_of_the_cost_said(centres, fields):
    for r in (1, 2, 5, 30):
        instance = in_the_plane(97, r=r, centres=centres, **fields)
        verdict = check(instance, in_blocks(instance))
        assert verdict.feasible
        assert verdict.cost == centred(instance, cut_up(instance)[0])[1]


@pytest.mark.parametrize("metric", ["manhattan", "hamming", "great-circle"])
def test_blocks_of_other_spaces(metric):
    points = [[x % 90, x * 7 % 50] for x in range(60)]
    instance = CellularClustering(points=points, metric=metric, r=4)
    assert check(instance, in_blocks(instance)).feasible


def test_dear_centres_ask_for_larger_blocks():
    instance = in_the_plane(200, r=2, facility_costs=[10**7] * 200)
    assert len(in_blocks(instance).groups) == 1


@pytest.mark.parametrize(("n", "axes"), [(0, 2), (3, 2), (61, 1), (96, 70), (127, 3)])
@pytest.mark.parametrize("least", [1, 4, 7])
def test_halves_are_blocks_of_all_points(n, axes, least):
    order, starts = halved(np.random.default_rng(n).random((n, axes)), least)
    sizes = np.diff(starts)
    assert sorted(order) == [*range(n)]
    assert (starts[0], starts[-1]) == (0, n)
    assert n < least or (least <= sizes.min() and sizes.max() < 2 * least)


@pytest.mark.parametrize("least", [2, 3, 5])
@pytest.mark.parametrize("rare", [0, 1, 2, 30])
def test_points_with_copies_are_blocks_of_their_own(least, rare):
    """Of all but the nearest of these, where too few others are left."""
    rng = np.random.default_rng(least + rare)
    often = np.repeat(rng.integers(-20, 20, (25, 2)) * 2.0, 14, axis=0)
    places = np.concatenate((often, rng.integers(-20, 20, (rare, 2)) * 2.0 + 1))
    places[::2] *= -1.0  # of 0.0 as well
    places = places[rng.permutation(len(places))]
    order, starts = halved(places, least)
    sizes, groups = np.diff(starts), np.split(places[order], starts[1:-1])
    assert sorted(order) == [*range(len(places))]
    assert least <= sizes.min()
    assert sizes.max() < 2 * least
    mixed = [group for group in groups if np.ptp(group, axis=0).any()]
    assert sum(map(len, mixed)) <= max(rare, 3 * least if rare else 0) + rare


def test_blocks_are_no_larger_than_they_have_to_be():
    assert {len(group) for group in in_blocks(in_the_plane(1_000, r=3)).groups} == {
        3,
        4,
    }


def test_halves_are_cut_across_the_widest_axis():
    places = np.array([[0.0, y * 10.0] for y in (3, 0, 2, 1)])
    order, _ = halved(places, 1)
    assert order.tolist() == [1, 3, 2, 0]


@pytest.mark.parametrize("centres", ["input", "member", "any"])
def test_the_first_pass_is_no_worse_than_nearest_neighbours(centres):
    for seed in range(3):
        instance = in_the_plane(600, seed, r=3 + seed, centres=centres)
        search = search_of(instance)
        begin(search, "start")
        assert search.cost <= check(instance, nearest_points(instance)).cost
