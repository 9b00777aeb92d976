"""Groups of near rows stay below the ceilings of what may be suppressed."""

import numpy as np
import pytest
from drawing import random_anonymity

from atleastk import Solution
from atleastk.models.k_anonymity import suppressed
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.column_stars import Ceilings
from atleastk.solvers.tables.near_moves import regroup


def measured(instance, labels):
    hidden = suppressed(instance, Solution.labelled(labels))
    return Ceilings(
        int(hidden.sum(axis=1).max(initial=0)),
        hidden.sum(axis=0),
        int(hidden.sum()),
        int(hidden.any(axis=1).sum()),
        int(hidden.any(axis=0).sum()),
    )


def in_order(instance):
    """Return groups of k rows that follow each other; the last takes what is left."""
    places = np.arange(instance.n) // instance.k
    return np.minimum(places, instance.n // instance.k - 1)


def moved(instance, labels, ceilings):
    parts = instance.records, instance.k, labels, Budget()
    return regroup(*parts, lambda _: None, effort=50, ceilings=ceilings)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_below_ceilings_stays_below(seed):
    instance = random_anonymity(seed, 60, 8, least_columns=1)
    labels = in_order(instance)
    most = measured(instance, labels)
    after = moved(instance, labels, most)
    for found, ceiling in zip(measured(instance, after), most, strict=True):
        assert np.all(found <= ceiling)
    records = instance.records
    costs = [Assignment.of_rows(records, one).cost(records) for one in (after, labels)]
    assert costs[0] <= costs[1]


@pytest.mark.parametrize("seed", range(5))
def test_ceilings_that_nothing_reaches_change_no_move(seed):
    instance = random_anonymity(seed, 60, 8, least_columns=1)
    n, m = instance.n, instance.m
    labels = in_order(instance)
    free = Ceilings(m, np.full(m, n), n * m, n, m)
    without = moved(instance, labels, None)
    assert moved(instance, labels, free).tolist() == without.tolist()
