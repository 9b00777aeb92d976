import numpy as np
import pytest
from searching import search_of

import atleastk
from atleastk import Generalization, Stop
from atleastk.models.generalization import check, solution_of_groups
from atleastk.models.tables.patterns import MOST_COLUMNS
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.generalization.auto import first_bound, run_of, solve
from atleastk.solvers.generalization.first import begin


def chains(values, height):
    return [
        [v, *(f"{level}: {v >> level}" for level in range(1, height)), "*"]
        for v in range(values)
    ]


def test_precision_starts_from_near_rows():
    """Heights 5, 7 and 8 have 280 units each: 840 columns if they were repeated."""
    table = np.random.default_rng(0).integers(0, 32, (120, 3)).tolist()
    hierarchies = [chains(32, height) for height in (5, 7, 8)]
    instance = Generalization(table, 2, hierarchies, loss="precision")
    search = search_of(instance)
    assert begin(search, "one group")
    run_of(search).build_groups(search.budget)
    everything = 120 * 840
    assert search.cost < 0.5 * everything
    height = Generalization(table, 2, hierarchies, loss="height")
    other = search_of(height)
    begin(other, "one group")
    run_of(other).build_groups(other.budget)
    groups = other.solution.groups
    assert search.cost <= check(instance, solution_of_groups(instance, groups)).cost


@pytest.mark.parametrize("weights", [None, [2, 3, 3, 3, 3]])
def test_what_rare_values_cost_is_known_before_any_answer(weights):
    table, hierarchies = [[0], [2], [2], [3], [3]], [chains(4, 2)]
    instance = Generalization(table, 2, hierarchies, row_weights=weights)
    search = search_of(instance)
    first_bound(search)
    assert search.solution is None
    assert search.bound == (4 if weights else 2)
    solve(search)
    assert (search.closed, search.cost) == (True, optimum(instance))


@pytest.mark.parametrize(
    "wishes", [{"on": "attributes"}, {"suppress_rows": 1}, {"levels": [[0, 1]]}]
)
def test_nothing_is_claimed_where_rows_may_pay_otherwise(wishes):
    instance = Generalization([[0], [2], [2]], 2, [chains(4, 2)], **wishes)
    search = search_of(instance)
    first_bound(search)
    assert search.bound is None


def test_there_is_something_left_to_try_until_the_time_is_over():
    """Precision on entries, without patterns: it once gave up after a quarter of it."""
    table = np.random.default_rng(3).integers(0, 32, (300, 6)).tolist()
    hierarchies = [chains(32, height) for height in (5, 7, 8, 5, 7, 8)]
    instance = Generalization(table, 3, hierarchies, loss="precision")
    result = atleastk.solve(instance, time_limit=1.0, workers=1)
    assert result.stopped_because is Stop.TIME_LIMIT


@pytest.mark.parametrize(("seed", "workers"), [(1, 2), (3, 2), (4, 1)])
def test_tables_whose_rows_have_weights_are_closed(seed, workers):
    rng = np.random.default_rng(seed)
    table = np.minimum(7, rng.geometric(0.4, (40, 3))).tolist()
    hierarchies = [chains(8, height) for height in (4, 5, 3)]
    weights = (2 * rng.integers(1, 6, 40)).tolist()
    instance = Generalization(
        table, 3, hierarchies, loss="precision", row_weights=weights
    )
    search = search_of(instance, workers=workers)
    solve(search)
    assert search.closed
    assert search.cost % instance.unit == 0
    model = atleastk.solve(instance, method="patterns", workers=1)
    assert model.cost == search.cost


def test_many_levels_of_many_prices_are_closed():
    """More than 62 columns if levels were repeated; these once had no closing."""
    rng = np.random.default_rng(14)
    table = np.minimum(7, rng.geometric(0.4, (36, 4))).tolist()
    hierarchies = [chains(8, height) for height in (4, 5, 3, 3)]
    instance = Generalization(table, 3, hierarchies, loss="precision")
    assert instance.expanded_columns > MOST_COLUMNS
    search = search_of(instance)
    solve(search)
    assert search.closed
