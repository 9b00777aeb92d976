import numpy as np
import pytest
from searching import search_of

from atleastk import Solution, Suppression
from atleastk.models.k_anonymity import suppressed
from atleastk.models.suppression import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression import auto as portfolio
from atleastk.solvers.suppression.padded_moves import (
    offer_by_importance,
    offer_rearranged,
    order_of,
)
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.tables import leaders
from atleastk.solvers.tables.column_stars import padded_cost


def random_wish(seed, n=60, k=2):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(3, 7))
    table = rng.integers(0, 4, (n, m))
    table[:, 0] = np.arange(n) % 2
    classes = np.array_split(1 + rng.permutation(m - 1), int(rng.integers(2, 4)))
    intact = [0] if rng.random() < 0.5 else []
    order = [[0], *(part.tolist() for part in classes if len(part))]
    wish = Suppression(table.tolist(), k, column_order=order, intact=intact)
    return wish, neighbours(wish)


def neighbours(wish):
    rows = sorted(range(wish.n), key=lambda row: wish.table[row][0])
    return [rows[i : i + wish.k] for i in range(0, wish.n, wish.k)]


def begun(wish, groups, seed=1):
    search = Search(wish, check, Budget(seed=seed))
    search.offer(padded(wish, groups), "groups")
    return search


def cost_of(wish, groups):
    verdict = check(wish, padded(wish, groups))
    assert verdict.feasible
    return verdict.cost


@pytest.mark.parametrize("seed", range(40))
def test_the_cost_of_stars_is_that_of_padded_groups_but_for_whole_groups(seed):
    """Each column may have up to a group more than it needs, and so on for later."""
    wish, groups = random_wish(seed)
    stars = suppressed(wish, Solution.of(groups)).sum(axis=0)
    counted = padded_cost(stars.astype(np.int64), order_of(wish))
    assert counted <= cost_of(wish, groups) <= counted + wish.k * wish.m**2


@pytest.mark.parametrize("seed", range(8))
def test_moves_lessen_the_cost_of_padded_groups_and_keep_what_is_intact(seed):
    wish, groups = random_wish(seed)
    search = begun(wish, groups, seed)
    offer_rearranged(search, groups, "padded moves", search.budget)
    assert search.found_by == "padded moves"
    assert search.cost < cost_of(wish, groups)


def test_a_star_in_a_padded_column_is_free():
    """Groups of equal cost, unpadded: the moves find those whose padding is less."""
    table = [[i // 2 % 2, i % 2] for i in range(40)]
    # Rows agree in column 0, and column 1 has stars: padded otherwise.
    wish = Suppression(table, 20, column_order=[[0], [1]])
    groups = [list(range(0, 40, 2)), list(range(1, 40, 2))]
    assert cost_of(wish, groups) == 80
    search = begun(wish, groups)
    offer_rearranged(search, groups, "padded moves", search.budget)
    assert search.cost == 40


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_nearer_in_what_is_more_important(seed):
    wish, groups = random_wish(seed)
    search = begun(wish, groups)
    offer_by_importance(search, "important columns", search.budget)
    assert search.found_by == "important columns"


@pytest.mark.parametrize("cheap", [True, False])
def test_plain_groups_that_are_padded_go_on_by_these_moves(monkeypatch, cheap):
    """The plain way once had the whole time, whatever its groups cost padded."""
    offered = []
    monkeypatch.setattr(portfolio, "MODELLED_PAIRS", 0)
    monkeypatch.setattr(leaders, "MOST_LED", 0)
    monkeypatch.setattr(portfolio, "offer_rearranged", lambda *_: offered.append(_))
    rng = np.random.default_rng(1)
    if cheap:
        table = [[0, i // 4, i // 2, i] for i in range(60)]
    else:
        table = [[*rng.integers(0, 9, 3).tolist(), i // 6] for i in range(60)]
    order = [[0], [1], [2], [3]]
    search = search_of(Suppression(table, 2, column_order=order), seconds=1000.0)
    portfolio.solve(search)
    assert search.solution is not None
    assert bool(offered) != cheap
