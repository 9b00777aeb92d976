"""Levels within limits on entries, against brute force."""

import random
from dataclasses import replace

import pytest

import atleastk
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import check_certificate
from atleastk.models.generalization import check, solution_of_groups
from atleastk.solvers.brute_force.generalization import optimum
from scripts.sweeps.drawn_tables import random_generalization
from tests.helpers.copied import with_copies
from tests.helpers.verdicts import solved_rightly

CHAINS = [
    [("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")],
    [(1, "*"), (2, "*")],
]
ROWS = [["a", 1], ["b", 1], ["c", 1], ["c", 2]]


def drawn(seed):
    """A small table on entries whose levels have limits."""
    rng = random.Random(seed)
    found = random_generalization(rng, 6, on="entries")
    pairs = [sorted(rng.randint(0, h) for _ in "ab") for h in found.heights]
    limits = zip(pairs, found.heights, strict=True)
    levels = [rng.choice([(a, b), (a, h), (0, b)]) for (a, b), h in limits]
    found = replace(found, suppress_rows=0, levels=levels)
    return with_copies(found) if seed % 2 else found


@pytest.mark.parametrize("seed", range(60))
def test_the_optimum_is_that_of_brute_force(seed):
    instance = drawn(seed)
    least = optimum(instance)
    for method in ("auto", "leaders"):
        result = atleastk.solve(instance, method=method, workers=1)
        proved = solved_rightly(instance, result, least)
        assert proved == (result.certificate is not None)


def test_a_group_has_levels_within_the_limits():
    within = Generalization(ROWS, 2, CHAINS, levels=[(1, 1), (0, 1)])
    solution = solution_of_groups(within, [[0, 1], [2, 3]])
    assert solution.levels == ((1, 0), (1, 1))
    assert check(within, solution).cost == 6
    told = check(within, solution_of_groups(within, [range(4)])).violations
    assert "expected 2 levels from (1, 0) to (1, 1)" in told[0]


def test_nothing_is_feasible_if_a_class_of_the_highest_levels_is_too_small():
    within = Generalization(ROWS, 2, CHAINS, levels=[(0, 1), (0, 0)])
    result = atleastk.solve(within)
    assert (str(result.status), result.certificate) == (
        "INFEASIBLE",
        {"kind": "highest"},
    )


def test_certificates_count_the_least_levels_and_are_no_trees():
    within = Generalization(ROWS, 2, CHAINS, levels=[(1, 1), (0, 1)])
    proof = atleastk.solve(within, certify=True).certificate
    check_certificate(within, proof, 6)
    with pytest.raises(CertificateError):
        check_certificate(within, proof, 7)
    with pytest.raises(CertificateError, match="a tree says nothing of limits"):
        check_certificate(within, {"kind": "tree", "tree": {}}, 6)
