import random
from dataclasses import replace

import pytest
from drawing import random_table
from searching import search_of

import atleastk
from atleastk import KAnonymity
from atleastk.runs import registry
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.engine.stages import MOST_ITEMS, SOURCE, solve_automatically
from scripts.sweeps.drawn_places import random_clustering as clustered
from scripts.sweeps.drawn_tables import random_generalization
from scripts.sweeps.drawn_weights import random_map


def packed(rng, n):
    sizes = [rng.randint(1, 10**6) for _ in range(n)]
    return atleastk.BinCovering(
        sizes=sizes,
        k=rng.randint(1, sum(sizes) // 2),
        objective=rng.choice(["max", "excess", "quadratic"]),
    )


MADE = {
    "bin-covering": packed,
    "cellular-clustering": lambda rng, n: clustered(rng, "cellular-clustering", n),
    "connected-partition": random_map,
    "generalization": lambda rng, n: random_generalization(rng, n, n, "entries"),
    "k-anonymity": lambda rng, n: KAnonymity(random_table(n, n, 4, 3), 3),
    "r-gather": lambda rng, n: clustered(rng, "r-gather", n),
}
"""What draws so many items."""


@pytest.mark.parametrize("name", MADE)
def test_the_cost_is_that_of_the_judge(name, fault):
    rng = random.Random(5)
    for _ in range(25):
        instance = MADE[name](rng, rng.randint(1, 6))
        assert fault(instance, twice=True) is None, instance


@pytest.mark.parametrize("name", MADE)
def test_more_items_are_closed_as_well(name):
    rng = random.Random(9)
    for n in (8, 9, 10, 11, 12):
        result = atleastk.solve(MADE[name](rng, n))
        assert result.status.name in ("OPTIMAL", "INFEASIBLE")


def test_two_clusters_that_pay_for_their_centres():
    rng = random.Random(2)
    places = [[rng.randint(0, 99), rng.randint(0, 99)] for _ in range(MOST_ITEMS)]
    instance = atleastk.CellularClustering(
        points=places,
        metric="euclidean",
        r=2,
        max_clusters=2,
        facility_costs=[rng.randint(0, 300) for _ in places],
    )
    problem = PROBLEMS["cellular-clustering"]
    search = search_of(instance)
    solve_automatically(problem, search)
    assert search.closed
    assert search.proved_by == SOURCE


def test_larger_instances_are_left_to_the_portfolio():
    instance = packed(random.Random(1), MOST_ITEMS + 1)
    problem = PROBLEMS["bin-covering"]
    search = search_of(instance)
    solve_automatically(problem, search)
    assert search.proved_by != SOURCE


def test_a_certificate_is_looked_for_for_a_moment(monkeypatch):
    given = []

    def certify(_instance, bound, budget):
        given.append((bound, budget.remaining))

    slow = replace(PROBLEMS["bin-covering"], certify=certify)
    monkeypatch.setattr(registry, "PROBLEMS", {**PROBLEMS, "bin-covering": slow})
    instance = atleastk.BinCovering([10, 6, 6, 6], 10, "quadratic")
    result = atleastk.solve(instance, time_limit=3600)
    assert (result.status, result.cost) == ("OPTIMAL", 12 * 2 + 16 * 6)
    ((bound, remaining),) = given
    assert bound == result.cost
    assert remaining <= 1.0
