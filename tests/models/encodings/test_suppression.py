import random

import numpy as np
import pytest

from atleastk import NotApplicableError, Solution, Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.suppression import SuppressionSolution, check, solution_of_mask
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.budget import Budget


def drawn(suppressions, seed, count, most):
    rng = random.Random(seed)
    while count:
        instance = suppressions.random_suppression(rng, 18)
        if instance.n * instance.m <= most and instance.minimise != "k":
            count -= 1
            yield instance


def test_points_are_the_solutions(suppressions):
    feasible = infeasible = 0
    for instance in drawn(suppressions, 2, 120, 8):
        encoding, cells = cell_model(instance), instance.n * instance.m
        for bits in range(2**cells):
            flags = [bits >> cell & 1 == 1 for cell in range(cells)]
            hidden = np.array(flags, dtype=bool).reshape(instance.n, instance.m)
            solution = solution_of_mask(instance, hidden)
            verdict, values = check(instance, solution), encoding.encode(solution)
            admitted = values is not None and encoding.model.admits(values)
            assert admitted == verdict.feasible, (instance.to_dict(), solution)
            infeasible += not admitted
            if admitted:
                assert encoding.model.cost(values) == verdict.cost
                assert encoding.decode(values) == solution
                feasible += 1
    assert feasible > 300
    assert infeasible > 300


def test_groupings_have_points():
    instance = Suppression([[0, 0], [0, 1], [1, 1], [1, 0]], 2, limits={"columns": 1})
    encoding = cell_model(instance)
    costs = []
    for groups in partitions(4):
        solution = Solution.of(groups)
        values = encoding.encode(solution)
        feasible = check(instance, solution).feasible
        assert feasible == (values is not None and encoding.model.admits(values))
        if feasible:
            decoded = encoding.decode(values)
            assert isinstance(decoded, SuppressionSolution)
            assert decoded.groups == solution.groups
            costs.append(encoding.model.cost(values))
    assert costs == [4, 4]


def test_an_order_suppresses_a_constant_column():
    instance = Suppression([[0, 0], [1, 0]], 2, column_order=[[0], [1]])
    encoding = cell_model(instance)
    answer = CpSat().minimise(encoding.model, Budget())
    assert answer.cost == 4
    cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    assert encoding.decode(answer.values).suppressed == cells


def test_the_columns_of_the_region_are_reported():
    instance = Suppression.named(
        "c-MIN-r-DEL", [[0, 0], [0, 1], [1, 2], [2, 3]], 2, {"columns": 1}
    )
    encoding = cell_model(instance)
    answer = CpSat().minimise(encoding.model, Budget())
    assert answer.cost == 2
    assert encoding.decode(answer.values).columns == (1,)


def test_what_cannot_be_is_refused():
    with pytest.raises(NotApplicableError, match="cannot maximise"):
        cell_model(Suppression([[0]], 1, minimise="k"))
    assert cell_model(Suppression([[0], [1]], 3)).model.impossible
