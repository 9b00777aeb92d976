import numpy as np
import pytest

from atleastk import KAnonymity, Solution
from atleastk.models.k_anonymity import check
from atleastk.solvers.tables.assignment import (
    Assignment,
    patterns_by_record,
    patterns_of,
)
from atleastk.solvers.tables.closed_patterns import closed_patterns


def random_table(rng, n, columns, values):
    return [[int(v) for v in row] for row in rng.integers(0, values, (n, columns))]


def random_groups(rng, n, k):
    rows = rng.permutation(n)
    return [rows[i :: max(1, n // k)].tolist() for i in range(max(1, n // k))]


def random_case(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 5))
    n = int(rng.integers(k, 40))
    table = random_table(rng, n, int(rng.integers(1, 6)), int(rng.integers(1, 4)))
    return KAnonymity(table, k), random_groups(rng, n, k)


@pytest.mark.parametrize("seed", range(60))
def test_groups_there_and_back(seed):
    instance, groups = random_case(seed)
    records = instance.records
    assignment = Assignment.of_solution(records, Solution(groups))
    assert assignment.cost(records) == check(instance, Solution.of(groups)).cost
    assert assignment.sizes.tolist() == [len(group) for group in groups]
    verdict = check(instance, Solution.of(assignment.rows(instance.records)))
    assert verdict.feasible
    assert verdict.cost == assignment.cost(records)
    again = Assignment.of_solution(records, Solution(assignment.rows(records)))
    for field in ("group", "record", "copies"):
        assert np.array_equal(getattr(assignment, field), getattr(again, field))


def test_costs_of_more_columns_than_a_word_has_bits():
    """Columns from the 65th on were once as constant as the 64th."""
    for last in (0, 1):
        table = [[0] * 63 + [i * last, i, 0] for i in range(2)]
        instance = KAnonymity(table, 2)
        assignment = Assignment.of_solution(instance.records, Solution([[0, 1]]))
        assert assignment.cost(instance.records) == 2 + 2 * last


@pytest.mark.parametrize("seed", range(60))
def test_what_a_group_keeps_is_a_closed_pattern(seed):
    instance, groups = random_case(seed)
    records = instance.records
    patterns = closed_patterns(records, instance.k)
    starts, listed = patterns_by_record(patterns, records.distinct)
    assignment = Assignment.of_solution(records, Solution(groups))
    found = patterns_of(assignment, records, patterns, starts, listed)
    assert np.array_equal(patterns.kept[found], assignment.constant_columns(records))
    for group, pattern in enumerate(found):
        members = assignment.record[assignment.group == group]
        assert set(members) <= set(patterns.matching(pattern))


def test_the_patterns_of_a_record_are_those_that_it_matches():
    instance, _ = random_case(7)
    records = instance.records
    patterns = closed_patterns(records, 1)
    starts, listed = patterns_by_record(patterns, records.distinct)
    assert len(listed) == patterns.pairs
    for record in range(records.distinct):
        mine = [p for p in range(patterns.count) if record in patterns.matching(p)]
        assert listed[starts[record] : starts[record + 1]].tolist() == mine


def test_entries_are_merged():
    group = np.array([9, 4, 9, 4, 9, 5])
    record = np.array([1, 0, 1, 2, 0, 0])
    assignment = Assignment.of(group, record, np.array([2, 1, 3, 1, 1, 0]))
    assert assignment.group.tolist() == [0, 0, 1, 1]
    assert assignment.record.tolist() == [0, 2, 0, 1]
    assert assignment.copies.tolist() == [1, 1, 1, 5]
    assert assignment.groups == 2
    assert assignment.sizes.tolist() == [2, 6]


def test_the_empty_table():
    records = KAnonymity([], 3).records
    nothing = Assignment.of_solution(records, Solution([]))
    assert nothing.groups == 0
    assert nothing.cost(records) == 0
    assert nothing.rows(records) == []
