import atleastk
from atleastk.instances.generators.generalization import trees
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization.certify import certify


def test_nothing_for_infeasible_tables():
    assert certify(trees(0, n=3, k=3), 10**9, Budget()) is None


def test_more_rows_may_be_suppressed_than_64_bits_count():
    asked = {"table": [], "k": 1, "hierarchies": [[["*"]]], "suppress_rows": 2**63}
    instance = atleastk.from_dict({"problem": "generalization", **asked})
    assert atleastk.solve(instance, certify=True).certificate is not None
