"""Models of diversity: solutions are points, and points are solutions."""

import random
from importlib import import_module

import pytest

from atleastk.models.diversity import check
from atleastk.models.encodings.diversity import leader_model, pair_model
from atleastk.models.generalization import solution_of_groups
from atleastk.models.solution import Solution
from atleastk.solvers.diversity.methods import dealt_model


@pytest.mark.parametrize(
    ("model", "on"),
    [
        (leader_model, "entries"),
        (dealt_model, "entries"),
        (pair_model, "attributes"),
    ],
)
def test_points_and_solutions(model, on):
    """A point of the model is admitted iff the groups are feasible."""
    sweep = import_module("scripts.sweeps.drawn_tables")
    rng = random.Random(5)
    seen = []
    while len(seen) < 60:
        instance = sweep.random_diversity(rng, 6, 2)
        if instance.on != on or instance.k > instance.n:
            continue
        encoding = model(instance)
        rows = rng.sample(range(instance.n), instance.n)
        cut = rng.randint(0, instance.n)
        groups = [part for part in (rows[:cut], rows[cut:]) if part]
        solution = solution_of_groups(instance, Solution.of(groups).groups)
        verdict = check(instance, solution)
        values = encoding.encode(solution)
        if values is None:
            assert not verdict.feasible
            continue
        admitted = encoding.model.admits(values)
        seen.append(admitted)
        assert admitted or not verdict.feasible
        if admitted:
            found = check(instance, encoding.decode(values))
            assert found.feasible
            assert found.cost <= encoding.model.cost(values) <= verdict.cost
    assert set(seen) == {True, False}
