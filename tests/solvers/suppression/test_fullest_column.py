"""Bounds by prices, and moves that count the fullest column."""

from random import Random

import pytest
from searching import search_of

from atleastk import KAnonymity, Suppression
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.k_anonymity import optimum as fewest_entries
from atleastk.solvers.brute_force.suppression import optimum
from atleastk.solvers.suppression import fullest_column
from atleastk.solvers.suppression.deletion_bounds import offer_one_group
from atleastk.solvers.suppression.fullest_column import FullestColumn, is_plain
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns


def turned(instance, seconds):
    search = search_of(instance, seconds=seconds)
    search.raise_bound(0, "nothing")
    offer_one_group(search)
    FullestColumn(search).take_turn(search.budget)
    return search


def test_bounds_and_costs_are_on_both_sides_of_the_optimum(monkeypatch):
    monkeypatch.setattr(fullest_column, "_ASCENT", 0.01)
    monkeypatch.setattr(fullest_column, "_FIRST", 0.01)
    rng = Random(5)
    for _ in range(40):
        n, m = rng.choice([(5, 2), (6, 2), (6, 1), (4, 3)])
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = Suppression(table, rng.choice((2, 3)), minimise="per_column")
        search, best = turned(instance, 0.1), optimum(instance)
        assert search.bound <= best <= search.cost


def test_sub_tables_go_on_where_they_ended(monkeypatch):
    monkeypatch.setattr(fullest_column, "_ASCENT", 0.01)
    monkeypatch.setattr(fullest_column, "_SHARE", 0.0)
    monkeypatch.setattr(fullest_column, "_LOOKOUT", 2)
    monkeypatch.setattr(fullest_column.annealing, "improve", lambda *_, **__: None)
    pairs = [[0, 1], [2, 3], [4, 6], [5, 7], [8, 9], [10, 11]]
    table = [[i + a, i + b] for i in (0, 2, 4) for a in (0, 1) for b in (0, 1)]
    instance, starts = Suppression(table, 2, minimise="per_column"), []
    found = Assignment.of_solution(instance.records, Solution(pairs))

    def rearranged(table, start, known, budget, report, *, fullest):
        report(found)
        starts.append(start)
        if len(starts) == 2:
            budget.stop.set()
        return found

    monkeypatch.setattr(fullest_column, "reoptimise", rearranged)
    assert turned(instance, 60.0).cost == 8
    assert [start.groups for start in starts] == [1, 6]


def test_a_list_that_was_cut_is_made_again(monkeypatch):
    rng, listed = Random(7), []
    table = [[rng.randrange(3) for _ in range(3)] for _ in range(9)]
    instance = Suppression(table, 2, minimise="per_column")
    search = search_of(instance, seconds=5.0)
    columns = FullestColumn(search)

    def listing(records, k, most, budget):
        listed.append(most)
        return closed_patterns(records, k) if len(listed) > 1 else None

    monkeypatch.setattr(fullest_column, "closed_patterns", listing)
    monkeypatch.setattr(fullest_column, "pairs_within", lambda *_: 99 + len(listed))
    for _ in range(3):
        columns.take_turn(search.budget.slice(0.1))
    assert listed == [99, 100]
    assert search.bound is not None


def test_prices_prove_more_than_the_mean_of_the_columns():
    rows = [[0, 2], [2, 0], [0, 2], [0, 1], [2, 0], [0, 1], [1, 0], [2, 0]]
    instance = Suppression(rows, 2, minimise="per_column")
    entries = fewest_entries(KAnonymity(rows, 2))
    assert entries is not None
    assert -(-entries[0] // 2) == 1
    search = turned(instance, 15.0)
    assert search.bound == search.cost == 2
    assert search.proved_by == "prices"


@pytest.mark.parametrize(
    "asked",
    [
        {"minimise": "entries"},
        {"minimise": "per_row"},
        {"minimise": "per_column", "limits": {"entries": 3}},
        {"minimise": "per_column", "intact": [0]},
        {"minimise": "per_column", "column_order": [[0], [1]]},
    ],
)
def test_other_wishes_are_not_plain(asked):
    rows = [[0, 1], [1, 0], [1, 1]]
    assert is_plain(Suppression(rows, 2, minimise="per_column"))
    assert not is_plain(Suppression(rows, 2, **asked))


def test_more_columns_than_patterns_take_are_not_plain():
    rows = [[i % 3] * 63 for i in range(6)]
    assert not is_plain(Suppression(rows, 2, minimise="per_column"))
    assert is_plain(Suppression([row[1:] for row in rows], 2, minimise="per_column"))
