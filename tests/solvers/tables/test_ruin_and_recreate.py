from dataclasses import replace

import numpy as np
import pytest

from atleastk import KAnonymity
from atleastk.models.results.solution import Solution
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.first_groups import neighbours
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.local_search_state import PatternIndex
from atleastk.solvers.tables.ruin_and_recreate import State
from tests.helpers.listed import is_partition

NO_FLAG = np.zeros(1, dtype=np.uint8)


def random_instance(seed, most=60):
    rng = np.random.default_rng(seed)
    k = int(rng.choice([1, 2, 3, 5, 9]))
    n = int(rng.integers(k, k + most))
    columns, values = int(rng.integers(1, 7)), int(rng.integers(1, 6))
    return KAnonymity(rng.integers(0, values, (n, columns)).tolist(), k)


def ground_of(instance):
    patterns = closed_patterns(instance.records, instance.k)
    return PatternIndex.of(ListedTable(patterns, instance.records, instance.k))


def covered(index):
    """Return the pattern of every row in the cover of APPROX-DR."""
    groups = np.empty(index.listed.records.n, dtype=np.int64)
    groups[index.listed.records.rows] = direct(index.listed)
    return index.chosen(Assignment.of_rows(index.listed.records, groups))


def assert_sound(index, state):
    """The sizes and lists of a state agree with its patterns, which are a solution."""
    records, patterns = index.listed.records, index.listed.patterns
    sizes = np.bincount(state.pattern[state.mine], minlength=patterns.count)
    assert np.array_equal(sizes, state._homes.size)
    assert not ((sizes > 0) & (sizes < index.table.k)).any()
    for p in np.flatnonzero(sizes):
        chained, row = [], int(state._homes.first[p])
        while row >= 0:
            chained.append(row)
            row = int(state._homes.after[row])
        assert sorted(chained) == np.flatnonzero(state.pattern == p).tolist()
        assert set(index.table.record[chained]) <= set(patterns.matching(p))
    for clean in (state._work.held, state._work.left, state._work.is_free):
        assert not clean.any()
    assignment = index.assignment(state.pattern)
    assert is_partition(assignment, records, index.table.k)
    lost = records.worth[index.table.record] * patterns.stars[state.pattern]
    assert assignment.cost(records) <= lost.sum()


@pytest.mark.parametrize("seed", range(80))
def test_every_state_is_a_solution(seed):
    instance = random_instance(seed)
    index = ground_of(instance)
    pattern = covered(index)
    state = State(index, pattern, np.arange(instance.n, dtype=np.int32))
    for moves, heat in ((1, 9.0), (7, 5.0), (100, 2.0), (300, 0.5), (50, 0.01)):
        assert state.anneal(moves, heat, heat / 2, seed, NO_FLAG) == moves
        assert_sound(index, state)
        before = state.cost
        saved = state.settle()
        assert before - state.cost == saved >= 0
        assert_sound(index, state)


@pytest.mark.parametrize("seed", range(20))
def test_rows_that_pay_several_times(seed):
    instance = random_instance(seed)
    plain = instance.records
    weights = np.random.default_rng(seed).integers(1, 9, plain.distinct)
    patterns = closed_patterns(plain, instance.k)
    index = PatternIndex.of(
        ListedTable(patterns, replace(plain, weights=weights), instance.k)
    )
    pattern = covered(index)
    state = State(index, pattern, np.arange(instance.n, dtype=np.int32))
    for moves in (1, 100, 300):
        state.anneal(moves, 2.0, 0.5, seed, NO_FLAG)
        assert_sound(index, state)
        before = state.cost
        assert state.settle() == before - state.cost >= 0
        paid = patterns.stars[state.pattern] * weights[index.table.record]
        assert state.cost == paid.sum()


def test_weights_decide_who_is_left_over():
    instance = KAnonymity([[0, 0], [0, 1], [0, 2], [1, 2]], 2)
    weights = np.array([9, 9, 1, 1])
    patterns = closed_patterns(instance.records, 2)
    records = replace(instance.records, weights=weights)
    index = PatternIndex.of(ListedTable(patterns, records, 2))
    pattern = covered(index)
    state = State(index, pattern, np.arange(4, dtype=np.int32))
    state.anneal(200, 5.0, 0.1, 1, NO_FLAG)
    assert state.cost == 20


def test_stars_are_those_of_patterns_that_keep_less_than_groups_share():
    index = ground_of(KAnonymity([[0, 0], [0, 0], [1, 1], [1, 1]], 2))
    rows, last = np.arange(4, dtype=np.int32), index.listed.patterns.count - 1
    pattern = np.array([0, 0, last, last], dtype=np.int32)
    assert State(index, pattern, rows, power=8.0)._balance.before.tolist() == [2, 2]


def test_settling_moves_a_row_to_a_cheaper_open_pattern():
    instance = KAnonymity([[0, 0], [0, 0], [0, 0], [1, 1], [2, 2]], 2)
    index = ground_of(instance)
    last = index.listed.patterns.count - 1
    pattern = np.array([0, 0, last, last, last], dtype=np.int32)
    state = State(index, pattern, np.arange(5, dtype=np.int32))
    assert state.settle() == 2
    assert state.cost == 4
    assert_sound(index, state)


def test_a_share_leaves_other_rows_alone():
    instance = KAnonymity(np.random.default_rng(3).integers(0, 3, (200, 5)).tolist(), 3)
    index = ground_of(instance)
    groups = neighbours(instance.records, 3)
    pattern = index.chosen(Assignment.of_rows(instance.records, groups))
    mine = np.flatnonzero(pattern % 2 == 0).astype(np.int32)
    others = np.flatnonzero(pattern % 2 == 1)
    before = pattern.copy()
    state = State(index, pattern, mine)
    start = state.cost
    assert state.anneal(5000, 1.0, 0.1, 0, NO_FLAG) == 5000
    assert state.cost < start
    assert np.array_equal(before[others], pattern[others])
    assert (before[mine] != pattern[mine]).any()
    sizes = np.bincount(pattern[mine])
    assert sizes[sizes > 0].min() >= 3


def test_a_raised_flag_ends_it():
    index = ground_of(random_instance(5))
    pattern = covered(index)
    state = State(index, pattern, np.arange(len(pattern), dtype=np.int32))
    before = pattern.copy()
    assert state.anneal(100, 9.0, 1.0, 0, np.ones(1, dtype=np.uint8)) == 0
    assert np.array_equal(before, pattern)


def test_groups_get_the_pattern_of_what_they_keep():
    instance = KAnonymity([[0, 0], [0, 1], [1, 0], [1, 1]], 2)
    index = ground_of(instance)
    by_first = Assignment.of_solution(instance.records, Solution([[0, 1], [2, 3]]))
    by_second = Assignment.of_solution(instance.records, Solution([[0, 2], [1, 3]]))
    kept = index.listed.patterns.kept
    assert kept[index.chosen(by_first)].tolist() == [1, 1, 1, 1]
    assert kept[index.chosen(by_second)].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("seed", range(12))
def test_prices_in_smaller_units_change_no_move(seed):
    """Noise and loss once were of a price of 1, whatever a cell cost."""
    instance = random_instance(seed)
    found = []
    for unit in (1, 64):
        prices = np.full(instance.m, unit, dtype=np.int64)
        records = replace(instance.records, prices=prices)
        patterns = closed_patterns(records, instance.k)
        index = PatternIndex.of(ListedTable(patterns, records, instance.k))
        state = State(index, covered(index), np.arange(instance.n, dtype=np.int32))
        state.anneal(200, unit * 2.0, unit * 0.2, seed, NO_FLAG)
        found.append(state.pattern)
    assert np.array_equal(*found)


@pytest.mark.parametrize("seed", range(12))
def test_balanced_states_are_solutions_whose_stars_are_counted(seed):
    index = ground_of(random_instance(seed))
    rows = np.arange(index.listed.records.n, dtype=np.int32)
    worst = np.full(len(rows), index.listed.patterns.count - 1, dtype=np.int32)
    for start in (covered(index), worst):
        state = State(index, start, rows, power=8.0)
        state.anneal(300, 2.0, 0.2, seed, NO_FLAG)
        assert_sound(index, state)
        kept = index.listed.patterns.kept[state.pattern, None] >> np.arange(
            index.listed.records.m
        )
        assert np.array_equal(state._balance.before, (1 - (kept & 1)).sum(axis=0))
