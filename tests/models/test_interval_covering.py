import random
from dataclasses import replace

import pytest

from atleastk import CertificateError, IntervalCovering, NotApplicableError, Solution
from atleastk.models.certificates.interval_covering import check_certificate
from atleastk.models.interval_covering import check
from atleastk.solvers.brute_force.interval_covering import optimum
from scripts.second_checker import WrongError, bound_of_intervals, counted


def test_gaps_are_violations():
    verdict = check(IntervalCovering([2, 2, 2, 2], 4), Solution.of([[0, 2], [1, 3]]))
    assert not verdict.feasible
    assert "holds items 0 and 2, but not item 1" in verdict.violations[0]


def test_intervals_pass_with_their_cost():
    instance = IntervalCovering([2, 1, 3], 3)
    assert check(instance, Solution.of([[0, 1], [2]])).cost == 3
    assert not check(instance, Solution.of([[0], [1, 2]])).feasible


@counted()
def test_certificates_hold_exactly_up_to_the_optimum():
    rng = random.Random(1)
    for _ in range(300):
        sizes = [rng.randint(1, 9) for _ in range(rng.randint(1, 8))]
        instance = IntervalCovering(sizes, rng.randint(1, 12))
        best = optimum(instance)
        if best is None:
            check_certificate(instance, {"kind": "total"}, None)
            continue
        document = {"sizes": sizes, "k": instance.k, "objective": "max"}
        for cost in range(instance.k, best[0] + 1):
            proof = {"kind": "reachability", "cost": cost}
            check_certificate(instance, proof, cost)
            assert bound_of_intervals(document, proof) == cost
        proof["cost"] += 1
        with pytest.raises(CertificateError, match="cover the row"):
            check_certificate(instance, proof, best[0])
        with pytest.raises(WrongError):
            bound_of_intervals(document, proof)
        with pytest.raises(CertificateError, match="reaches k"):
            check_certificate(instance, {"kind": "total"}, None)


def hitting(sizes, k, items, bound):
    instance = IntervalCovering(sizes, k, "excess")
    check_certificate(instance, {"kind": "hitting", "items": items}, bound)


def test_hitting_items_bound_the_number_of_intervals():
    """(2, 1, 3, 4), k = 3: items 1, 2, 3 hit every interval; 1, 3 leave room."""
    hitting([2, 1, 3, 4], 3, [1, 2, 3], 1)
    for items, bound, message in (
        ([1, 3], 1, "between 1 and 3 an interval has room"),
        ([1, 2, 3], 2, "prove the bound 1, not 2"),
        ([1, 2, 3, 3], 1, "expected increasing items"),
        ([1, 2, 4], 1, "expected increasing items"),
        ([-1, 1, 2, 3], 1, "expected increasing items"),
        ([1, 2.0, 3], 1, r"items\[1\]: expected an integer, got 2.0"),
        (None, 1, "items: expected a list, got null"),
    ):
        with pytest.raises(CertificateError, match=message):
            hitting([2, 1, 3, 4], 3, items, bound)


def test_no_hitting_items_prove_too_much():
    rng = random.Random(2)
    accepted = 0
    for _ in range(2000):
        sizes = [rng.randint(1, 5) for _ in range(rng.randint(1, 7))]
        k = rng.randint(1, 9)
        best = optimum(IntervalCovering(sizes, k, "excess"))
        items = sorted(rng.sample(range(len(sizes)), rng.randint(0, len(sizes))))
        bound = sum(sizes) - k * len(items)
        try:
            hitting(sizes, k, items, bound)
        except CertificateError:
            continue
        accepted += 1
        assert best is None or bound <= best[0], (sizes, k, items)
    assert accepted > 200


KINDS = {
    "max": {"kind": "reachability", "cost": 2},
    "excess": {"kind": "hitting", "items": []},
    "quadratic": {"kind": "prefixes"},
}


@pytest.mark.parametrize("objective", KINDS)
def test_every_kind_is_for_its_objective_only(objective):
    instance = IntervalCovering([2, 1, 3], 2, objective)
    for certificate in (KINDS[other] for other in KINDS if other != objective):
        with pytest.raises(CertificateError, match=f"for objective {objective}"):
            check_certificate(instance, certificate, 2)


@counted()
def test_prefixes_prove_the_least_sum_of_squares():
    rng = random.Random(3)
    for _ in range(200):
        sizes = [rng.randint(1, 9) for _ in range(rng.randint(1, 8))]
        instance = IntervalCovering(sizes, rng.randint(1, sum(sizes)), "quadratic")
        cost = optimum(instance)[0]
        check_certificate(instance, {"kind": "prefixes"}, cost)
        with pytest.raises(CertificateError, match=f"the bound {cost}, not"):
            check_certificate(instance, {"kind": "prefixes"}, cost + 1)
        document = {"sizes": sizes, "k": instance.k, "objective": "quadratic"}
        assert bound_of_intervals(document, {"kind": "prefixes"}) == cost
    excess = replace(instance, objective="excess")
    with pytest.raises(CertificateError, match="objective excess"):
        check_certificate(excess, {"kind": "prefixes"}, 0)
    long = [*[1] * 2_000, 10**1999, *[1] * 2_000]
    for sizes, k in (([1] * 30_000, 3_000), (long, 10**1999)):
        many = IntervalCovering(sizes, k, "quadratic")
        with pytest.raises(NotApplicableError):
            check_certificate(many, {"kind": "prefixes"}, 0)
