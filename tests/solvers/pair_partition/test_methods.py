"""Pair partition: methods on instances of known optima, by hand and of papers."""

import random
from itertools import combinations

import networkx
import pytest
from searching import search_of, searched

import atleastk
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.generators.pair_partition import network, points, uniform
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_partition import check_certificate
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition import triangles
from atleastk.solvers.pair_partition.auto import _Work, solve
from atleastk.solvers.pair_partition.first import dealt
from atleastk.solvers.pair_partition.local_search import improve
from atleastk.solvers.pair_partition.methods import METHODS
from scripts.sweeps.drawn_pairs import MODERATE, random_pairs


def modularity(edges, n, k=1):
    """Return the instance of modularity, and the sum of squared degrees."""
    degree = [sum(i in edge for edge in edges) for i in range(n)]
    linked = {frozenset(edge) for edge in edges}
    pairs = combinations(range(n), 2)
    costs = [
        [i, j, degree[i] * degree[j] - 2 * len(edges) * (frozenset((i, j)) in linked)]
        for i, j in pairs
    ]
    constant = sum(d * d for d in degree)
    return PairPartition(items=n, costs=costs, k=k), constant


def test_the_best_communities_of_a_graph_are_found_and_certified():
    """The optimum is in U. Brandes et al., On modularity clustering, 2008."""
    edges = [*networkx.karate_club_graph().edges]
    instance, constant = modularity(edges, 34)
    result = atleastk.solve(instance, certify=True, workers=1)
    found = (-2 * result.cost - constant) / (2 * len(edges)) ** 2
    assert found == pytest.approx(0.41979, abs=1e-5)
    assert result.trust == "certified"
    assert result.certificate["kind"] == "triangles"
    assert atleastk.check(instance, result).feasible
    bent = dict(result.certificate)
    bent["triangles"] = [[*t[:3], t[3] + 10**6] for t in bent["triangles"]]
    with pytest.raises(CertificateError):
        check_certificate(instance, bent, result.bound)


def test_wishes_are_those_of_trees_and_of_what_closes_cycles():
    """Of a path of five wishes two groups of three keep four; of a ring, five."""
    for ring, bound in ((0, -4), (1, -5)):
        pairs = [[i, (i + 1) % 6, -1] for i in range(5 + ring)]
        search = search_of(PairPartition(items=6, costs=pairs, k=3, groups=[2, 2]))
        _Work(search).bound_by_wishes(Budget())
        assert search.bound == bound
    for seed in range(200):
        instance = random_pairs(random.Random(seed), MODERATE, 7)
        best, work = optimum(instance), _Work(search_of(instance))
        if best is not None and work.has_wishes:
            work.bound_by_wishes(Budget())
            assert work.search.bound <= best[0]


def test_costs_beyond_doubles_are_left_to_another_solver():
    """Balance has such numbers; HiGHS refuses them."""
    costs = [[0, 1, -(2**31)], [1, 2, 2**30], [0, 2, -(2**31)], [2, 3, 5]]
    search = search_of(PairPartition(items=4, costs=costs, k=1))
    triangles.close(search, triangles.PairProgram(search.instance), Budget())
    assert search.bound == search.cost == -(2**31) - 2**30


@pytest.mark.parametrize(
    "instance",
    [
        uniform(1, n=24, k=3),
        points(2, n=40, k=3),
        points(3, n=30, k=4, objective="sum"),
        network(4, n=24, density=50),
    ],
    ids=str,
)
def test_larger_instances_are_closed(instance):
    search = searched(solve, instance)
    assert search.closed
    assert not check(instance, Solution.of(search.solution.groups)).violations


def test_optima_of_points_are_certified():
    result = atleastk.solve(points(5, n=25, k=3), certify=True, workers=1)
    assert result.status == "OPTIMAL"
    assert atleastk.check(points(5, n=25, k=3), result).feasible


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_places_and_limits_of_any_magnitude(method):
    far = [[10**30 + x] for x in (0, 1, 7, 9, 10)]
    for limit in ({"at_most": 10**30}, {"at_least": 10**30}):
        asked = [{"of": [1, 2, 3, 4, 5], **limit}, {"of": "items", **limit}]
        instance = PairPartition(points=far, k=2, require=asked)
        search = searched(method.run, instance)
        assert search.cost == (15 if "at_most" in limit else None)
        assert search.closed


def test_items_that_are_together_may_leave_too_few_groups():
    """Dealt one by one they are three; 0 and 2 are together, so that two are left."""
    fields = {"k": 1, "groups": (3, 4), "together": [[0, 2]]}
    instance = PairPartition(items=3, costs=[(0, 1, -1)], objective="squares", **fields)
    search = searched(solve, instance)
    assert search.infeasible


def near_friends(n, size, rng):
    """Return pupils who name three of the twelve beside them, one of whom they get."""
    beside = [[(i + d) % n for d in range(-6, 7) if d] for i in range(n)]
    named = [rng.sample(some, 3) for some in beside]
    require = [{"of": "items", "at_most": size}]
    for i, some in enumerate(named):
        friends = [int(j in some) - int(i == j) for j in range(n)]
        require.append({"of": friends, "at_least": 0})
    wishes = {}
    for i, some in enumerate(named):
        for j in some:
            pair = min(i, j), max(i, j)
            wishes[pair] = wishes.get(pair, 0) - 1
    costs = [[*pair, cost] for pair, cost in wishes.items()]
    return PairPartition(items=n, costs=costs, k=size, require=require)


def test_a_friend_each_is_found_where_groups_have_to_be_full():
    """A group gets a friend only by giving somebody else away."""
    instance = near_friends(200, 5, random.Random(3))
    found = []
    improve(instance, dealt(instance), Budget(seed=1), found.append, coolings=6)
    assert found
    assert check(instance, Solution.of(found[-1])).feasible
