import random

import numpy as np
import pytest

from atleastk import KAnonymity, NotApplicableError
from atleastk.solvers.tables.closed_patterns import closed_patterns
from scripts.sweeps import drawn_tables as tables


def enumerated(records, k):
    found = set()
    for kept in range(1 << records.m):
        columns = [j for j in range(records.m) if kept >> j & 1]
        classes = {}
        for record, codes in enumerate(records.codes[:, columns].tolist()):
            classes.setdefault(tuple(codes), []).append(record)
        for matching in classes.values():
            support = int(records.copies[matching].sum())
            if support < k:
                continue
            constant = (records.codes[matching] == records.codes[matching[0]]).all(0)
            closed = sum(1 << int(j) for j in np.flatnonzero(constant))
            stars = records.m - int(constant.sum())
            found.add((tuple(matching), closed, support, stars))
    return found


def test_every_closed_pattern_is_there_once():
    rng = random.Random(1)
    some = 0
    for _ in range(600):
        instance = tables.random_anonymity(rng, 10)
        records, k = instance.records, instance.k
        patterns = closed_patterns(records, k)
        found = [
            (
                tuple(patterns.matching(p).tolist()),
                int(patterns.kept[p]),
                int(patterns.support[p]),
                int(patterns.stars[p]),
            )
            for p in range(patterns.count)
        ]
        assert len(set(found)) == len(found), instance
        assert set(found) == enumerated(records, k), instance
        assert (np.diff(patterns.stars) >= 0).all()
        assert patterns.pairs == sum(len(matching) for matching, *_ in found)
        assert patterns.reach >= records.m
        some += patterns.count > 5
    assert some > 50


def test_the_limit_on_pairs_is_exact():
    records = KAnonymity([[i % 2, i % 3, i] for i in range(12)], 2).records
    pairs = closed_patterns(records, 2).pairs
    assert closed_patterns(records, 2, pairs).pairs == pairs
    assert closed_patterns(records, 2, pairs - 1) is None


def test_more_than_62_columns_are_refused():
    wide = KAnonymity([[0] * 62] * 2, 2).records
    assert closed_patterns(wide, 2).count == 1
    with pytest.raises(NotApplicableError, match="62 columns, not 63"):
        closed_patterns(KAnonymity([[0] * 63] * 2, 2).records, 2)
