import random

import pytest
from searching import search_of

from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.suppression import Outcomes
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
