import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.occupancy import Occupancy
from atleastk.solvers.tables.sub_tables import held_pairs


def occupancy_of(seed, n=200, k=4):
    rng = np.random.default_rng(seed)
    records = KAnonymity(rng.integers(0, 4, (n, 5)).tolist(), k).records
    table = ListedTable(closed_patterns(records, k), records, k)
    groups = np.empty(records.n, dtype=np.int64)
    groups[records.rows] = direct(table)
    start = Assignment.of_rows(records, groups)
    held, weights = held_pairs(table, start), np.zeros(records.distinct)
    assert held.sum() == n
    return Occupancy.of(table, weights, held)


def pattern_of(occupancy, pair):
    return np.searchsorted(occupancy.patterns.starts, pair, "right") - 1


@pytest.mark.parametrize("seed", range(20))
def test_what_is_put_back_is_there_again(seed):
    occupancy = occupancy_of(seed)
    held, size = occupancy.held.copy(), occupancy.size.copy()
    before = occupancy.assignment()
    first, second = occupancy.take(30, seed), occupancy.take(30, seed + 1)
    assert first.copies.sum() >= 30
    sizes = occupancy.size
    assert not ((sizes > 0) & (sizes < 4)).any()
    between = occupancy.assignment([first, second])
    assert between.is_valid(occupancy.records, 4)
    assert between.cost(occupancy.records) == before.cost(occupancy.records)
    for table in (first, second):
        refuges = pattern_of(occupancy, table.refuge[table.refuge >= 0])
        assert (occupancy.size[refuges] >= 4).all()
    occupancy.put(first, first.pair, first.copies)
    occupancy.put(second, second.pair, second.copies)
    assert np.array_equal(held, occupancy.held)
    assert np.array_equal(size, occupancy.size)
    assert not occupancy.guards.any()


@pytest.mark.parametrize("seed", range(10))
def test_a_sub_table_lists_pairs_of_its_own(seed):
    occupancy = occupancy_of(seed)
    table = occupancy.take(40, seed)
    records = occupancy.patterns.records
    taken = np.unique(records[table.pair])
    supply = [table.copies[records[table.pair] == t].sum() for t in taken]
    assert table.records.copies.tolist() == supply
    assert np.array_equal(taken[table.patterns.records], records[table.option])
    listed, stars = pattern_of(occupancy, table.option), occupancy.patterns.stars
    assert np.array_equal(table.patterns.stars[table.patterns.pattern], stars[listed])
    assert (occupancy.size[listed] < 4).all()
    safe = table.refuge >= 0
    assert np.array_equal(records[table.refuge[safe]], taken[safe])


@pytest.mark.parametrize("seed", range(10))
def test_sub_tables_of_many_hands_leave_groups_of_k(seed):
    occupancy = occupancy_of(seed, n=400)
    rng = np.random.default_rng(seed)
    out = []
    for step in range(60):
        out.append(occupancy.take(25, 1000 * seed + step))
        while len(out) > 3:
            table = out.pop(int(rng.integers(len(out))))
            if (table.refuge >= 0).all() and rng.random() < 0.5:
                occupancy.put(table, table.refuge, table.records.copies)
            else:
                occupancy.put(table, table.pair, table.copies)
        assert not ((occupancy.size > 0) & (occupancy.size < 4)).any()
        assert occupancy.assignment(out).is_valid(occupancy.records, 4)


def test_all_rows_can_be_taken():
    occupancy = occupancy_of(1)
    table = occupancy.take(10**6, 0)
    assert table.copies.sum() == occupancy.records.n
    assert not occupancy.size.any()
    assert (table.refuge < 0).all()
