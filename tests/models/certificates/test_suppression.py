import pytest

from atleastk import CertificateError, KAnonymity, Suppression
from atleastk.models.certificates.suppression import check_certificate
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.certify import certify

TABLE = [[0, 0], [0, 1], [1, 1], [1, 1]]


def test_weights_bound_entries_under_any_limits():
    proof = certify(KAnonymity(TABLE, 2), 2, Budget())
    assert proof is not None
    for limits in ({}, {"rows": 2}, {"per_column": 1}):
        check_certificate(Suppression(TABLE, 2, limits=limits), proof, 2)
        with pytest.raises(CertificateError, match="proves the bound 2, not 3"):
            check_certificate(Suppression(TABLE, 2, limits=limits), proof, 3)


@pytest.mark.parametrize("minimise", ["rows", "per_column", "none", "k"])
def test_weights_bound_nothing_else(minimise):
    proof = certify(KAnonymity(TABLE, 2), 2, Budget())
    assert proof is not None
    with pytest.raises(CertificateError, match="bound entries, not"):
        check_certificate(Suppression(TABLE, 2, minimise=minimise), proof, 2)


def test_counts_prove_that_there_are_too_few_rows():
    check_certificate(Suppression(TABLE, 5, minimise="rows"), {"kind": "count"}, None)
    with pytest.raises(CertificateError, match="exactly that 0 < n < k"):
        check_certificate(Suppression(TABLE, 4), {"kind": "count"}, None)
    with pytest.raises(CertificateError, match="exactly that 0 < n < k"):
        check_certificate(Suppression(TABLE, 5), {"kind": "count"}, 3)
