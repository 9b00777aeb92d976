import random

import pytest
from costs import cost_of
from drawing import symmetric

from atleastk import CellularClustering, Status
from atleastk.models.cellular_clustering import check
from atleastk.models.encodings.cellular_clustering import (
    ball_entries,
    ball_model,
    group_model,
    groups_in_all,
    representative_model,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget

MODELS = [ball_model, representative_model, group_model]


def instances(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randint(1, 6)
        most = rng.choice([1, 4, 30])
        rows = symmetric(
            n, lambda most=most: rng.choice([rng.randint(0, most)] * 4 + [None])
        )
        centres = rng.choice(["input", "member", "any"])
        costs = None
        if centres != "any":
            costs = rng.choice([None, [rng.randint(0, 9) for _ in range(n)]])
        yield CellularClustering(
            distances=rows,
            r=rng.randint(1, 3),
            centres=centres,
            facility_costs=costs,
            max_clusters=rng.choice([None, None, 1, 2]),
            max_outliers=rng.choice([0, 0, 1, 2]),
        )


@pytest.mark.parametrize("backend", [CpSat(), Highs()], ids=lambda b: b.name)
@pytest.mark.parametrize("encode", MODELS)
def test_optima_are_those_of_the_judge(encode, backend):
    seen = set()
    for instance in instances(5, 70):
        encoding = encode(instance)
        answer = backend.minimise(encoding.model, Budget())
        best = optimum(instance)
        seen.add(best is None)
        if best is None:
            assert answer.status is Status.INFEASIBLE, instance
            continue
        assert (answer.status, answer.cost) == (Status.OPTIMAL, best[0]), instance
        assert cost_of(instance, encoding.decode(answer.values)) == best[0]
    assert seen == {True, False}


@pytest.mark.parametrize("encode", MODELS)
def test_solutions_come_back(encode):
    found = 0
    for instance in instances(6, 80):
        best = optimum(instance)
        encoding = encode(instance)
        values = None if best is None else encoding.encode(best[1])
        if values is None:
            assert best is None or encode is group_model
            continue
        found += 1
        assert encoding.model.admits(values)
        assert encoding.model.cost(values) == best[0]
        assert check(instance, encoding.decode(values)).cost == best[0]
    assert found > 40


def test_models_have_no_place_for_what_is_not_admitted():
    instance = CellularClustering(points=[[0], [1], [2]], r=1)
    solution = optimum(CellularClustering(points=[[0], [1], [2]], r=3))[1]
    assert group_model(instance).encode(solution) is None
    one_out = optimum(CellularClustering(points=[[0], [1], [9]], r=2, max_outliers=1))
    for encode in MODELS:
        assert encode(instance).encode(one_out[1]) is None


def test_sizes_are_reported_beforehand():
    line = CellularClustering(points=[[0], [1], [2]], r=2)
    assert ball_entries(line) == (2 + 3) + 3 + (2 + 3)
    assert groups_in_all(line) == 3 + 1
    assert ball_model(line).model.columns == ball_entries(line) + 5
    anywhere = CellularClustering(points=[[1], [0], [2]], r=2, centres="any")
    assert ball_entries(anywhere) == (3 + 1) + 3 + 2


def test_no_points():
    for encode in MODELS:
        model = encode(CellularClustering(points=[])).model
        assert CpSat().minimise(model, Budget()).cost == 0
