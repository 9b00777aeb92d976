"""Standard sizes: costs, violations and certificates, by hand."""

import pytest

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.certificates import standard_sizes as certificates
from atleastk.models.results.solution import Solution
from atleastk.models.standard_sizes import check

PIECES = StandardSizes([3, 9, 4, 8, 4], 2)
"""Best as (3, 4, 4) and (8, 9): 3 * 4 + 2 * 9 = 30."""


def test_a_cost_by_hand():
    assert check(PIECES, Solution.of([[0, 2, 4], [1, 3]])).cost == 30


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([[0, 2, 4, 1], [3]], "group 1 has 1 items, fewer than k = 2"),
        ([[0, 2], [1, 3]], "1 items are in no group, the first is item 4"),
        ([[0, 2, 4, 3], [1, 3]], "item 3 is in groups 0 and 1"),
    ],
)
def test_violations_are_named(groups, message):
    assert check(PIECES, Solution.of(groups)).violations == (message,)


def proves(weights, bound, instance=PIECES):
    document = {"kind": "weights", "weights": weights}
    certificates.check_certificate(instance, document, bound)


def test_weights_prove_what_they_sum_to_and_no_more():
    """Pieces of length up to 4 pay 4 each, the others 9."""
    proves([4, 9, 4, 9, 4], 30)
    with pytest.raises(CertificateError, match="proves the bound 30, not 31"):
        proves([4, 9, 4, 9, 4], 31)
    with pytest.raises(CertificateError, match="2 pieces up to length 9 weigh 19"):
        proves([4, 10, 4, 9, 4], 31)


def test_too_few_pieces_are_infeasible_and_enough_are_not():
    certificates.check_certificate(StandardSizes([3, 9], 3), {"kind": "count"}, None)
    for bound in (None, 0):
        with pytest.raises(CertificateError):
            certificates.check_certificate(PIECES, {"kind": "count"}, bound)


def test_a_certificate_that_takes_too_long_is_refused():
    n = 10_000
    with pytest.raises(NotApplicableError, match="too large"):
        proves([1] * n, n, StandardSizes([1] * n, n // 2))
