import random
from dataclasses import replace

import pytest
from drawing import random_distances
from searching import search_of

import atleastk
from atleastk.runs import registry
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.brute_force import (
    cellular_clustering,
    connected_partition,
    generalization,
    k_anonymity,
    r_gather,
)
from atleastk.solvers.engine.stages import MOST_ITEMS, SOURCE, solve_automatically


def clusters(rng, n, kind):
    fields = {"r": rng.randint(1, 4), "centres": rng.choice(("input", "member", "any"))}
    if rng.random() < 0.5:
        fields["max_clusters"] = rng.randint(1, 3)
    if rng.random() < 0.5:
        fields["max_outliers"] = rng.randint(1, 3)
    if rng.random() < 0.5:
        places = [[rng.randint(0, 30), rng.randint(0, 30)] for _ in range(n)]
        fields |= {"points": places, "metric": "manhattan"}
    else:
        fields["distances"] = random_distances(rng, n, [*range(1, 19), None, None])
    payable = kind is atleastk.CellularClustering and fields["centres"] != "any"
    if payable and rng.random() < 0.7:
        fields["facility_costs"] = [rng.randint(0, 60) for _ in range(n)]
    return kind(**fields)


def gathered(rng, n):
    return clusters(rng, n, atleastk.RGather)


def cellular(rng, n):
    return clusters(rng, n, atleastk.CellularClustering)


def mapped(rng, n):
    edges = [[i, j] for i in range(n) for j in range(i) if rng.random() < 0.4]
    weights = [rng.randint(0, 9) for _ in range(n)]
    k = rng.randint(1, 1 + sum(weights) // 2)
    return atleastk.ConnectedPartition(weights=weights, edges=edges, k=k)


def table(rng, n):
    return [[rng.randrange(3) for _ in range(4)] for _ in range(n)]


def anonymous(rng, n):
    return atleastk.KAnonymity(table=table(rng, n), k=rng.randint(1, 4))


def generalized(rng, n):
    chain = [[value, value // 2, "*"] for value in range(3)]
    return atleastk.Generalization(
        table=table(rng, n),
        k=rng.randint(1, 4),
        hierarchies=[chain] * 4,
        on="entries",
        loss=rng.choice(["height", "precision"]),
    )


def packed(rng, n):
    sizes = [rng.randint(1, 10**6) for _ in range(n)]
    return atleastk.BinCovering(
        sizes=sizes,
        k=rng.randint(1, sum(sizes) // 2),
        objective=rng.choice(["max", "excess", "quadratic"]),
    )


JUDGES = [
    (gathered, r_gather.optimum),
    (cellular, cellular_clustering.optimum),
    (mapped, connected_partition.optimum),
    (anonymous, k_anonymity.optimum),
    (generalized, generalization.optimum),
]


@pytest.mark.parametrize(("draw", "judge"), JUDGES, ids=lambda f: f.__name__)
def test_the_cost_is_that_of_the_judge(draw, judge):
    rng = random.Random(5)
    for _ in range(25):
        instance = draw(rng, rng.randint(0, 6))
        best, result = judge(instance), atleastk.solve(instance)
        assert result.status.name == ("INFEASIBLE" if best is None else "OPTIMAL")
        if best is not None:
            cost = best if isinstance(best, int) else best[0]
            assert result.cost == cost, instance
        assert atleastk.solve(instance).solution == result.solution


@pytest.mark.parametrize(
    "draw", [*(draw for draw, _ in JUDGES), packed], ids=lambda f: f.__name__
)
def test_more_items_are_closed_as_well(draw):
    rng = random.Random(9)
    for n in (8, 9, 10, 11, 12):
        assert atleastk.solve(draw(rng, n)).status.name in ("OPTIMAL", "INFEASIBLE")


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
