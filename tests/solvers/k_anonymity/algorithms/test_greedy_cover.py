"""GEN-COVER and CONVERT: the steps of the paper, and their lemmas on random tables."""

import random
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from atleastk.instances.generators.k_anonymity import FAMILIES
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.k_anonymity.algorithms.greedy_cover import converted, cover
from atleastk.solvers.k_anonymity.algorithms.set_systems import (
    as_itemsets,
    of_patterns,
    row_subsets,
)
from atleastk.solvers.tables.closed_patterns import closed_patterns

FAMILY = {family.name: family for family in FAMILIES}


def closed(records, k):
    return of_patterns(closed_patterns(records, k), records.m, Fraction(1))


def itemsets(records, k):
    return as_itemsets(closed_patterns(records, k), records)


def enumerated(records, k):
    """Return the records of every frequent itemset, by stars, columns and values."""
    found = []
    m = records.m
    for kept in (c for stars in range(m) for c in combinations(range(m), m - stars)):
        shown = {}
        for record, codes in enumerate(records.codes[:, kept].tolist()):
            shown.setdefault(tuple(codes), []).append(record)
        for _, matching in sorted(shown.items()):
            if records.copies[matching].sum() >= k:
                found.append(tuple(matching))
    return [*found, tuple(range(records.distinct))]


def listed(starts, rows):
    return [set(rows[a:b].tolist()) for a, b in pairwise(starts)]


def stars(codes, rows):
    return int((codes[list(rows)] != codes[next(iter(rows))]).any(axis=0).sum())


def random_records(rng):
    k = rng.randint(1, 4)
    n, m = rng.randint(k, 12), rng.randint(1, 5)
    table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
    return KAnonymity(table, k).records, k


def test_example_4_6():
    records = FAMILY["employees-8"].make(0).records
    ones = np.ones(8, dtype=np.int64)
    starts, rows = cover(row_subsets(records, 4), ones, 4)
    chosen = [{int(records.rows[row]) for row in each} for each in listed(starts, rows)]
    six, four = chosen
    codes = records.codes[records.record_of]
    assert (len(six), stars(codes, six)) == (6, 4)
    assert (len(four), stars(codes, four)) == (4, 3)
    assert np.bincount(converted(starts, rows, 8, 4)).tolist() == [4, 4]


@pytest.mark.parametrize("system", [closed, itemsets])
def test_lemma_4_9_and_the_greedy_rule(system):
    """Every set has k..2k-1 rows, the weight it was chosen by, and the least ratio.

    The least ratio is that over all subsets of k..2k-1 rows: Lemma 4.10.
    """
    rng = random.Random(1)
    for _ in range(250):
        records, k = random_records(rng)
        codes = np.repeat(records.codes, records.copies, axis=0)
        every = row_subsets(records, k)
        subsets = [
            (int(weight), set(every.members[a:b].tolist()))
            for weight, a, b in zip(
                every.weights, every.starts, every.starts[1:], strict=False
            )
        ]
        covered = set()
        for each in listed(*cover(system(records, k), records.copies, k)):
            assert k <= len(each) <= 2 * k - 1
            new = len(each - covered)
            assert new > 0
            least = min(
                Fraction(weight, len(rows - covered))
                for weight, rows in subsets
                if rows - covered
            )
            assert Fraction(stars(codes, each), new) == least
            covered |= each
        assert len(covered) == records.n


def test_itemsets_are_closed_ones_many_times():
    """As sets of rows both collections are the same: Theorem 4.14."""
    rng = random.Random(2)
    for _ in range(150):
        records, k = random_records(rng)
        system = itemsets(records, k)
        bounds = pairwise(system.starts)
        chosen = [tuple(system.members[a:b].tolist()) for a, b in bounds]
        assert chosen == list(dict.fromkeys(enumerated(records, k)))


def test_figure_10():
    records = FAMILY["employees-4"].make(0).records
    assert len(enumerated(records, 2)) == 11
    assert len(closed(records, 2).weights) == 4


def test_beta_leaves_few_stars_and_the_whole_table():
    """Less than m / beta, strictly: with m = 9 and beta = 1.8 four stars, not five."""
    rng = random.Random(4)
    table = [[rng.randrange(2) for _ in range(9)] for _ in range(60)]
    records = KAnonymity(table, 2).records
    patterns = closed_patterns(records, 2)
    for beta, most in ((Fraction(9, 5), 4), (Fraction(3), 2), (Fraction(1), 8)):
        system = of_patterns(patterns, 9, beta)
        assert set(system.weights) == {*range(min(patterns.stars), most + 1), 9}
        assert (system.weights == 9).sum() == 1
        assert np.diff(system.starts)[system.weights == 9] == records.distinct


def test_convert_raises_no_sum():
    rng = random.Random(3)
    for _ in range(400):
        k, m = rng.randint(1, 4), rng.randint(1, 5)
        n = rng.randint(k, 14)
        codes = np.array([[rng.randrange(3) for _ in range(m)] for _ in range(n)])
        sets = []
        while set().union(*sets) != set(range(n)):
            sets.append(set(rng.sample(range(n), rng.randint(k, min(n, 2 * k - 1)))))
        starts = np.cumsum([0, *map(len, sets)])
        rows = np.concatenate([sorted(each) for each in sets])
        home = converted(starts, rows, n, k)
        groups = [np.flatnonzero(home == s) for s in sorted(set(home.tolist()))]
        assert all(k <= len(group) <= 2 * k - 1 for group in groups)
        before = sum(stars(codes, each) for each in sets)
        assert sum(stars(codes, group) for group in groups) <= before


def test_convert_keeps_lists_up_to_date():
    """{0,1}, {1,2}, {2,3}, k = 2: merged at 1, so 2 leaves the merged set."""
    starts, rows = np.array([0, 2, 4, 6]), np.array([0, 1, 1, 2, 2, 3])
    home = converted(starts, rows, 4, 2).tolist()
    assert home[0] == home[1] != home[2] == home[3]
