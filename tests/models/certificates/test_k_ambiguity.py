import random
from itertools import accumulate, pairwise

import numpy as np
import pytest

from atleastk import CertificateError, KAmbiguity, NotApplicableError
from atleastk.models.certificates.k_ambiguity import (
    WeightsFrom,
    certificate_of,
    certificate_of_lists,
    check_certificate,
    part_of,
    proven,
    proven_by_lists,
)
from atleastk.solvers.brute_force.k_ambiguity import optimum
from scripts import second_checker


def different(n, m, k):
    return KAmbiguity([[i] * m for i in range(n)], k)


def proves_just(instance, certificate, bound):
    """Both checkers take the bound, and none above it."""
    document = instance.to_dict()
    assert second_checker.bound_of_ambiguity(document, certificate, 1) == bound
    check_certificate(instance, certificate, bound)
    with pytest.raises(CertificateError, match="proves the bound"):
        check_certificate(instance, certificate, bound + 1)


def plain(rng, instance):
    weights = drawn_weights(rng, instance)
    return certificate_of(weights), proven(instance, weights)


def by_rows(rng, instance):
    """Weights for every number of rows, from some on."""
    starts = sorted({0, *(rng.randrange(5) for _ in range(rng.randint(0, 3)))})
    lists = [WeightsFrom(h, drawn_weights(rng, instance)) for h in starts]
    return certificate_of_lists(lists), proven_by_lists(instance, lists)


def in_blocks(rng, instance):
    """Weights for each of two blocks of columns, or for one of all."""
    columns, cut = rng.sample(range(instance.m), instance.m), rng.randint(0, instance.m)
    blocks, bound = [], 0
    for some in filter(None, (columns[:cut], columns[cut:])):
        part = part_of(instance, some)
        weights = drawn_weights(rng, part)
        blocks.append({"columns": some, "weights": weights.tolist()})
        bound += proven(part, weights)
    return {"kind": "blocks", "blocks": blocks}, bound


def drawn_weights(rng, instance):
    weights = [rng.choice([0, 1, 1, 2, 5]) for _ in range(instance.records.distinct)]
    return np.array(weights, dtype=np.int64)


@pytest.mark.parametrize("draw", [plain, by_rows, in_blocks])
def test_any_weights_prove_no_more_than_the_optimum(draw):
    rng, tight = random.Random(3), 0
    for _ in range(200):
        n, m = rng.choice([(2, 6), (3, 4), (4, 3), (6, 2), (12, 1)])
        values, k = rng.choice([2, 3, 9]), rng.randint(1, min(n, 5))
        table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
        instance = KAmbiguity(table, k)
        certificate, bound = draw(rng, instance)
        best = optimum(instance)[0]
        assert bound <= best
        proves_just(instance, certificate, bound)
        tight += 0 < bound == best
    assert tight > 15


def test_a_row_that_is_left_out_takes_its_whole_share_of_a_weight():
    """The second record has two rows, and a weight of 1: half of it, rounded up."""
    instance = KAmbiguity([[2], [2], [0], [0]], 4)
    lists = [{"from": 0, "weights": [1, 0]}, {"from": 3, "weights": [0, 1]}]
    proves_just(instance, {"kind": "rows", "lists": lists}, 1)


@pytest.mark.parametrize(("k", "m"), [(2, 3), (3, 2), (4, 3)])
def test_rows_that_differ_everywhere_prove_lemma_4(k, m):
    """Equal weights for (k - 1) m of them; any other rows have none."""
    rows = (k - 1) * m
    table = [[i] * m for i in range(rows)] + [[0] * (m - 1) + [1]] * (k + 3)
    instance = KAmbiguity(table, k)
    weights = (instance.records.copies == 1).astype(np.int64)
    assert proven(instance, weights) == (k - 1) * m
    check_certificate(instance, certificate_of(weights), (k - 1) * m)


def test_infeasibility_is_counted():
    check_certificate(different(2, 2, 3), {"kind": "count"}, None)
    for instance in (different(3, 2, 3), KAmbiguity([], 3)):
        with pytest.raises(CertificateError, match="proves exactly that 0 < n < k"):
            check_certificate(instance, {"kind": "count"}, None)


@pytest.mark.parametrize("k", [1, 3])
def test_weights_of_no_rows_prove_nothing(k):
    proves_just(KAmbiguity([], k), {"kind": "weights", "weights": []}, 0)


def test_too_large_to_check():
    wide = different(3, 40, 2)
    with pytest.raises(NotApplicableError, match="over 40 columns"):
        check_certificate(wide, certificate_of(np.ones(3, dtype=np.int64)), 1)
    heavy = {"kind": "weights", "weights": [2**61, 1]}
    with pytest.raises(NotApplicableError, match="too large"):
        check_certificate(different(2, 2, 2), heavy, 1)


EMPTY = {"columns": [], "weights": True}
"""Which would prove 0, whatever its weights are."""


@pytest.mark.parametrize(
    "certificate",
    [
        *(
            {"kind": "rows", "lists": [{"from": h, "weights": [1] * 3} for h in starts]}
            for starts in ([], [1], [0, 0], [0, 2, 1], [0, "1"], [0, -1])
        ),
        *(
            {"kind": "blocks", "blocks": [{"columns": some, "weights": [1] * 3}]}
            for some in ([], [0, 0], [3], [-1], "0")
        ),
        {"kind": "blocks", "blocks": [EMPTY]},
        {"kind": "blocks", "blocks": [{"columns": [0], "weights": [1] * 3}] * 2},
    ],
    ids=str,
)
def test_lists_ascend_from_no_rows_and_blocks_have_columns_once(certificate):
    instance = different(3, 2, 2)
    for bound in (0, 1):
        with pytest.raises(CertificateError):
            check_certificate(instance, certificate, bound)
        with pytest.raises(second_checker.ERRORS):
            second_checker.bound_of_ambiguity(instance.to_dict(), certificate, bound)


@pytest.mark.parametrize("widths", [[26], [24] * 6])
def test_few_weights_of_many_columns_are_too_many_sets(widths):
    ends = list(accumulate(widths, initial=0))
    instance = different(2, ends[-1], 2)
    blocks = [
        {"columns": list(range(a, b)), "weights": [0, 0]} for a, b in pairwise(ends)
    ]
    blocks[-1]["weights"] = [1, 0]
    certificate = {"kind": "blocks", "blocks": blocks}
    with pytest.raises(NotApplicableError):
        check_certificate(instance, certificate, 1)
    with pytest.raises(second_checker.UnknownError):
        second_checker.bound_of_ambiguity(instance.to_dict(), certificate, 1)


@pytest.mark.parametrize(("rows", "columns", "k"), [(2, 23, 2), (800, 13, 800)])
def test_sets_of_columns_are_counted_whatever_the_weights(rows, columns, k):
    table = [[i % 2] * columns for i in range(rows)]
    proof = {"kind": "weights", "weights": [1, 1]}
    with pytest.raises(NotApplicableError, match="too many to re-check"):
        check_certificate(KAmbiguity(table, k), proof, 1)
