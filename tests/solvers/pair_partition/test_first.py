"""Pair partition: first answers, and groups that grow, violate nothing."""

import random
from dataclasses import replace

import numpy as np
import pytest

from atleastk.instances.generators.pair_partition import network, points
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition.first import (
    cheapest_first,
    components,
    cut_trees,
    first_answers,
    in_order,
)
from atleastk.solvers.pair_partition.halving import in_halves


def cost_of(instance, groups):
    verdict = check(instance, Solution.of(groups))
    assert verdict.violations == ()
    return verdict.cost


@pytest.mark.parametrize("seed", range(30))
def test_trees_are_cut_into_connected_groups(seed):
    whole = network(seed, n=8 + seed, density=seed % 3 * 10)
    instance = replace(whole, groups=None, k=1 + seed % 4)
    groups = cut_trees(instance)
    assert cost_of(instance, groups) <= cost_of(instance, components(instance))


def test_a_component_that_is_too_small_has_no_groups():
    small = PairPartition(items=4, costs=[(0, 1, 1)], k=2, connected=True)
    assert check(small, Solution.of(cut_trees(small))).violations


@pytest.mark.parametrize("seed", range(40))
def test_cut_trees_hold_what_groups_have_to(seed):
    rng = random.Random(seed)
    n, edges = rng.randint(6, 30), set()
    for first in range(0, n, 10):  # trees and a few more, in pieces
        for v in range(first + 1, min(n, first + 10)):
            edges |= {(rng.randrange(first, v), v), (v - 1, v)}
    costs = [[u, v, rng.randint(-9, 9)] for u, v in sorted(edges)]
    sums = {"of": [rng.randint(0, 4) for _ in range(n)], "at_least": rng.randint(0, 6)}
    words = {"of": [rng.choice("ab") for _ in range(n)], "at_least": 1}
    asked = {"items": n, "costs": costs, "connected": True, "k": rng.randint(1, 3)}
    instance = PairPartition(require=[sums, words][: seed % 3], **asked)
    groups = cut_trees(instance)
    whole = components(instance)
    if check(instance, Solution.of(whole)).feasible:  # then they may be cut
        cost_of(instance, groups)
        assert len(groups) >= len(whole)
    held = [item for group in groups for item in group]
    assert len({*held}) == len(held)


def test_trees_of_a_long_way_and_of_many_pieces_are_cut_in_linear_time():
    n = 60_000  # hours, if sums of all that is held were taken at every item
    way = [[i, i + 1, 1] for i in range(n - 1)]
    half = {"of": [1] * n, "at_least": n // 2}
    asked = {"items": n, "k": 3, "connected": True}
    long = cut_trees(PairPartition(costs=way, require=[half], **asked))
    assert [len(group) for group in long] == [n // 2, n // 2]
    pieces = cut_trees(PairPartition(costs=[e for e in way if e[0] % 3 < 2], **asked))
    assert len(pieces) == n // 3


def test_many_points_without_coordinates_are_groups():
    instance = PairPartition(points=[[]] * 3_500, k=3, groups=[1, 9])
    assert [name for name, _ in first_answers(instance)] == ["dealt"]


@pytest.mark.parametrize("made", [cheapest_first, in_order])
@pytest.mark.parametrize("n", [3, 4, 7, 20])
def test_runs_and_nearest_items_are_groups_of_k_and_more(made, n):
    instance = points(n, n=n, k=3)
    groups = made(instance)
    cost_of(instance, groups)
    assert sorted(map(len, groups))[:-1] == [3] * (len(groups) - 1)
    assert sorted(made(replace(instance, k=2**63))[0]) == [*range(n)]


@pytest.mark.parametrize("seed", range(5))
def test_as_many_groups_grow_as_there_have_to_be(seed):
    instance = network(seed, n=24, density=30, parts=4)
    groups = in_halves(instance, Budget(seed=seed))
    assert groups is not None
    cost_of(instance, groups)
    assert len(groups) == 4


def drawn(n, **fields):
    rng = np.random.default_rng(n)
    edges = [(int(rng.integers(v)), v) for v in range(1, n)]
    costs = [(u, v, int(rng.integers(-9, 99))) for u, v in edges]
    return PairPartition(items=n, costs=costs, k=5, **fields)


MANY = {
    "costs": drawn(3_500),
    "connected": drawn(3_500, connected=True),
    "few groups": drawn(3_500, groups=(600, 650)),
    "few groups of points": replace(points(1, n=3_500, k=5), groups=(600, 650)),
    "connected points": replace(
        points(1, n=3_500, k=5),
        connected=True,
        edges=[(v // 2, v) for v in range(1, 3_500)],
    ),
}


@pytest.mark.parametrize("what", MANY)
def test_many_items_have_a_first_answer(what):
    assert [*first_answers(MANY[what])]
