import random

import pytest
from searching import search_of

from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES
from atleastk.models.suppression import check
from atleastk.solvers.brute_force.suppression import Outcomes
from atleastk.solvers.suppression import first
from atleastk.solvers.suppression.deletion_bounds import offer_one_group
from atleastk.solvers.suppression.first import from_entries, least_measures, raise_to
from atleastk.solvers.tables import first_groups


def test_no_optimum_is_below_the_least_measures():
    rng = random.Random(1)
    tight = 0
    for _ in range(60):
        n, m = rng.choice([(6, 2), (4, 3), (3, 4)])
        table = tuple(tuple(rng.randrange(3) for _ in range(m)) for _ in range(n))
        outcomes = Outcomes.of(table)
        fewest = outcomes.best(Suppression(table, 2))
        for quantity in QUANTITIES:
            for region in ({}, {"rows": n}, {"columns": 1}, {"columns": m, "rows": 1}):
                instance = Suppression(table, 2, minimise=quantity, limits=region)
                best = outcomes.best(instance)
                if best is None:
                    continue
                least = least_measures(search_of(instance))
                assert least.get(quantity, 0) <= best
                assert from_entries(instance, fewest).get(quantity, 0) <= best
                tight += least.get(quantity, 0) == best
    assert tight > 100


def test_a_limit_below_the_least_is_infeasible():
    table = [[1, 1], [2, 2]]
    search = search_of(Suppression(table, 2, minimise="rows", limits={"entries": 3}))
    raise_to(search, least_measures(search), "distances")
    assert search.infeasible
    search = search_of(Suppression(table, 2, minimise="rows", limits={"entries": 4}))
    raise_to(search, least_measures(search), "distances")
    assert search.bound == 2


def test_all_cells_of_many_are_suppressed_only_if_nothing_else_will_do(monkeypatch):
    monkeypatch.setattr(first, "_MANY", 0)
    table = [[1, 1], [1, 1], [2, 3], [2, 4]]
    plain = Suppression(table, 2)
    assert [name for name, _ in first.first_answers(plain)] == ["peeled columns"]
    intact = Suppression(table, 2, limits={"entries": 0})
    assert len([*first.first_answers(intact)]) == 2


@pytest.mark.parametrize("seed", range(40))
def test_first_groups_agree_on_intact_columns(monkeypatch, seed):
    monkeypatch.setattr(first_groups, "MOST_IDLE", [0, 1, 100][seed % 3])
    rng = random.Random(seed)
    n, m, k = rng.randint(1, 40), rng.randint(2, 4), rng.randint(1, 4)
    table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
    intact = sorted(rng.sample(range(m), rng.randint(1, m)))
    instance = Suppression(table, k, intact=intact)
    values = [tuple(row[j] for j in intact) for row in table]
    feasible = min(map(values.count, values)) >= k
    found = [solution for _, solution in first.first_answers(instance)]
    verdicts = [check(instance, solution) for solution in found]
    assert any(verdict.feasible for verdict in verdicts) == feasible
    if feasible:
        one = search_of(instance)
        offer_one_group(one)
        assert verdicts[0].cost <= one.cost


def test_rows_that_are_left_are_a_group_if_they_suffice(monkeypatch):
    monkeypatch.setattr(first_groups, "MOST_IDLE", 1)
    table = [[1, 1, 1], [1, 1, 1], [1, 2, 3], [1, 4, 5]]
    instance = Suppression(table, 2, intact=[0])
    _, solution = next(iter(first.first_answers(instance)))
    assert check(instance, solution).cost == 4
    instance = Suppression(table[:3], 2, intact=[0])
    _, solution = next(iter(first.first_answers(instance)))
    assert check(instance, solution).cost == 6
