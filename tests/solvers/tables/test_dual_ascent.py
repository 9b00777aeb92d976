import random
import tracemalloc
from dataclasses import replace
from math import ceil

import numpy as np
import pytest

from atleastk.instances.records import Records
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.dual_ascent import Ascent, improve
from atleastk.solvers.tables.multipliers import (
    Multipliers,
    appraise,
    prove,
    reduced_costs,
    relevant,
)
from atleastk.solvers.tables.valuation import Valuation
from scripts.combined_wishes import partitions
from tests.helpers.costs import lp_value
from tests.helpers.listed import listed_table


def random_table(rng, most_rows):
    m, values = rng.randint(1, 4), rng.randint(1, 3)
    n = rng.randint(1, most_rows)
    return [tuple(rng.randrange(values) for _ in range(m)) for _ in range(n)]


def random_case(rng, most_rows):
    table = random_table(rng, most_rows)
    k = rng.randint(1, len(table))
    records = Records.of(table, len(table[0]))
    return listed_table(records, k)


def random_weights(rng, records, scale):
    spread = rng.choice((0.5, 1.0, 3.0))
    middle = rng.uniform(-1.0, records.m)
    drawn = [rng.gauss(middle, spread) for _ in range(records.distinct)]
    if rng.random() < 0.3:
        drawn = [round(weight) for weight in drawn]
    return np.array([round(weight * scale) for weight in drawn], dtype=np.int64)


def pattern_of(records, patterns, group):
    members = {int(records.record_of[row]) for row in group}
    for pattern in range(patterns.count):  # by increasing stars
        if members <= set(patterns.matching(pattern).tolist()):
            return pattern
    raise AssertionError(group)


def best_set(terms, k, forced=None):
    terms = list(terms)
    start = [] if forced is None else [terms.pop(terms.index(forced))]
    terms.sort(reverse=True)
    sums = [sum(start + terms[:size]) for size in range(len(terms) + 1)]
    return max(sums[max(0, k - len(start)) :])


def naive_values(table, weights, scale):
    patterns, records, k = table.patterns, table.records, table.k
    terms = [
        [
            int(weights[t]) - scale * int(patterns.stars[p]) * int(records.worth[t])
            for t in patterns.matching(p).tolist()
            for _ in range(records.copies[t])
        ]
        for p in range(patterns.count)
    ]
    return terms, [best_set(of_one, k) for of_one in terms]


def naive_total(table, weights, scale):
    values = naive_values(table, weights, scale)[1]
    return int(table.records.copies @ weights) - sum(max(0, value) for value in values)


@pytest.mark.parametrize("seed", range(150))
def test_values_reduced_costs_and_bounds(seed):
    rng = random.Random(seed)
    table = random_case(rng, 7)
    records, patterns, k = table.records, table.patterns, table.k
    scale = rng.choice((1, 7, 1024))
    weights = random_weights(rng, records, scale)
    proved = prove(table, weights, scale)
    assert proved.total == naive_total(table, weights, scale)
    terms, naive = naive_values(table, weights, scale)
    values, levels = appraise(table, proved)
    assert values.tolist() == naive
    reduced = reduced_costs(table, proved)
    for p in range(patterns.count):
        price = scale * int(patterns.stars[p])
        kth = sorted(terms[p], reverse=True)[k - 1]
        assert levels[p] == price + min(0, kth)
        for i in range(patterns.starts[p], patterns.starts[p + 1]):
            term = int(weights[patterns.records[i]]) - price
            forced = best_set(terms[p], k, term)
            assert reduced[i] == max(0, naive[p]) - forced
    used = [
        [(pattern_of(records, patterns, group), group) for group in groups]
        for groups in partitions(range(records.n), k)
    ]
    costs = [
        sum(int(patterns.stars[p]) * len(group) for p, group in solution)
        for solution in used
    ]
    assert proved.bound <= min(costs)
    better = rng.randint(min(costs), max(costs)) + 1
    left = relevant(table, proved, better)
    assert_well_formed(left.patterns, records, k)
    pairs = pairs_of(left.patterns)
    assert pairs <= pairs_of(patterns)
    for solution, cost in zip(used, costs, strict=True):
        if cost < better:
            assert all(
                (int(patterns.kept[p]), int(patterns.stars[p]), t) in pairs
                for p, group in solution
                for t in {int(records.record_of[row]) for row in group}
            )
    assert min(better, prove(left, weights, scale).bound) <= min(costs)


def pairs_of(patterns):
    return {
        (int(patterns.kept[p]), int(patterns.stars[p]), int(t))
        for p in range(patterns.count)
        for t in patterns.matching(p)
    }


def assert_well_formed(patterns, records, k):
    assert len(patterns.starts) == patterns.count + 1
    assert patterns.starts[-1] == patterns.pairs
    for p in range(patterns.count):
        rows = int(records.copies[patterns.matching(p)].sum())
        assert patterns.support[p] >= rows >= k


@pytest.mark.parametrize("seed", range(40))
def test_bounds_of_rows_that_pay_several_times(seed):
    rng = random.Random(seed)
    found = random_case(rng, 7)
    plain, patterns, k = found.records, found.patterns, found.k
    worth = [rng.choice((1, 2, 50)) for _ in range(plain.distinct)]
    records = replace(plain, weights=np.array(worth, dtype=np.int64))
    table = replace(found, records=records)
    scale = rng.choice((1, 7, 1024))
    weights = random_weights(rng, records, scale) * records.worth
    proved = prove(table, weights, scale)
    assert proved.total == naive_total(table, weights, scale)
    least = min(
        sum(
            int(patterns.stars[pattern_of(records, patterns, group)])
            * sum(worth[records.record_of[row]] for row in group)
            for group in groups
        )
        for groups in partitions(range(records.n), k)
    )
    assert proved.bound <= least
    found = improve(table, Budget.of(10), proved)
    assert proved.bound <= found.bound <= least
    again = naive_total(table, found.weights, found.scale)
    assert found.total == again


def test_discarding_discards():
    rng = random.Random(1)
    table = [tuple(rng.randrange(4) for _ in range(5)) for _ in range(400)]
    records = Records.of(table, 5)
    listed = listed_table(records, 2)
    found = improve(listed, Budget())
    left = relevant(listed, found, found.bound + 1)
    assert 0 < left.patterns.pairs < listed.patterns.pairs / 2
    assert relevant(listed, found, found.bound).patterns.count == 0
    assert improve(left, Budget(), found).total >= found.total


@pytest.mark.parametrize("seed", range(60))
def test_reevaluation_equals_a_fresh_start(seed):
    rng = random.Random(seed)
    table = random_case(rng, 40)
    records, patterns, k = table.records, table.patterns, table.k
    scale = 1024
    weights = random_weights(rng, records, scale)
    valuation = Valuation(table, scale, primal=True)
    rise = fall = 0
    spent = np.zeros(patterns.count)
    for _ in range(30):
        amount = rng.choice((0.0, 1.0, 2.0))
        total = valuation(weights, rise, fall, amount)
        terms, naive = naive_values(table, weights, scale)
        assert total == sum(max(0, value) for value in naive)
        opened = [p for p in range(patterns.count) if naive[p] > 0]
        for p in opened:
            spent[p] += amount * rows_taken(terms[p], naive[p], k)
        assert valuation.values[opened].tolist() == [naive[p] for p in opened]
        paid = sum(
            int(patterns.stars[p]) * scale * rows_taken(terms[p], naive[p], k)
            for p in opened
        )
        assert int(valuation.taken @ weights) - paid == total
        step = rng.choice((1, 8, 64, 2048))
        moves = [rng.randint(-step, step) for _ in range(records.distinct)]
        if rng.random() < 0.3:
            moves = [move if rng.random() < 0.2 else 0 for move in moves]
        weights = weights + np.array(moves, dtype=np.int64)
        rise, fall = max(0, max(moves)), max(0, -min(moves))
    assert valuation.rows == pytest.approx(spent)


def rows_taken(terms, value, k):
    positive = [term for term in terms if term > 0]
    assert sum(sorted(terms, reverse=True)[: max(k, len(positive))]) == value
    return max(k, len(positive))


@pytest.mark.parametrize("seed", range(40))
def test_truncated_lists_keep_bounds(seed):
    rng = random.Random(seed)
    table = random_case(rng, 7)
    records, patterns, k = table.records, table.patterns, table.k
    reach = rng.randint(0, records.m)
    listed = replace(table, patterns=truncated(patterns, reach))
    scale = 64
    weights = random_weights(rng, records, scale)
    best = min(
        sum(int(patterns.stars[pattern_of(records, patterns, g)]) * len(g) for g in s)
        for s in partitions(range(records.n), k)
    )
    proved = prove(listed, weights, scale)
    assert proved.bound <= best
    assert reach >= records.m or (proved.weights <= (reach + 1) * scale).all()
    found = improve(listed, Budget())
    assert proved.total <= found.total * scale // found.scale + scale
    assert found.bound <= best
    assert prove(listed, found.weights, found.scale).total == found.total


def truncated(patterns, reach):
    chosen = patterns.stars <= reach
    chosen[-1] = True
    return replace(patterns.where(chosen), reach=reach)


@pytest.fixture(scope="module")
def sample():
    rng = random.Random(7)
    table = [tuple(rng.randrange(5) for _ in range(4)) for _ in range(300)]
    records = Records.of(table, 4)
    return listed_table(records, 3)


def test_ascent_reaches_the_linear_program(sample):
    records, patterns = sample.records, sample.patterns
    found = improve(sample, Budget(), primal=True)
    value = lp_value(pattern_model(records, 3, patterns).model)
    assert value * 0.999 <= found.value <= value + 1e-6
    assert found.bound == ceil(found.value)
    assert found.rows.sum() == pytest.approx(records.n, rel=0.02)
    assert patterns.stars @ found.rows == pytest.approx(value, rel=0.03)


def test_reports_start_and_stop(sample):
    reported = []
    ascent = Ascent(sample)
    ascent.climb(Budget(), reported.append)
    found = ascent.best()
    bounds = [multipliers.bound for multipliers in reported]
    assert bounds == sorted(set(bounds))
    assert bounds[-1] == found.bound
    for multipliers in reported:
        again = prove(sample, multipliers.weights, multipliers.scale)
        assert again.total == multipliers.total
    short = improve(sample, Budget(), enough=bounds[0])
    assert bounds[0] <= short.bound <= found.bound
    rough = Multipliers(found.weights >> 10, found.scale >> 10, 0)
    warm = improve(sample, Budget(), replace(rough))
    assert warm.value >= prove(sample, rough.weights, rough.scale).value - 1e-9


def test_a_spent_budget_leaves_the_start(sample):
    found = improve(sample, Budget.of(0.0))
    assert found.total == naive_total(sample, found.weights, found.scale)
    assert found.bound > 0


def test_stopped_runs_end(sample):
    budget = Budget()
    ascent = Ascent(sample)
    ascent.climb(budget, lambda _: budget.stop.set())
    found = ascent.best()
    assert found.total == prove(sample, found.weights, found.scale).total


def test_the_empty_table_costs_nothing():
    records = Records.of([], 3)
    assert improve(listed_table(records, 2), Budget()).bound == 0


def test_what_is_relevant_takes_little_room():
    """Where all stays, it once took 40 bytes a pair beside the list."""
    rng = np.random.default_rng(1)
    records = Records.coded(rng.integers(0, 2, (500, 8)).astype(np.int32))
    table = listed_table(records, 2)
    nothing = prove(table, np.zeros(records.distinct, np.int64), 1)
    relevant(table, nothing, 10**6)
    tracemalloc.start()
    assert relevant(table, nothing, 10**6).patterns.pairs == table.patterns.pairs
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most <= 20 * table.patterns.pairs
