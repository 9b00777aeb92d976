import numpy as np
import pytest
from searching import search_of

from atleastk.instances.generators.diversity import diagnoses
from atleastk.solvers.backends.highs import unbounded
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.auto import run_of
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.kind_patterns import assignment_model
from atleastk.solvers.engine.linear_program import GrowingLp


@pytest.mark.parametrize("seed", range(4))
def test_the_relaxation_is_no_weaker_than_all_groups(seed):
    """A part of a class keeps as many values apart, in parts, as the whole class."""
    instance = diagnoses(seed, n=30, m=3, l=3)
    search = search_of(instance)
    begin(search, "start")
    table = run_of(search)
    table.list_patterns(Budget())
    table.ascend(Budget())
    model = assignment_model(instance).model
    program = GrowingLp(unbounded(model.row_lower), unbounded(model.row_upper))
    program.add_columns(model.rows.T, model.objective, model.upper.astype(np.float64))
    relaxed = program.solve(Budget())
    assert relaxed is not None
    assert relaxed.value > table.unit * table.proved.value - 0.01
