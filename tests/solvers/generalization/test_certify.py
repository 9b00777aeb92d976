from dataclasses import replace

from searching import searched

import atleastk
from atleastk.instances.generators.generalization import trees
from atleastk.models.certificates.generalization import check_certificate
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization.certify import certify
from atleastk.solvers.generalization.methods import solve


def test_certificates_by_weights():
    found = 0
    for seed in range(12):
        instance = replace(trees(seed, n=7, m=2, k=2), column_weights=[20, 50])
        best = optimum(instance)
        certificate = certify(instance, best, Budget())
        if certificate is not None:
            check_certificate(instance, certificate, best)
            found += 1
        assert certify(instance, best + 1, Budget()) is None
        search = searched(solve, instance)
        assert search.cost == search.bound == best
        if search.certificate is not None:
            check_certificate(instance, search.certificate, best)
    assert found >= 2


def test_nothing_for_infeasible_tables():
    assert certify(trees(0, n=3, k=3), 10**9, Budget()) is None


def test_more_rows_may_be_suppressed_than_64_bits_count():
    asked = {"table": [], "k": 1, "hierarchies": [[["*"]]], "suppress_rows": 2**63}
    instance = atleastk.from_dict({"problem": "generalization", **asked})
    assert atleastk.solve(instance, certify=True).certificate is not None
