"""Holdings: what is taken out and put back leaves the books right."""

import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.k_anonymity.closed_patterns import closed_patterns
from atleastk.solvers.k_anonymity.greedy_cover import Ground, greedy_start
from atleastk.solvers.k_anonymity.holdings import Holdings


def holdings_of(seed, n=200, k=4):
    """Return the holdings of a greedy cover of a random table."""
    rng = np.random.default_rng(seed)
    records = KAnonymity(rng.integers(0, 4, (n, 5)).tolist(), k).records
    patterns = closed_patterns(records, k)
    ground = Ground.of(patterns, records, k)
    chosen = ground.chosen(greedy_start(ground))
    pattern = np.repeat(np.arange(patterns.count), np.diff(patterns.starts))
    held = [
        np.count_nonzero((chosen == p) & (ground.record == t))
        for p, t in zip(pattern, patterns.records, strict=True)
    ]
    weights = np.zeros(records.distinct)
    return Holdings.of(patterns, records, k, weights, np.array(held))


def pattern_of(holdings, pair):
    return np.searchsorted(holdings.patterns.starts, pair, "right") - 1


@pytest.mark.parametrize("seed", range(20))
def test_what_is_put_back_is_there_again(seed):
    """Two sub-tables are out, and return in any order."""
    holdings = holdings_of(seed)
    held, size = holdings.held.copy(), holdings.size.copy()
    before = holdings.assignment()
    first, second = holdings.take(30, seed), holdings.take(30, seed + 1)
    assert first.copies.sum() >= 30
    sizes = holdings.size
    assert not ((sizes > 0) & (sizes < 4)).any()
    between = holdings.assignment([first, second])
    assert between.is_valid(holdings.records, 4)
    assert between.cost(holdings.records) == before.cost(holdings.records)
    for table in (first, second):
        refuges = pattern_of(holdings, table.refuge[table.refuge >= 0])
        assert (holdings.size[refuges] >= 4).all()
    holdings.put(first, first.pair, first.copies)
    holdings.put(second, second.pair, second.copies)
    assert np.array_equal(held, holdings.held)
    assert np.array_equal(size, holdings.size)
    assert not holdings.guards.any()


@pytest.mark.parametrize("seed", range(10))
def test_a_sub_table_lists_pairs_of_its_own(seed):
    """Its records have the rows that were taken; pairs are of what they say."""
    holdings = holdings_of(seed)
    table = holdings.take(40, seed)
    records = holdings.patterns.records
    taken = np.unique(records[table.pair])
    supply = [table.copies[records[table.pair] == t].sum() for t in taken]
    assert table.supply.tolist() == supply
    assert np.array_equal(taken[table.record], records[table.joining])
    listed = pattern_of(holdings, table.joining)
    assert np.array_equal(table.opened[table.pattern], listed)
    assert (holdings.size[table.opened] < 4).all()
    safe = table.refuge >= 0
    assert np.array_equal(records[table.refuge[safe]], taken[safe])


@pytest.mark.parametrize("seed", range(10))
def test_sub_tables_of_many_hands_leave_groups_of_k(seed):
    """Several are out; some return as before, some with all rows in their refuges."""
    holdings = holdings_of(seed, n=400)
    rng = np.random.default_rng(seed)
    out = []
    for step in range(60):
        out.append(holdings.take(25, 1000 * seed + step))
        while len(out) > 3:
            table = out.pop(int(rng.integers(len(out))))
            if (table.refuge >= 0).all() and rng.random() < 0.5:
                holdings.put(table, table.refuge, table.supply)
            else:
                holdings.put(table, table.pair, table.copies)
        assert not ((holdings.size > 0) & (holdings.size < 4)).any()
        assert holdings.assignment(out).is_valid(holdings.records, 4)


def test_all_rows_can_be_taken():
    """More rows than there are: the whole table, nothing is left to flee to."""
    holdings = holdings_of(1)
    table = holdings.take(10**6, 0)
    assert table.copies.sum() == holdings.records.n
    assert not holdings.size.any()
    assert (table.refuge < 0).all()
