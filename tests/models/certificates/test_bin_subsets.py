import random

import pytest

from atleastk import BinCovering, CertificateError, NotApplicableError
from atleastk.models.certificates.bin_covering import check_certificate
from atleastk.models.certificates.bin_subsets import cost_of_subsets
from atleastk.solvers.brute_force.bin_covering import optimum
from scripts.second_checker import bound_of_bins, counted


@counted()
@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
@pytest.mark.parametrize("seed", range(20))
def test_optima_are_those_of_the_judge(seed, objective):
    rng = random.Random(seed)
    some = rng.sample(range(1, 15), rng.randint(1, 4))
    sizes = rng.choices(some, k=rng.randint(1, 8))
    instance = BinCovering(sizes, rng.randint(1, sum(sizes)), objective=objective)
    cost = optimum(instance)[0]
    document = {"sizes": sizes, "k": instance.k, "objective": objective}
    second = bound_of_bins(document, {"kind": "subsets"})
    assert cost_of_subsets(instance) == second == cost
    check_certificate(instance, {"kind": "subsets"}, cost)
    with pytest.raises(CertificateError):
        check_certificate(instance, {"kind": "subsets"}, cost + 1)


@pytest.mark.parametrize(
    ("sizes", "k"),
    [
        (range(1, 22), 9),
        ([1, 2] * 500, 400),
        ([2**31, 2**31 + 1], 3),
        ([1] * 20_000, 1),
    ],
)
def test_what_is_too_much(sizes, k):
    with pytest.raises(NotApplicableError):
        cost_of_subsets(BinCovering(sizes, k, objective="quadratic"))


def test_nothing_and_too_little():
    for instance in (BinCovering([], 3), BinCovering([2], 3)):
        with pytest.raises(CertificateError):
            check_certificate(instance, {"kind": "subsets"}, 0)
