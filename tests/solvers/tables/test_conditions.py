"""Patterns whose groups keep a condition: best sets, covers and moves."""

from itertools import product

import numpy as np
import pytest

from atleastk import Diversity
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.diversity import failing, is_diverse
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.diversity.kind_patterns import kinds_of, sensitive_of
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.local_search_state import PatternIndex
from atleastk.solvers.tables.ruin_and_recreate import State
from atleastk.solvers.tables.valuation import Valuation

NO_FLAG = np.zeros(1, dtype=np.uint8)


def random_index(rng, rows, columns, **asked):
    """Return an instance that is feasible, and its patterns; None if it is not."""
    n, m, k = int(rng.integers(*rows)), int(rng.integers(*columns)), asked.pop("k")
    cells = rng.integers(0, rng.integers(2, 4), (n, m)).tolist()
    values = rng.choice(4, (n, int(rng.integers(1, 3))), p=[0.5, 0.3, 0.1, 0.1])
    stars = [suppression_of(range(3))] * m
    instance = Diversity(cells, k, stars, sensitive=values.tolist(), **asked)
    if n < instance.least_rows or not is_diverse(instance, range(n)):
        return None
    kinds, _ = kinds_of(instance, records_of_levels(instance))
    condition = sensitive_of(instance)
    found = closed_patterns(kinds, instance.least_rows)
    assert condition is not None
    patterns = condition.diverse(found)
    return instance, PatternIndex.of(
        ListedTable(patterns, kinds, instance.least_rows, condition)
    )


ASKED = [
    {"l": 2, "k": 2},
    {"l": 3, "k": 4},
    {"l": 2, "k": 3, "reading": "frequency"},
    {"l": 3, "k": 2, "reading": "frequency"},
    {"t": "0.3", "k": 2},
    {"l": 2, "k": 3, "t": "0.4"},
    {"l": 2, "k": 2, "t": "0.35", "reading": "frequency"},
]


def naive_value(index, p, weights, scale):
    """Return the greatest value of a set of rows, by trying all."""
    records, asked = index.listed.records, index.listed.asked
    members = index.listed.patterns.matching(p)
    most = [int(totals.max()) for totals in asked.totals]
    column = most.index(max(most))
    value = asked.values[:, column]
    terms = weights[members] - int(index.listed.patterns.stars[p]) * scale
    best = None
    for taken in product(*(range(records.copies[t] + 1) for t in members)):
        held = np.bincount(value[members], taken)
        size, different = sum(taken), np.count_nonzero(held)
        few = size < index.table.k or different < asked.different
        most = (asked.n * held - asked.totals[column][: len(held)] * size).max()
        far = asked.different <= 2 and most > asked.reach[size]
        if not few and not far and asked.share * held.max() <= size:
            sum_of = int(terms @ taken)
            best = sum_of if best is None else max(best, sum_of)
    return best


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_values_are_those_of_the_best_sets(asked, seed):
    rng, scale = np.random.default_rng(seed), 64
    made = random_index(rng, (4, 9), (1, 4), **asked)
    if made is None:
        return
    index = made[1]
    patterns, records = index.listed.patterns, index.listed.records
    valuation = Valuation(index.listed, scale)
    weights = rng.integers(-scale, 5 * scale, records.distinct)
    rise = fall = 0
    for _ in range(12):
        total = valuation(weights, rise, fall)
        naive = [naive_value(index, p, weights, scale) for p in range(patterns.count)]
        values = [0 if value is None else max(0, value) for value in naive]
        assert total == sum(values)
        paid = valuation.taken @ weights - total
        assert paid == _paid(index, weights, scale, values)
        moves = rng.integers(-1, 2, records.distinct) * int(rng.choice([1, 8, 64]))
        weights = weights + moves
        rise, fall = max(0, int(moves.max())), max(0, -int(moves.min()))


def _paid(index, weights, scale, values):
    """Return what a fresh valuation pays for the sets it takes."""
    fresh = Valuation(index.listed, scale)
    assert fresh(weights, 0, 0) == sum(values)
    return fresh.taken @ weights - sum(values)


def groups_of(index, pattern):
    """Return the group of every row of the table."""
    found = index.assignment(pattern)
    return index.listed.records.row_groups(found.group, found.record, found.copies)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_moves_keep_the_condition(asked, seed):
    rng = np.random.default_rng(seed)
    made = random_index(rng, (10, 80), (1, 6), **asked)
    if made is None:
        return
    instance, index = made
    pattern = np.full(instance.n, index.listed.patterns.count - 1, dtype=np.int32)
    state = State(index, pattern, np.arange(instance.n, dtype=np.int32))
    for heat in (2.0, 0.5, 0.01):
        state.anneal(300, heat, heat, seed, NO_FLAG)
        cost = state.cost
        assert state.settle() == cost - state.cost
        groups = groups_of(index, pattern)
        assert not failing(instance, groups).any()
        assert np.bincount(groups).min() >= instance.least_rows
        count, rows = index.listed.patterns.count, index.table.record
        fresh = index.listed.asked.counted(count, pattern, rows).held[:count]
        assert np.array_equal(state._condition.held[:count], fresh)
        assert index.assignment(pattern).cost(index.listed.records) <= state.cost
