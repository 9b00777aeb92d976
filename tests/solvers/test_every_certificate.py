"""What looks for certificates: what is found holds, of what is false there is none."""

import json
import random
from collections import Counter

import pytest
from small_instances import DRAWN

from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.budget import Budget

CERTIFYING = [p for p in PROBLEMS.values() if p.certify and p.name in DRAWN]

KINDS = {
    "pair-partition": {"weights", "listed"},
    "bin-covering": {"counting", "weights", "total"},
    "connected-partition": {"count", "parts"},
    "rectangle-tiling": {"count", "parts"},
    "rectangle-tiling-grid": {"count", "parts"},
    "diversity": {"weights", "tree"},
}
"""Kinds of certificates that have to be among those that are found."""

BY_LESS = ("k-anonymity", "cellular-clustering")
"""Where weights leave a gap, they prove at least half."""

MOST_OPEN = {"bin-covering": 12}
"""Of 60 instances, those without a certificate of the optimum; else 15."""

KNOW_WHAT_IS_FEASIBLE = (
    "r-gather",
    "connected-partition",
    "rectangle-tiling",
    "rectangle-tiling-grid",
)
"""Whose makers of certificates find none of a false infeasibility."""


@pytest.mark.parametrize("problem", CERTIFYING, ids=lambda problem: problem.name)
def test_certificates_prove_optima_and_never_more(problem):
    rng, kinds = random.Random(1), Counter()
    for _ in range(60):
        instance = DRAWN[problem.name](rng)
        found = problem.optimum(instance)
        best = found[0] if isinstance(found, tuple) else found
        bound = best
        certificate = problem.certify(instance, bound, Budget())
        kinds[certificate and certificate["kind"]] += 1
        while certificate is None and best and problem.name in BY_LESS:
            bound -= 1
            certificate = problem.certify(instance, bound, Budget())
            assert bound >= best / 2
        if certificate is not None:
            problem.check_certificate(
                instance, json.loads(json.dumps(certificate)), bound
            )
        if best is not None and instance.n:
            more = best + getattr(instance, "unit", 1)
            for false in (more, *[None] * (problem.name in KNOW_WHAT_IS_FEASIBLE)):
                assert problem.certify(instance, false, Budget()) is None, instance
    assert kinds.keys() >= KINDS.get(problem.name, set())
    assert kinds[None] <= MOST_OPEN.get(problem.name, 15)
