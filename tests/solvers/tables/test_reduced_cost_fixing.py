import numpy as np
import pytest
from patience import PATIENCE
from searching import search_of

import atleastk
from atleastk import KAnonymity, Solution, WrongAnswerError
from atleastk.instances.generators.generalization import trees
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization import auto as generalization
from atleastk.solvers.k_anonymity.auto import run_of
from atleastk.solvers.tables import reduced_cost_fixing
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.reduced_cost_fixing import close_gap
from tests.helpers.costs import least_cost


def begun(instance, workers=1):
    """Return a table that has one group, and weights that prove its LP bound."""
    table = run_of(search_of(instance, workers=workers))
    table.search.offer([range(instance.n)], "start")
    table.list_patterns(Budget())
    return table, improve(table.listed, Budget())


def forty_records():
    rng = np.random.default_rng(3)
    return KAnonymity(rng.integers(0, 3, (40, 5)).tolist(), 3)


@pytest.mark.parametrize("seed", range(20))
def test_small_tables_are_closed(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 5))
    n, m = int(rng.integers(k, 14)), int(rng.integers(1, 5))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    table, proved = begun(instance, int(rng.choice([1, 1, 1, 2])))
    search = table.search
    close_gap(table, proved, search.budget)
    assert search.cost == search.bound == least_cost(instance)
    ends = [(event.cost, event.bound) for event in search.events if event.bound]
    assert ends == sorted(ends, key=lambda end: (-end[0], end[1]))


def test_without_time_nothing_is_found():
    table, proved = begun(forty_records())
    before = table.cost
    close_gap(table, proved, Budget.of(0.0))
    assert table.bound < table.cost == before


def test_a_contradiction_ends_its_rival(monkeypatch):
    runs = []

    def raise_limits(*arguments):
        runs.append(arguments[-1])
        if len(runs) > 1:
            assert arguments[-1].stop.wait(PATIENCE)

    def lie(*_):
        raise WrongAnswerError("a lie")

    monkeypatch.setattr(reduced_cost_fixing, "_raise_limits", raise_limits)
    monkeypatch.setattr(reduced_cost_fixing, "minimise_below", lie)
    table, proved = begun(forty_records())
    with pytest.raises(WrongAnswerError, match="a lie"):
        close_gap(table, proved, Budget.of(workers=2))
    assert [budget.workers for budget in runs] == [2, 2]


@pytest.mark.parametrize("seed", range(6))
def test_costs_are_those_of_the_problem(seed):
    """Where a level costs more than 1, all costs are multiples of that."""
    instance = trees(seed, n=12, m=3, k=2, on="entries", loss="precision")
    search = search_of(instance)
    table = generalization.run_of(search)
    search.offer(table.solution_of(Solution.of([range(instance.n)])), "start")
    table.list_patterns(Budget())
    close_gap(table, improve(table.listed, Budget()), Budget())
    best = atleastk.solve(instance, method="subset-dp").cost
    assert search.cost == search.bound == best
