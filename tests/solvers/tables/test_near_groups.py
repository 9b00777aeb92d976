from dataclasses import replace

import numpy as np
import pytest
from drawing import random_anonymity
from searching import searched

from atleastk import Generalization, KAnonymity, Solution
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.k_anonymity import check
from atleastk.models.results.solution import labels_of
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.auto import run_of
from atleastk.solvers.tables import near_groups as module
from atleastk.solvers.tables import steps
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.near_groups import cheapest_first, near_groups
from atleastk.solvers.tables.near_moves import regroup
from atleastk.solvers.tables.nearness import near_records


def built_groups(search):
    run_of(search).build_groups(search.budget)


def textbook(table, k):
    """Return the cost of nearest neighbours: first row, then the k - 1 that add least.

    Rows left over join the group where they cost least.
    """

    def stars(group):
        return sum(len(set(column)) > 1 for column in zip(*group, strict=True))

    left, groups = list(table), []
    while len(left) >= k:
        group = [left.pop(0)]
        while len(group) < k:
            added = [stars([*group, row]) for row in left]
            group.append(left.pop(added.index(min(added))))
        groups.append(group)
    for row in left:

        def more(group, row=row):
            return stars([*group, row]) * (len(group) + 1) - stars(group) * len(group)

        min(groups, key=more).append(row)
    return sum(stars(group) * len(group) for group in groups)


def cost_of_labels(records, labels):
    return Assignment.of_rows(records, labels).cost(records)


def cost_of(instance, labels):
    verdict = check(instance, Solution.labelled(labels))
    assert verdict.feasible
    return verdict.cost


def near(instance, window=10**6):
    columns = np.arange(instance.m)
    return near_records(instance.records, 12, window, columns, Budget())


@pytest.mark.parametrize("window", [1, 7, 1000])
@pytest.mark.parametrize("seed", range(10))
def test_groups_are_solutions_in_any_window(seed, window):
    instance = random_anonymity(seed, 60, 12, most_k=5)
    records, k = instance.records, instance.k
    labels = cheapest_first(records, k, 12, window, Budget())
    cost = cost_of(instance, labels)
    assert cost == cost_of_labels(records, labels)
    moved = regroup(records, k, labels, Budget(), lambda _: None, effort=5)
    assert cost_of(instance, moved) <= cost


@pytest.mark.parametrize("seed", range(30))
def test_near_records_are_the_nearest(seed):
    instance = random_anonymity(seed, 60, 12, most_k=5)
    codes = instance.records.codes
    lists = near(instance)
    for t, listed in enumerate(lists):
        distances = (codes != codes[t]).sum(axis=1)
        found = distances[listed[listed >= 0]].tolist()
        assert found == sorted(np.delete(distances, t).tolist())[: len(found)]
        assert len(found) == min(lists.shape[1], len(codes) - 1)
        assert t not in listed


@pytest.mark.parametrize("columns", [3, 16, 80])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_first_steps_are_no_worse_than_the_textbook(columns, k):
    rng = np.random.default_rng(columns + k)
    for values in (2, 9):
        table = rng.integers(0, values, (60, columns)).tolist()
        instance = KAnonymity(table, k)
        search = searched(built_groups, instance)
        labels = labels_of(search.solution.groups, instance.n)
        parts = instance.records, k, labels, Budget()
        moved = regroup(*parts, lambda _: None, effort=50)
        assert cost_of(instance, moved) <= textbook(table, k)


def test_groups_of_near_rows_are_built_once(monkeypatch):
    table = np.random.default_rng(4).integers(0, 4, (90, 6)).tolist()
    search = searched(built_groups, KAnonymity(table, 3))
    known = search.solution
    monkeypatch.setattr(steps, "near_groups", None)
    built_groups(search)
    assert search.solution is known


def test_many_near_records_make_cheap_groups():
    """Groups of ten took 26,300 cells of 32 near records, the greedy ones 24,940."""
    rng = np.random.default_rng(0)
    table = np.minimum(5, rng.geometric(0.4, (2000, 16)) - 1).tolist()
    records = KAnonymity(table, 10).records
    assert (
        min(cost_of_labels(records, g) for g in near_groups(records, 10, Budget()))
        < 24_000
    )


def test_few_near_records_come_first(monkeypatch):
    """Many are cut off within a short limit: groups of 30 columns were 10 % dearer."""
    seen, records = [], KAnonymity(np.zeros((2000, 16), int).tolist(), 10).records
    monkeypatch.setattr(
        module, "cheapest_first", lambda *asked: seen.append(asked[2:4])
    )
    assert len([*near_groups(records, 10, Budget())]) == len(seen)
    assert seen == [(32, 250), (600, 3125)]


@pytest.mark.parametrize("seed", range(20))
def test_a_spent_budget_leaves_solutions(seed):
    instance = random_anonymity(seed, 60, 12, most_k=5)
    records, k = instance.records, instance.k
    spent = Budget.of(0.0)
    labels = cheapest_first(records, k, 12, 5, spent)
    cost = cost_of(instance, labels)
    moved = regroup(records, k, labels, spent, lambda _: None)
    assert cost_of(instance, moved) == cost


def test_prices_are_paid_for_columns():
    """The dear column is kept although two cheap ones are lost for it."""
    table = [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]]
    records = replace(KAnonymity(table, 2).records, prices=np.array([5, 1, 1]))
    start = cheapest_first(records, 2, 3, 4, Budget())
    found = regroup(records, 2, start, Budget(), lambda _: None)
    assert cost_of_labels(records, found) == 8


def test_groups_of_copies_are_put_aside():
    table = [[1, 1]] * 100_000 + [[1, 2]] * 3 + [[2, 2]] * 2
    instance = KAnonymity(table, 5)
    labels = cheapest_first(instance.records, 5, 10, 10, Budget())
    assert cost_of(instance, labels) <= 5


@pytest.mark.parametrize("seed", range(10))
def test_rows_pay_by_their_weights(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 9)), int(rng.integers(2, 4))
    table = rng.integers(0, 3, (n, 4)).tolist()
    weights = rng.integers(1, 100, n).tolist()
    columns = [suppression_of(range(3))] * 4
    instance = Generalization(table, k, columns, row_weights=weights)
    records = records_of_levels(instance)
    reported = []
    start = np.arange(n) * (n // k) // n
    found = regroup(records, k, start, Budget(), reported.append)
    costs = [cost_of_labels(records, labels) for labels in [start, *reported]]
    assert costs == sorted(set(costs), reverse=True)
    assert cost_of_labels(records, found) == costs[-1] == optimum(instance)


def test_groups_that_nobody_waits_for_are_not_built():
    records, budget = random_anonymity(0, 60, 8).records, Budget()
    budget.stop.set()
    assert [*near_groups(replace(records), 3, budget)] == []
