"""Interval covering: the checker sees gaps, the certificate proves and nothing else."""

import random

import pytest

from atleastk.instances.errors import CertificateError
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.interval_covering import check, check_certificate
from atleastk.models.solution import Solution
from atleastk.solvers.brute_force.interval_covering import optimum


def test_gaps_are_violations():
    """A group that skips an item is no interval, though its level suffices."""
    verdict = check(IntervalCovering([2, 2, 2, 2], 4), Solution.of([[0, 2], [1, 3]]))
    assert not verdict.feasible
    assert "holds items 0 and 2, but not item 1" in verdict.violations[0]


def test_intervals_pass_with_their_cost():
    """Cost and levels are those of the items."""
    instance = IntervalCovering([2, 1, 3], 3)
    assert check(instance, Solution.of([[0, 1], [2]])).cost == 3
    assert not check(instance, Solution.of([[0], [1, 2]])).feasible


def test_certificates_hold_exactly_up_to_the_optimum():
    """K = optimum is certified, K = optimum + 1 is refuted, on random rows."""
    rng = random.Random(1)
    for _ in range(300):
        sizes = [rng.randint(1, 9) for _ in range(rng.randint(1, 8))]
        instance = IntervalCovering(sizes, rng.randint(1, 12))
        best = optimum(instance)
        if best is None:
            check_certificate(instance, {"kind": "total"}, None)
            continue
        for cost in (best[0], instance.k):
            check_certificate(instance, {"kind": "reachability", "cost": cost}, cost)
        with pytest.raises(CertificateError, match="cover the row"):
            check_certificate(
                instance, {"kind": "reachability", "cost": best[0] + 1}, best[0]
            )
        with pytest.raises(CertificateError, match="reaches k"):
            check_certificate(instance, {"kind": "total"}, None)


@pytest.mark.parametrize(
    ("certificate", "bound"),
    [
        ({}, 3),
        ({"kind": "reachability"}, 3),
        ({"kind": "reachability", "cost": 2}, 3),
        ({"kind": "reachability", "cost": 3}, None),
    ],
)
def test_malformed_certificates_prove_nothing(certificate, bound):
    """Missing or weaker claims are refused."""
    with pytest.raises(CertificateError):
        check_certificate(IntervalCovering([2, 1, 3], 2), certificate, bound)


def test_certificate_is_for_max_only():
    """Another objective has no reachability certificate."""
    with pytest.raises(CertificateError, match="excess"):
        check_certificate(
            IntervalCovering([2, 1, 3], 2, "excess"),
            {"kind": "reachability", "cost": 2},
            2,
        )
