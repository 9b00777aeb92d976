import random

import pytest
from searching import search_of, searched

from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.suppression import Outcomes
from atleastk.solvers.suppression import auto
from atleastk.solvers.suppression.auto import offer_unordered


@pytest.mark.parametrize("limits", [{}, {"columns": 2}, {"rows": 2, "columns": 1}])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_offered_and_bounded_agrees_with_the_least(seed, limits):
    rng = random.Random(seed)
    table = [tuple(rng.randrange(2) for _ in range(3)) for _ in range(4)]
    instance = Suppression(
        table, 2, minimise="per_column", limits=limits, column_order=[[1], [0, 2]]
    )
    search = search_of(instance)
    offer_unordered(search, search.budget, "padded")
    least = Outcomes.of(instance.table).best(instance)
    if least is None:
        assert search.cost is None
        return
    assert search.cost is None or search.cost >= least
    assert (search.bound or 0) <= least
    if not limits:
        assert search.cost is not None


def test_stars_in_one_column_are_spread_until_a_limit_holds(monkeypatch):
    """Each square of four rows has two columns to star, and all may choose the same."""
    for model in ("minimise_by_patterns", "minimise_encoded"):
        monkeypatch.setattr(auto, model, lambda *_: None)
    table = [[4 * i + j // 2, 4 * i + j % 2] for i in range(14) for j in range(4)]
    instance = Suppression(table, 2, minimise="rows", limits={"per_column": 28})
    search = searched(auto.solve, instance, seconds=1000.0)
    assert search.cost == 56
    assert search.found_by.startswith("within columns")
