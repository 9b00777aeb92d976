import itertools
import random

import numpy as np
import pytest

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.records import Records
from atleastk.models.certificates.pattern_lists import all_patterns, closed_patterns
from scripts import second_checker


@second_checker.counted()
def test_closed_patterns_are_those_whose_rows_agree_on_no_star():
    rng = random.Random(1)
    for _ in range(200):
        m, k = rng.randint(0, 5), rng.randint(1, 4)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(rng.randint(0, 8))]
        if m and rng.random() < 0.3:
            table = [[*row, row[0], 7] for row in table]
            m += 2
        records = Records.of(table, m)
        every = listed(all_patterns(records.codes, records.copies, k, frozenset()))
        closed = listed(closed_patterns(records.codes, records.copies, k))
        assert len(set(closed)) == len(closed)
        assert set(closed) == {
            (stars, members)
            for stars, members in every
            if all(len(set(records.codes[list(members), j])) > 1 for j in stars)
        }
        assert sorted(every) == sorted(by_hand(records, k))
        rows = [*map(tuple, records.codes.tolist())]
        for ours, listing in (
            (closed, second_checker.closed_patterns),
            (every, second_checker.every_pattern),
        ):
            second = listing(rows, records.copies.tolist(), k)
            told = [(tuple(sorted(stars)), tuple(held)) for stars, held in second]
            assert sorted(told) == sorted(ours)


def listed(found):
    return [
        (tuple(np.flatnonzero(hidden).tolist()), tuple(sorted(members.tolist())))
        for hidden, members in found
    ]


def by_hand(records, k):
    m = records.m
    for stars in itertools.chain(
        *(itertools.combinations(range(m), r) for r in range(m + 1))
    ):
        classes = {}
        for t, row in enumerate(records.codes.tolist()):
            kept = tuple(x for j, x in enumerate(row) if j not in stars)
            classes.setdefault(kept, []).append(t)
        for members in classes.values():
            if sum(records.copies[members]) >= k:
                yield stars, tuple(members)


def test_intact_columns_are_never_hidden():
    records = Records.of([[0, 0, 0], [0, 1, 0]], 3)
    found = listed(all_patterns(records.codes, records.copies, 1, frozenset({0, 2})))
    assert found == [((), (0,)), ((), (1,)), ((1,), (0, 1))]


def test_too_many_patterns_are_refused():
    """Rows of which each has one value of its own: any set of them is a pattern."""
    dense = Records.of([[int(i != j) for j in range(20)] for i in range(20)], 20)
    with pytest.raises(NotApplicableError, match="20 distinct rows of 20 columns have"):
        list(closed_patterns(dense.codes, dense.copies, 2))
    with pytest.raises(NotApplicableError, match="too many patterns for a tree"):
        list(all_patterns(dense.codes, dense.copies, 2, frozenset()))
