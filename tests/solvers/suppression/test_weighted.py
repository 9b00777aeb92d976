"""Entries of different weights within limits, against every partition."""

import random

import pytest

from atleastk import NotApplicableError, Suppression, check, solve
from atleastk.models.in_time import look_up
from atleastk.models.suppression import check as checked
from atleastk.models.suppression import solution_of_groups
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression import weighted
from atleastk.solvers.suppression.piecewise import PiecewiseSearch
from atleastk.solvers.tables import leaders
from scripts.combined_wishes import partitions
from tests.helpers.verdicts import solved_rightly


def hidden_by(table, groups):
    return {
        (i, j)
        for group in groups
        for j in range(len(table[0]))
        if len({table[i][j] for i in group}) > 1
        for i in group
    }


def keeps(instance, hidden):
    counts = {
        "entries": len(hidden),
        "per_row": max((sum(a == i for a, _ in hidden) for i, _ in hidden), default=0),
        "per_column": max(
            (sum(b == j for _, b in hidden) for _, j in hidden), default=0
        ),
        "rows": len({i for i, _ in hidden}),
    }
    limited = all(counts[name] <= most for name, most in instance.limits.items())
    return limited and not any(j in instance.intact for _, j in hidden)


def least(instance):
    costs = [
        sum(instance.row_worth[i] * instance.column_worth[j] for i, j in hidden)
        for groups in partitions(range(instance.n), instance.k)
        for hidden in [hidden_by(instance.table, groups)]
        if keeps(instance, hidden)
    ]
    return min(costs, default=None)


def drawn(seed):
    rng = random.Random(seed)
    n, m = rng.randint(1, 7), rng.randint(1, 4)
    most = {"entries": n * m, "per_row": m, "per_column": n, "rows": n}
    named = rng.sample([*most], rng.randint(0, 2))
    return Suppression(
        [[rng.randint(0, 2) for _ in range(m)] for _ in range(n)],
        rng.randint(1, 3),
        limits={name: rng.randint(most[name] // 2, most[name]) for name in named},
        intact=[0] if rng.random() < 0.2 else [],
        column_weights=[rng.randint(1, 5) for _ in range(m)],
        row_weights=[rng.randint(1, 3) for _ in range(n)]
        if rng.random() < 0.5
        else None,
    )


@pytest.mark.parametrize("seed", range(60))
def test_the_optimum_is_that_of_every_partition(seed):
    instance = drawn(seed)
    solved_rightly(instance, solve(instance, workers=1), least(instance))


@pytest.mark.parametrize("method", ["cells", "sat"])
def test_models_of_cells_know_weights(method):
    for seed in range(8):
        instance = drawn(100 + seed)
        assert solve(instance, method=method, workers=1).cost == least(instance)


@pytest.mark.parametrize("method", ["patterns", "exhaustive"])
def test_others_say_that_they_do_not(method):
    with pytest.raises(NotApplicableError, match="whatever they cost"):
        solve(drawn(1), method=method)


def test_weights_of_one_are_none():
    plain = Suppression([[1, 2], [1, 3], [2, 2]], 2, limits={"per_row": 1})
    ones = Suppression(
        plain.table, 2, limits=plain.limits, column_weights=[1, 1], row_weights=[1] * 3
    )
    assert ones.unweighted == plain
    assert solve(ones, workers=1).cost == solve(plain, workers=1).cost


@pytest.mark.parametrize("seed", range(30))
def test_without_a_model_cost_and_bound_enclose_the_optimum(seed, monkeypatch):
    monkeypatch.setattr(leaders, "MOST_LED", 0)
    instance = drawn(200 + seed)
    result, cost = solve(instance, workers=1, method="auto"), least(instance)
    assert (result.cost is None) == (cost is None)
    if cost is not None:
        assert result.bound <= cost <= result.cost
        assert check(instance, result).feasible


def test_the_bound_without_limits_sees_weights():
    """Without weights nothing is known but the entries at the least of them."""
    rng = random.Random(0)
    rows = [[rng.randint(0, 2) for _ in range(4)] for _ in range(40)]
    weights = [1, 9, 9, 9]
    instance = Suppression(rows, 3, limits={"per_row": 3}, column_weights=weights)
    search = Search(instance, checked, Budget())
    PiecewiseSearch(search, "unlimited").run(search.budget)
    entries = solve(instance.unweighted, workers=1).cost
    assert entries < search.bound <= search.cost


def test_pieces_of_fewer_than_k_rows_need_no_table_without_weights(monkeypatch):
    monkeypatch.setattr(weighted, "_forget_weights", lambda *_: None)
    table = [[0, 1], [1, 1], [1, 2]]
    instance = Suppression(table, 2, intact=[0], column_weights=[1, 2])
    search = Search(instance, checked, Budget())
    weighted.minimise_weighted(search, lambda _: None)
    assert search.infeasible


def test_what_was_found_without_weights_stays_when_the_time_is_up():
    """A model whose building ended late took what came before with it."""
    instance = Suppression([[0, 1], [0, 2]], 2, minimise="entries")
    search = Search(instance, checked, Budget())

    def late(plain):
        plain.offer(solution_of_groups(plain.instance, [[0, 1]]), "late")
        plain.budget.stop.set()
        search.budget.stop.set()
        look_up()

    with search.budget.awaiting():
        weighted._forget_weights(search, late)
    assert search.cost == 2
