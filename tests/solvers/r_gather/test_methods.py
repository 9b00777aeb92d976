import random

import networkx as nx
import pytest
from searching import search_of, searched

import atleastk
from atleastk import NotApplicableError, RGather, Status, Trust
from atleastk.solvers.r_gather.methods import METHODS, solve
from scripts.sweeps.drawn_places import random_clustering

NAMES = ["auto", *(method.name for method in METHODS)]
READINGS = ["input", "member", "any"]


def run_named(name):
    return next((method.run for method in METHODS if method.name == name), solve)


def in_the_plane(n, seed, **fields):
    rng = random.Random(seed)
    points = [[rng.randrange(1000), rng.randrange(1000)] for _ in range(n)]
    return RGather(points=points, **fields)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_against_the_judge(name, fault):
    rng = random.Random(1)
    for seed in range(100):
        n = rng.choice([0, 1, 3, 4, 5, 5, 6, 6, 7])
        instance = random_clustering(rng, "r-gather", n)
        assert fault(instance, method=name, portfolio=True, seed=seed) is None, instance


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(
    "limits", [{}, {"max_outliers": 3}, {"max_clusters": 5}], ids=str
)
def test_methods_agree(reading, limits):
    for seed in range(2):
        instance = in_the_plane(24, seed, r=3, centres=reading, **limits)
        names = [name for name in NAMES if name not in ("levels", "subset-dp")]
        searches = [search_of(instance) for _ in names]
        for name, search in zip(names, searches, strict=True):
            run_named(name)(search)
        assert all(search.closed for search in searches)
        assert len({search.cost for search in searches}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_first_figure_of_the_paper(name):
    """Two clusters of radius 3 about points that are not given [Aggarwal10, Fig. 1]."""
    points = [[0, 0], [2, 0], [1000, 3], [1000, 0], [1000, -3]]
    fields = {"points": points, "metric": "manhattan", "r": 2}
    result = atleastk.solve(RGather(**fields, centres="any"), method=name)
    assert (result.status, result.cost) == (Status.OPTIMAL, 6)
    assert result.solution.groups == ((0, 1), (2, 3, 4))
    assert result.solution.centres == ()
    for reading in ("input", "member"):
        result = atleastk.solve(RGather(**fields, centres=reading), method=name)
        assert (result.status, result.cost) == (Status.OPTIMAL, 3)


@pytest.mark.parametrize("name", NAMES)
def test_readings_differ(name):
    tree = nx.Graph([(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)])
    for reading, cost in (("input", 1), ("member", 2), ("any", 2)):
        instance = RGather.of_graph(tree, r=3, centres=reading)
        result = atleastk.solve(instance, method=name)
        assert (result.status, result.cost) == (Status.OPTIMAL, cost)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("reading", READINGS)
def test_a_spent_budget(name, reading):
    instance = in_the_plane(20, 3, r=4, centres=reading)
    search = searched(run_named(name), instance, seconds=0)
    exact = searched(run_named("assignment-sat"), instance)
    assert exact.closed
    assert (search.bound or 0) <= exact.cost
    assert search.cost is None or search.cost >= exact.cost


@pytest.mark.parametrize("name", NAMES)
def test_one_worker_is_deterministic(name):
    instance = in_the_plane(15, 4, r=3, max_outliers=1)
    first, second = (
        atleastk.solve(instance, method=name, workers=1, seed=5) for _ in range(2)
    )
    assert first.status is second.status is Status.OPTIMAL
    assert first.solution == second.solution


@pytest.mark.parametrize("name", NAMES)
def test_a_start_is_kept(name):
    instance = in_the_plane(12, 5, r=3, centres="member")
    best = atleastk.solve(instance, method="assignment-sat")
    again = atleastk.solve(instance, method=name, start=best)
    assert (again.status, again.cost) == (Status.OPTIMAL, best.cost)


NULL = [[0, 1, None, 2], [1, 0, 3, None], [None, 3, 0, 2], [2, None, 2, 0]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "instance",
    [RGather(distances=NULL, r=3), RGather(points=[[0], [1], [4]], r=4)],
    ids=["null distances", "too few points"],
)
def test_infeasibility_is_certified(name, instance):
    """A certificate of a bound that was passed on the way is not one of that."""
    result = atleastk.solve(instance, method=name, certify=True)
    assert (result.status, result.bound) == (Status.INFEASIBLE, None)
    assert result.trust is Trust.CERTIFIED
    assert atleastk.check(instance, result).feasible


def test_refusals_say_why():
    for name, most, reading in (
        ("assignment", 400, "input"),
        ("assignment-highs", 150, "any"),
        ("levels", 40, "member"),
    ):
        instance = in_the_plane(most + 1, 1, r=2, centres=reading)
        with pytest.raises(
            NotApplicableError, match=f"points are too many; it takes {most}$"
        ):
            atleastk.solve(instance, method=name)
