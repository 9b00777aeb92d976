import random

import pytest

from atleastk import CertificateError, KAnonymity
from atleastk.models.certificates.k_anonymity import check_certificate
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.certify import certify, certify_less
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.weights import certificate_of


@pytest.mark.parametrize("seed", range(8))
def test_certificates_of_multipliers_pass(seed):
    rng = random.Random(seed)
    table = [[rng.randrange(3) for _ in range(5)] for _ in range(150)]
    instance = KAnonymity(table, rng.randint(2, 6))
    records, k = instance.records, instance.k
    table = ListedTable(closed_patterns(records, k), records, k)
    found = improve(table, Budget())
    certificate = certificate_of(table, found, found.bound)
    check_certificate(instance, certificate, found.bound)
    assert certificate["scale"] <= found.scale
    with pytest.raises(CertificateError, match="proves the bound"):
        check_certificate(instance, certificate, found.bound + 1)
    exact = {"kind": "weights", "scale": found.scale, "weights": found.weights.tolist()}
    check_certificate(instance, exact, found.bound)
    with pytest.raises(CertificateError, match=f"proves the bound {found.bound}, not"):
        check_certificate(instance, exact, found.bound + 1)


def test_no_certificate_is_sought_where_there_is_none():
    budget = Budget()
    assert certify(KAnonymity([["a"]], 2), 1, budget) is None
    assert certify(KAnonymity([], 2), 1, budget) is None
    assert certify(KAnonymity([["a"] * 63] * 2, 2), 1, budget) is None


def test_weights_certify_less_where_they_leave_a_gap():
    rng, less = random.Random(5), 0
    for _ in range(20):
        table = [[rng.randrange(3) for _ in range(4)] for _ in range(9)]
        instance = KAnonymity(table, 3)
        best = optimum(instance)[0]
        found = certify_less(instance, best, Budget())
        assert found.bound <= best
        check_certificate(instance, found.certificate, found.bound)
        less += found.bound < best
    assert less
