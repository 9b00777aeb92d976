from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.certificates.connected_partition import check_certificate
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.certify import certify


def test_what_is_above_counting():
    instance = delaunay(0, n=60, parts=20)
    certificate = certify(instance, 30, Budget.of())
    assert certificate is not None
    assert certificate["kind"] == "parts"
    check_certificate(instance, certificate, 30)


def test_a_spent_budget_has_no_certificate():
    assert certify(delaunay(0, n=60, parts=20), 30, Budget.of(0)) is None
