import numpy as np
import pytest
from costs import cost_of
from patience import PATIENCE
from searching import searched

from atleastk import KAnonymity, Suppression
from atleastk.models.suppression import check
from atleastk.solvers.k_anonymity.auto import solve as anonymise
from atleastk.solvers.suppression import auto as portfolio
from atleastk.solvers.suppression.padding import padded, pieces
from atleastk.solvers.suppression.piecewise import PiecewiseSearch


def solved(instance):
    return searched(portfolio.solve, instance)


def anonymised(table, k):
    return searched(anonymise, KAnonymity(table, k)).cost


def random_groups(rng, n, k):
    return [g.tolist() for g in np.array_split(rng.permutation(n), max(1, n // k))]


@pytest.mark.parametrize("seed", range(10))
def test_an_intact_column_costs_what_its_pieces_cost(seed):
    rng = np.random.default_rng(seed)
    halves = [rng.integers(0, 3, (int(rng.integers(2, 9)), 4)) for _ in range(2)]
    table = [[side, *row] for side, half in enumerate(halves) for row in half.tolist()]
    search = solved(Suppression(table, 2, intact=[0]))
    assert search.closed
    assert search.cost == sum(anonymised(half.tolist(), 2) for half in halves)


def test_a_piece_of_too_few_rows_is_infeasible():
    search = solved(Suppression([[0, 1], [0, 1], [1, 1]], 2, intact=[0]))
    assert search.infeasible


def test_pieces_are_rows_of_equal_intact_values():
    instance = Suppression([[0, 5], [1, 5], [0, 6], [1, 5]], 1, intact=[0])
    assert [piece.tolist() for piece in pieces(instance, [0])] == [[0, 2], [1, 3]]
    whole = Suppression([[0], [1]], 1)
    assert [piece.tolist() for piece in pieces(whole, [])] == [[0, 1]]


@pytest.mark.parametrize("seed", range(40))
def test_padded_solutions_keep_orders(seed):
    rng = np.random.default_rng(seed)
    k, n, m = 2, int(rng.integers(4, 30)), int(rng.integers(2, 6))
    columns = np.array_split(rng.permutation(m), 2)
    rows = np.array_split(rng.permutation(n), 2)
    table = rng.integers(0, 3, (n, m)).tolist()
    groups = random_groups(rng, n, k)
    for order in (
        {"column_order": [part.tolist() for part in columns]},
        {"row_order": [part.tolist() for part in rows]},
    ):
        instance = Suppression(table, k, **order)
        assert check(instance, padded(instance, groups)).feasible


def test_an_order_that_plain_groups_keep_costs_no_more():
    table = [[0, i // 2, i] for i in range(20)]
    instance = Suppression(table, 2, column_order=[[0], [1], [2]])
    groups = [[i, i + 1] for i in range(0, 20, 2)]
    assert check(instance, padded(instance, groups)).cost == 20


def test_tables_of_few_patterns_start_from_padded_groups_too(monkeypatch):
    monkeypatch.setattr(portfolio, "minimise_by_patterns", lambda *_: None)
    table = np.random.default_rng(5).integers(0, 4, size=(200, 5)).tolist()
    instance = Suppression(table, 3, column_order=[[0], [1], [2, 3, 4]])
    assert solved(instance).cost < 600


def test_an_important_column_costs_no_more_than_an_intact_one(monkeypatch):
    """An intact first column keeps the order by construction."""
    monkeypatch.setattr(portfolio, "minimise_by_patterns", lambda *_: None)
    rng = np.random.default_rng(1)
    table = [[i // 6, *rng.integers(0, 3, 4).tolist()] for i in range(60)]
    intact = solved(Suppression(table, 3, intact=[0]))
    ordered = solved(Suppression(table, 3, column_order=[[0], [1, 2, 3, 4]]))
    assert ordered.cost <= intact.cost < anonymised(table, 3) + 60


@pytest.mark.parametrize("wish", ["row_order", "both orders", "per_row"])
def test_rows_of_one_number_of_cells_are_at_hand(monkeypatch, wish):
    monkeypatch.setattr(portfolio, "minimise_by_patterns", lambda *_: None)
    monkeypatch.setattr(PiecewiseSearch, "begin", lambda *_: None)
    rng = np.random.default_rng(2)
    table = [[i % 2, i % 3, *rng.integers(0, 9, 3).tolist()] for i in range(60)]
    rows = [part.tolist() for part in np.array_split(rng.permutation(60), 3)]
    columns = [[0], [2], [1, 3, 4]]
    more = {
        "row_order": {"row_order": rows},
        "both orders": {"row_order": rows, "column_order": columns},
        "per_row": {"minimise": "per_row"},
    }[wish]
    costs = {"row_order": 180, "both orders": 240, "per_row": 3}
    assert solved(Suppression(table, 3, **more)).cost == costs[wish]


@pytest.mark.parametrize("seed", range(20))
def test_any_importance_of_rows_can_be_padded(seed):
    """What is padded late counts for early classes, if a group has rows of both."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(10, 40)), int(rng.integers(2, 7))
    table = rng.integers(0, 3, (n, m)).tolist()
    rows = [[int(row)] for row in rng.permutation(n)]
    instance = Suppression(table, 2, row_order=rows)
    assert check(instance, padded(instance, random_groups(rng, n, 2))).feasible


def test_an_order_that_plain_groups_keep_gets_all_the_time(monkeypatch):
    """The list of patterns once took it, and nothing but whole columns was offered."""
    monkeypatch.setattr(portfolio, "minimise_by_patterns", None)
    monkeypatch.setattr(portfolio, "_FEW_PAIRS", -1)
    table = [[0, i // 4, i // 2, i] for i in range(60)]
    instance = Suppression(table, 2, column_order=[[0], [1], [2], [3]])
    search = searched(portfolio.solve, instance, seconds=1000.0)
    assert search.cost == search.bound == 60


@pytest.mark.parametrize("cheap", [True, False])
def test_the_turn_of_the_fewest_entries_ends_if_they_need_padding(
    monkeypatch, clock, cheap
):
    turns = []

    def solve_pieces(search):
        search.build()
        search.report()
        if not turns:
            clock.put_forward(600.0)
            assert search.budget.stop.wait(PATIENCE)
        turns.append(search)

    monkeypatch.setattr(PiecewiseSearch, "solve", solve_pieces)
    monkeypatch.setattr(portfolio, "minimise_near_bound", lambda *_: turns.append(None))
    monkeypatch.setattr(portfolio, "minimise_by_patterns", lambda *_: None)
    monkeypatch.setattr(portfolio, "offer_rearranged", lambda *_: None)
    monkeypatch.setattr(portfolio, "_FEW_PAIRS", -1)
    rng = np.random.default_rng(1)
    table = [[i // 6, *rng.integers(0, 3, 4).tolist()] for i in range(60)]
    order = [[1, 2, 3, 4], [0]] if cheap else [[0], [1, 2, 3, 4]]
    searched(portfolio.solve, Suppression(table, 3, column_order=order), seconds=1000.0)
    first, near, last = turns
    assert first.padded_within(0.01) == cheap
    assert near is None
    assert first is last


def test_rows_of_too_many_stars_join_other_groups():
    table = [[0, 0, i // 2] for i in range(8)] + [[0, 1, 8], [0, 0, 9]]
    groups = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    wish = Suppression(table, 2, limits={"per_row": 2})
    assert check(wish, padded(wish, groups)).cost == 4
    table[9][1] = 1
    wish = Suppression(table, 2, limits={"per_row": 1})
    assert check(wish, padded(wish, groups)).cost == 2
    table = [[i // 2, i // 2, 0] for i in range(8)] + [[4, 4, 0], [0, 5, 0]]
    wish = Suppression(table, 2, limits={"per_row": 2})
    assert check(wish, padded(wish, groups)).cost == 4
    wish = Suppression(table, 2, limits={"per_row": 1})
    assert not check(wish, padded(wish, groups)).feasible


def test_rows_that_have_most_stars_join_groups_if_that_is_cheaper():
    table = [[i // 3, 0, 0] for i in range(9)] + [[0, 1, 2], [1, 2, 1]]
    groups = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10]]
    wish = Suppression(table, 2, row_order=[[9, 10], [*range(9)]])
    assert cost_of(wish, padded(wish, groups)) == 22
