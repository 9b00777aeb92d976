from contextlib import contextmanager

import numpy as np
import pytest
from drawing import random_anonymity
from searching import search_of

from atleastk import KAnonymity
from atleastk.models.certificates.k_anonymity import check_certificate
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.auto import run_of
from atleastk.solvers.tables import steps, wide_tables
from atleastk.solvers.tables.wide_tables import (
    least_at_once,
    least_by_sets,
    least_distances,
    least_known,
)
from tests.helpers.costs import least_cost
from tests.helpers.listed import listed_table


def distances_of(instance):
    table, k = instance.table, instance.k
    found = []
    for i, row in enumerate(table):
        others = sorted(
            sum(a != b for a, b in zip(row, other, strict=True))
            for j, other in enumerate(table)
            if j != i
        )
        found.append(others[k - 2] if k > 1 else 0)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_distances_are_those_of_the_rows(seed):
    instance = random_anonymity(seed)
    least = least_distances(instance.records, instance.k, Budget())
    assert least[instance.records.record_of].tolist() == distances_of(instance)


@pytest.mark.parametrize("seed", range(40))
def test_distances_bound_the_optimum_and_patterns_more(seed):
    instance = random_anonymity(seed)
    records, k = instance.records, instance.k
    bound = int(least_distances(records, k, Budget()) @ records.copies)
    least = listed_table(records, k).least_stars
    assert bound <= least @ records.copies <= least_cost(instance)


@pytest.mark.parametrize("seed", range(40))
def test_sets_of_columns_say_no_less_than_distances(seed):
    instance = random_anonymity(seed)
    records, k = instance.records, instance.k
    least = least_by_sets(records, k, Budget())
    assert (least >= least_distances(records, k, Budget())).all()
    assert least.tolist() == listed_table(records, k).least_stars.tolist()
    none = least_by_sets(records, k, Budget.of(0))
    assert not none.any()


@pytest.mark.parametrize("seed", range(40))
def test_values_and_distances_are_weights_that_prove_their_bound(seed, monkeypatch):
    instance = random_anonymity(seed)
    records, k = instance.records, instance.k
    known = least_known(records, k, Budget())
    monkeypatch.setattr(wide_tables, "CELLS_AT_ONCE", -1)
    for least in (known, least_at_once(records, k, Budget())):
        proof = {"kind": "weights", "scale": 1, "weights": least.tolist()}
        check_certificate(instance, proof, int(least @ records.copies))


def test_rare_values_are_lost():
    records = KAnonymity([[0, 0, i % 2, i] for i in range(6)], 4).records
    assert least_known(records, 4, Budget()).tolist() == [2] * 6


def test_distances_of_pairs_can_be_the_optimum():
    wide = [[0] * 70, [0] * 69 + [1], [2] * 70, [2] * 68 + [3, 3]]
    records = KAnonymity(wide, 2).records
    assert int(least_distances(records, 2, Budget()) @ records.copies) == 2 + 4


@contextmanager
def told_at_once(_budget, call):
    call()
    yield


def test_rows_that_were_not_looked_at_count_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    records = KAnonymity(rng.integers(0, 5, (1500, 80)).tolist(), 3).records
    whole = least_distances(records, 3, Budget())
    assert (whole > 0).all()
    part = least_distances(records, 3, Budget.of(0.01))
    assert ((part == 0) | (part == whole)).all()
    monkeypatch.setattr(Budget, "calling", told_at_once)
    assert not least_distances(records, 3, Budget()).any()


def test_a_small_table_is_asked_once(monkeypatch):
    asked = []
    monkeypatch.setattr(steps, "least_at_once", lambda *_: asked.append(1) or few)
    search = search_of(KAnonymity([[i % 2, i] for i in range(6)], 3))
    run = run_of(search)
    few = np.zeros(run.records.distinct, dtype=np.int64)
    for _ in range(2):
        run.bound_at_once(search.budget)
    assert len(asked) == 1
    monkeypatch.setattr(wide_tables, "CELLS_AT_ONCE", -1)
    run.bound_at_once(search.budget)
    assert len(asked) == 2
