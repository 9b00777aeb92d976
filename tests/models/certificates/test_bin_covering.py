import random
from collections import Counter
from copy import deepcopy

import pytest
from certificates import refused

from atleastk import BinCovering, NotApplicableError
from atleastk.models.bin_covering import most_bins
from atleastk.models.certificates.bin_covering import check_certificate
from atleastk.models.kinds import Kinds
from atleastk.solvers.brute_force.bin_covering import optimum

OBJECTIVES = ("max", "excess", "quadratic")


def test_infeasibility_is_certified_by_the_total_alone():
    short, enough = BinCovering([3, 1], 5), BinCovering([3, 2], 5)
    check_certificate(short, {"kind": "total"}, None)
    assert refused(enough, {"kind": "total"}, None)
    assert refused(short, {"kind": "total"}, 5)
    assert refused(enough, {"kind": "total"}, 5)
    for kind in ("counting", "reach", "weights"):
        assert refused(short, {"kind": kind}, None)
        assert refused(short, {"kind": kind, "item": 0}, 5)
        assert refused(enough, {"kind": kind, "item": 0}, None)


def test_reach():
    instance = BinCovering([4, 4, 4], 5)
    check_certificate(instance, {"kind": "reach", "item": 1}, 8)
    assert refused(instance, {"kind": "reach", "item": 1}, 9)


def test_too_large_to_recheck():
    sizes = [10**13 + i**3 for i in range(90)]
    instance = BinCovering(sizes, 3 * 10**13)
    parts = {str(m): sizes[::-1] for m in range(1, 91)}
    certificate = {"kind": "weights", "refutes": 31 * 10**12, "parts": parts}
    with pytest.raises(NotApplicableError, match="too large to re-check"):
        check_certificate(instance, certificate, 31 * 10**12)


def random_certificate(rng, instance, bound):
    kinds = Kinds.of(instance.sizes)

    def weights():
        noise = rng.choice((0, 1, 3))
        factor = rng.choice((0, 1, 2))
        return [
            factor * size + rng.randint(-noise, noise) + rng.randint(0, 1)
            for size in kinds.values
        ]

    kind = rng.choice(("counting", "reach", "weights", "weights", "weights"))
    if kind == "reach":
        return {"kind": kind, "item": rng.randrange(instance.n)}
    if kind == "counting":
        return {"kind": kind}
    if instance.objective == "max":
        parts = {str(m): weights() for m in range(1, most_bins(instance) + 1)}
        return {"kind": kind, "refutes": bound - 1, "parts": parts}
    return {"kind": kind, "scale": rng.choice((1, 2, 6)), "weights": weights()}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_false_bound_is_ever_accepted(objective):
    accepted = Counter()
    for seed in range(150):
        rng = random.Random(seed)
        top = rng.choice((3, 9, 30))
        sizes = [rng.randint(1, top) for _ in range(rng.randint(1, 7))]
        instance = BinCovering(sizes, rng.randint(1, 20), objective=objective)
        best = optimum(instance)
        for _ in range(40):
            bound = max(0, (best or (0,))[0] + rng.randint(-2, 3))
            certificate = random_certificate(rng, instance, bound)
            if refused(instance, deepcopy(certificate), bound):
                continue
            assert best is not None, (seed, certificate)
            assert bound <= best[0], (seed, certificate)
            accepted[certificate["kind"]] += 1
    assert accepted.total() > 200
    assert accepted["weights"] > 20


def test_levels_that_are_too_long_are_not_looked_at():
    instance = BinCovering([10**12, 10**12, 5], 10**12)
    with pytest.raises(NotApplicableError):
        check_certificate(instance, {"kind": "reach", "item": 2}, 10**12 + 5)
