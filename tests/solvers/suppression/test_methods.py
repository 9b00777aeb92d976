import random
from dataclasses import replace

import pytest
from searching import searched

from atleastk import Suppression
from atleastk.instances.suppression_names import MINIMISATIONS
from atleastk.models.certificates.suppression import check_certificate
from atleastk.solvers.brute_force.suppression import Outcomes, optimum
from atleastk.solvers.suppression import auto as portfolio
from atleastk.solvers.suppression.methods import METHODS, solve
from atleastk.solvers.suppression.pattern_search import highs_for
from scripts.sweeps.drawn_tables import named_instance

RUNS = {"auto": solve, **{method.name: method.run for method in METHODS}}


def solved(instance, name="auto", seconds=None):
    return searched(RUNS[name], instance, seconds=seconds)


def test_the_share_of_k_anonymity_keeps_limits(monkeypatch):
    monkeypatch.setattr(portfolio, "_FEW_PAIRS", 0)
    rng = random.Random(7)
    for _ in range(4):
        table = tuple(tuple(rng.randrange(2) for _ in range(3)) for _ in range(4))
        outcomes = Outcomes.of(table)
        for name in ("r-MIN-e-SUP", "e-MIN-c-SUP", "r-c-MIN-c'-SUP", "MIN-r'-PART"):
            instance = named_instance(rng, table, MINIMISATIONS[name])
            search = solved(instance)
            assert search.closed
            best = outcomes.best(instance)
            assert (None if search.infeasible else search.cost) == best


def test_entries_alone_come_with_a_certificate():
    instance = Suppression([[0, 0], [0, 1], [1, 1], [1, 1]], 2)
    search = solved(instance)
    assert search.cost == search.bound == 2
    assert search.certificate is not None
    check_certificate(instance, search.certificate, 2)


ONE = 2**70
ORDERED = [
    Suppression(
        [[0, 0], [1, 2], [2, 1], [1, 1], [0, 1], [1, 1], [1, 0]],
        2,
        minimise="per_column",
        limits={"entries": 13},
        row_order=[[5, 0, 6], [1, 4, 3, 2]],
        column_order=[[1], [0]],
    ),
    Suppression(
        [["*", "1"], [ONE, ONE], ["*", "*"], ["1", "*"], [1, 1], ["1", ONE], ["1", 1]],
        2,
        minimise="columns",
        row_order=[[5, 4, 3, 6], [2], [1, 0]],
    ),
]


@pytest.mark.parametrize("name", ["auto", "patterns", "patterns-cp-sat"])
@pytest.mark.parametrize("instance", ORDERED, ids=["worse", "infeasible"])
def test_importance_orders_on_which_presolve_went_wrong(instance, name):
    """HiGHS 1.14 with presolve has missed the optimum of such models."""
    search = solved(instance, name)
    assert search.closed
    assert search.cost == optimum(instance)


def test_presolve_is_off_with_an_importance_order():
    """HiGHS has no presolve if the instance has an order, and only then."""
    plain = Suppression([[0, 1]] * 2, 2)
    assert not highs_for(plain).options
    for order in ({"row_order": [[0], [1]]}, {"column_order": [[1], [0]]}):
        assert highs_for(replace(plain, **order)).options == {"presolve": "off"}


@pytest.mark.usefixtures("_measured_by_work")
def test_regions_out_of_time_have_a_bound():
    rng = random.Random(13)
    table = [[rng.randrange(5) for _ in range(6)] for _ in range(60)]
    limits = {"columns": 2, "rows": 60}
    instance = Suppression(table, 4, minimise="per_column", limits=limits)
    for workers in (1, 2):
        search = searched(solve, instance, seconds=2.0, workers=workers)
        assert search.cost is not None
        assert search.bound is not None
        assert search.bound > 31  # by the distances of rows
