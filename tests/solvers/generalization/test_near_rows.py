import numpy as np
import pytest

import atleastk
from atleastk import Generalization, Stop
from atleastk.models.generalization import check, solution_of_groups
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization import methods
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.near_rows import NearRows
from atleastk.solvers.search import Search


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
    search = Search(instance, check, Budget())
    assert begin(search, "one group")
    NearRows.of(search).build()
    everything = 120 * 840
    assert search.cost < 0.5 * everything
    height = Generalization(table, 2, hierarchies, loss="height")
    other = Search(height, check, Budget())
    begin(other, "one group")
    NearRows.of(other).build()
    groups = other.solution.groups
    assert search.cost <= check(instance, solution_of_groups(instance, groups)).cost


def test_there_is_something_left_to_try_until_the_time_is_over():
    """Precision on entries, without patterns: it once gave up after a quarter of it."""
    table = np.random.default_rng(3).integers(0, 32, (300, 6)).tolist()
    hierarchies = [chains(32, height) for height in (5, 7, 8, 5, 7, 8)]
    instance = Generalization(table, 3, hierarchies, loss="precision")
    result = atleastk.solve(instance, time_limit=1.0, workers=1)
    assert result.stopped_because is Stop.TIME_LIMIT


@pytest.mark.parametrize("seed", [2, 14, 26])
def test_near_rows_are_rearranged_before_patterns_are_listed(seed, monkeypatch):
    """What follows starts no worse than the groups of the default loss, rearranged."""
    rng = np.random.default_rng(seed)
    table = np.minimum(7, rng.geometric(0.4, (50, 4))).tolist()
    hierarchies = [chains(8, height) for height in (4, 5, 3, 3)]
    instance = Generalization(table, 3, hierarchies, loss="precision")
    search = Search(instance, check, Budget())
    known = []
    monkeypatch.setattr(methods, "solve_priced", lambda s, _: known.append(s.cost))
    methods.solve(search)
    height = Generalization(table, 3, hierarchies, loss="height")
    other = Search(height, check, Budget())
    begin(other, "one group")
    near = NearRows.of(other)
    near.build()
    near.rearrange(Budget())
    groups = other.solution.groups
    assert known[0] <= check(instance, solution_of_groups(instance, groups)).cost
