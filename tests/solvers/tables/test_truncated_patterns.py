from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.truncated_patterns import level, truncated_patterns


def draw(seed, n=60, m=5, values=3):
    rng = np.random.default_rng(seed)
    return Records.coded(rng.integers(0, values, (n, m)).astype(np.int32))


def content(patterns, most_stars=99):
    return {
        (int(patterns.kept[p]), int(patterns.support[p]), *patterns.matching(p))
        for p in range(patterns.count)
        if patterns.stars[p] <= most_stars
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_levels_together_are_the_closed_patterns(seed):
    records = draw(seed)
    whole = closed_patterns(records, 3)
    every = [*range(records.m)]
    parts = [
        level(records, 3, combinations(every, stars), Budget.of())
        for stars in range(records.m + 1)
    ]
    assert set().union(*map(content, parts)) == content(whole)
    assert sum(part.count for part in parts) == whole.count


def test_a_list_that_fits_has_all_levels():
    records = draw(1)
    patterns = truncated_patterns(records, 2, Budget.of(), most_pairs=10**6)
    assert patterns.reach == records.m - 1
    assert content(patterns) == content(closed_patterns(records, 2))


@pytest.mark.parametrize("priced", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_list_cut_off_is_complete_up_to_its_reach(seed, priced):
    records = draw(seed, n=200, m=7)
    if priced:
        prices = np.random.default_rng(seed).integers(1, 9, records.m)
        records = replace(records, prices=prices)
    whole = closed_patterns(records, 2)
    part = truncated_patterns(records, 2, Budget.of(), most_pairs=whole.pairs // 2)
    assert part.count < whole.count
    assert -1 <= part.reach < records.most
    assert content(part) <= content(whole)
    assert content(part, part.reach) == content(whole, part.reach)
    assert part.support.max() == records.n
    assert (np.diff(part.stars) >= 0).all()
    stars = dict(zip(whole.kept.tolist(), whole.stars.tolist(), strict=True))
    assert [stars[kept] for kept in part.kept.tolist()] == part.stars.tolist()


@pytest.mark.parametrize("k", [1, 2])
def test_the_pattern_of_all_rows_is_listed_at_any_price(k):
    records = draw(1)
    patterns = truncated_patterns(records, k, Budget.of(), most_pairs=0)
    assert patterns.reach == -1
    assert patterns.support.max() == records.n


def test_a_spent_budget_leaves_the_frequent_patterns():
    records = draw(3, n=200, m=7)
    pairs = closed_patterns(records, 2).pairs
    part = truncated_patterns(records, 2, Budget.of(0.0), most_pairs=pairs // 2)
    assert part.reach == -1
    assert part.support.max() == records.n
