import random

import numpy as np
import pytest

from atleastk import NotApplicableError, Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.suppression import check, solution_of_mask
from scripts.sweeps import drawn_tables as suppressions


def drawn(seed, count, most):
    rng = random.Random(seed)
    while count:
        instance = suppressions.random_suppression(rng, 18)
        if instance.n * instance.m <= most and instance.minimise != "k":
            count -= 1
            yield instance


def test_points_are_the_solutions():
    feasible = infeasible = 0
    for instance in drawn(2, 120, 8):
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


def test_what_cannot_be_is_refused():
    with pytest.raises(NotApplicableError, match="cannot maximise"):
        cell_model(Suppression([[0]], 1, minimise="k"))
    assert cell_model(Suppression([[0], [1]], 3)).model.impossible
