import random
from importlib import import_module

import numpy as np
import pytest

from atleastk.instances.generators.diversity import diagnoses
from atleastk.models.diversity import check
from atleastk.models.encodings.diversity import leader_model, pair_model
from atleastk.models.generalization import solution_of_groups
from atleastk.models.results.solution import Solution
from atleastk.solvers.backends.highs import unbounded
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.auto import declared
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.kind_patterns import assignment_model
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.search import Search


@pytest.mark.parametrize(
    ("model", "on"),
    [
        (leader_model, "entries"),
        (assignment_model, "entries"),
        (pair_model, "attributes"),
    ],
)
def test_points_and_solutions(model, on):
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


@pytest.mark.parametrize("seed", range(4))
def test_the_relaxation_is_no_weaker_than_all_groups(seed):
    """A part of a class keeps as many values apart, in parts, as the whole class."""
    instance = diagnoses(seed, n=30, m=3, l=3)
    search = Search(instance, check, Budget())
    begin(search, "start")
    table = declared(search)
    table.list_patterns(Budget())
    table.ascend(Budget())
    model = assignment_model(instance).model
    program = GrowingLp(unbounded(model.row_lower), unbounded(model.row_upper))
    program.add_columns(model.rows.T, model.objective, model.upper.astype(np.float64))
    relaxed = program.solve(Budget())
    assert relaxed is not None
    assert relaxed.value > table.unit * table.proved.value - 0.01
