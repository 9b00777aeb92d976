import random

import pytest
from drawing import symmetric
from searching import searched

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.cellular_clustering.methods import METHODS, solve

RUNS = {"auto": solve, **{method.name: method.run for method in METHODS}}
REFUSALS = {method.name: method.refuses for method in METHODS}


def random_instance(rng):
    n = rng.randint(0, 7)
    style = rng.choice(["euclidean", "manhattan", "hamming", "matrix", "holes"])
    fields = {"r": rng.randint(1, 3), "centres": rng.choice(["input", "member", "any"])}
    if style in ("matrix", "holes"):
        most = rng.choice([1, 5, 50])

        def length():
            hole = style == "holes" and rng.random() < 0.3
            return None if hole else rng.randint(0, most)

        fields["distances"] = symmetric(n, length)
    else:
        wide = rng.choice([2, 5, 40])
        fields["points"] = [[rng.randrange(wide) for _ in range(2)] for _ in range(n)]
        fields["metric"] = style
    if fields["centres"] != "any" and rng.random() < 0.5:
        fields["facility_costs"] = [rng.choice([0, 1, 10]) for _ in range(n)]
    fields["max_clusters"] = rng.choice([None, None, 1, 2])
    fields["max_outliers"] = rng.choice([0, 0, 1, 2, n])
    return CellularClustering(**fields)


def compare(name, instance, seed):
    search = searched(RUNS[name], instance, seed=seed)
    best = optimum(instance)
    assert search.closed, (name, instance)
    if best is None:
        assert search.infeasible, (name, instance)
    else:
        assert search.cost == best[0], (name, instance)


@pytest.mark.parametrize("name", RUNS)
def test_every_method_against_the_judge(name):
    rng = random.Random(1)
    for seed in range(45):
        compare(name, random_instance(rng), seed)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10, 14))
@pytest.mark.parametrize("name", RUNS)
def test_a_long_sweep(name, seed):
    rng = random.Random(seed)
    for i in range(300):
        compare(name, random_instance(rng), i)


@pytest.mark.parametrize("name", RUNS)
def test_the_figures_of_the_paper(name):
    points = [[0, 0], [2, 0], [1000, 3], [1000, 0], [1000, -3]]
    first = CellularClustering(points=points, metric="manhattan", r=2, centres="any")
    rows = [[1] * 4, *([1 + (i == j) for j in range(4)] for i in range(4))]
    third = CellularClustering(points=rows, metric="hamming", r=5)
    for instance, cost in ((first, 22), (third, 5)):
        search = searched(RUNS[name], instance)
        assert search.cost == search.bound == cost


@pytest.mark.parametrize("name", RUNS)
def test_a_spent_budget_claims_nothing_wrong(name):
    points = [[x * x % 97, x * 31 % 89] for x in range(9)]
    instance = CellularClustering(points=points, r=3)
    search = searched(RUNS[name], instance, seconds=0)
    best = optimum(instance)[0]
    assert (search.bound or 0) <= best
    assert search.cost is None or best <= search.cost


@pytest.mark.parametrize("name", RUNS)
def test_one_worker_is_deterministic(name):
    points = [[x * x % 97, x * 31 % 89] for x in range(6)]
    instance = CellularClustering(points=points, r=2)
    solutions = []
    for _ in range(2):
        search = searched(RUNS[name], instance, seed=3)
        assert search.closed
        solutions.append(search.solution)
    assert solutions[0] == solutions[1]


def test_refusals_say_why():
    few = CellularClustering(points=[[0], [1], [2]])
    assert all(refuses(few) is None for refuses in REFUSALS.values())
    many = CellularClustering(points=[[x] for x in range(1001)], r=2)
    for name in ("columns", "compact", "compact-highs", "seats", "sat"):
        assert "1001 points are too many" in REFUSALS[name](many)
    assert "too many groups" in REFUSALS["groups"](many)
    middling = CellularClustering(points=[[x * x] for x in range(160)])
    assert "balls" in REFUSALS["compact"](middling)
    wide = CellularClustering(points=[[0], [2**29]], r=2)
    assert "too long" in REFUSALS["seats"](wide)
