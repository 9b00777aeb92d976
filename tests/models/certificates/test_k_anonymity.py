import random
from copy import deepcopy

import pytest
from certificates import refused

from atleastk import CertificateError, KAnonymity, NotApplicableError
from atleastk.models.certificates.k_anonymity import check_certificate


@pytest.fixture
def pinned():
    """Two pairs that differ in one column each, k = 2: the optimum is 4.

    Records 00, 01, 10 (in this order) with 1, 1, 2 copies: one star for 00 and 01.
    Patterns: 10 (value 0), 0* (2 u - 2), and ** (the two heaviest, less 4).
    """
    instance = KAnonymity([["a", "x"], ["a", "y"], ["b", "x"], ["b", "x"]], 2)
    assert instance.records.copies.tolist() == [1, 1, 2]
    return instance, {"kind": "weights", "scale": 2, "weights": [2, 2, 0]}


def test_only_small_tables_are_infeasible(pinned):
    count = {"kind": "count"}
    small = KAnonymity([["a"], ["b"]], 3)
    check_certificate(small, count, None)
    assert refused(small, count, 0)
    assert refused(small, pinned[1], None)
    assert refused(small, {"kind": "weights", "scale": 1, "weights": [0, 0]}, 0)
    assert refused(KAnonymity([["a"], ["b"]], 2), count, None)
    assert refused(KAnonymity([], 2), count, None)
    assert refused(pinned[0], pinned[1], None)


def test_degenerate_tables():
    nothing = {"kind": "weights", "scale": 1, "weights": []}
    check_certificate(KAnonymity([], 2), nothing, 0)
    assert refused(KAnonymity([], 2), nothing, 1)
    columnless = KAnonymity([[], [], []], 2)
    check_certificate(columnless, {"kind": "weights", "scale": 1, "weights": [0]}, 0)
    assert refused(columnless, {"kind": "weights", "scale": 1, "weights": [9]}, 1)
    wide = KAnonymity([[int(i != j) for j in range(20)] for i in range(20)], 2)
    with pytest.raises(NotApplicableError, match="20 columns"):
        check_certificate(wide, {**nothing, "weights": [0] * 20}, 1)


def best_set(terms, k):
    terms = sorted(terms, reverse=True)
    return max(sum(terms[:size]) for size in range(k, len(terms) + 1))


def proved_by_definition(instance, weights, scale):
    rows = [tuple(row) for row in instance.table]
    weight = {
        row: weights[record]
        for row, record in zip(rows, instance.records.record_of.tolist(), strict=True)
    }
    total = sum(weight[row] for row in rows)
    classes = set()
    for kept in range(1 << instance.m):
        columns = [j for j in range(instance.m) if kept >> j & 1]
        for row in rows:
            alike = [r for r in rows if all(r[j] == row[j] for j in columns)]
            if len(alike) >= instance.k:
                classes.add(tuple(sorted(alike, key=repr)))
    for alike in classes:  # a closed pattern is a set of rows
        stars = sum(len({row[j] for row in alike}) > 1 for j in range(instance.m))
        terms = [weight[row] - scale * stars for row in alike]
        total -= max(0, best_set(terms, instance.k))
    return total


@pytest.mark.parametrize("seed", range(120))
def test_bounds_are_those_of_the_definition(seed):
    rng = random.Random(seed)
    m, values = rng.randint(1, 4), rng.randint(1, 3)
    n = rng.randint(1, 12)
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    instance = KAnonymity(table, rng.randint(1, n))
    for _ in range(5):
        scale = rng.choice((1, 3, 64))
        middle = rng.uniform(-1, m + 1) * scale
        spread = rng.choice((0, scale, 3 * scale))
        weights = [
            round(middle) + rng.randint(-spread, spread)
            for _ in range(instance.records.distinct)
        ]
        bound = max(0, -(-proved_by_definition(instance, weights, scale) // scale))
        certificate = {"kind": "weights", "scale": scale, "weights": weights}
        untouched = deepcopy(certificate)
        check_certificate(instance, certificate, bound)
        assert refused(instance, certificate, bound + 1)
        assert certificate == untouched


def test_weights_of_wide_tables_are_judged_by_their_closed_patterns():
    """Forty columns, of which the rows of a pair differ in the last: 2 stars a pair."""
    instance = KAnonymity([[i // 2] * 39 + [i] for i in range(6)], 2)
    certificate = {"kind": "weights", "scale": 1, "weights": [1] * 6}
    check_certificate(instance, certificate, 6)
    with pytest.raises(CertificateError, match="do not refute"):
        check_certificate(instance, certificate, 7)
    with pytest.raises(CertificateError, match="do not refute"):
        check_certificate(instance, {**certificate, "weights": [1] * 5 + [0]}, 6)
