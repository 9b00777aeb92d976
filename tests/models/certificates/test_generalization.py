import json
from dataclasses import replace

import pytest
from certificates import refused

import atleastk
from atleastk import CertificateError, Diversity, NotApplicableError
from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import trees
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of
from atleastk.models.certificates.generalization import (
    check_certificate,
    pattern_problem,
)
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.certify import certify as certify_diversity
from atleastk.solvers.generalization.certify import certify
from atleastk.solvers.pattern_trees.tree import tree_certificate

TREE = Hierarchy([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]])


@pytest.fixture
def pinned():
    """Levels (1, 0) are the optimum; (0, 1) is refused, and so is all below."""
    table = [["a", 1], ["b", 1], ["c", 2], ["c", 2]]
    instance = Generalization(table, 2, [TREE, suppression_of([1, 2])], "attributes")
    return instance, {"kind": "lattice", "refused": [[0, 1]], "dear": []}


def test_a_handmade_lattice(pinned):
    instance, certificate = pinned
    check_certificate(instance, certificate, 1)
    check_certificate(instance, json.loads(json.dumps(certificate)), 1)
    check_certificate(instance, {**certificate, "refused": []}, 0)
    with pytest.raises(CertificateError, match=r"nothing is said of the node \(1, 0\)"):
        check_certificate(instance, certificate, 2)
    with pytest.raises(CertificateError, match=r"the node \(1, 0\) is k-anonymous"):
        check_certificate(instance, {**certificate, "refused": [[1, 0]]}, 1)
    with pytest.raises(CertificateError, match=r"\(2, 0\) loses 2, less than the bou"):
        check_certificate(instance, {**certificate, "dear": [[2, 0]]}, 3)


def test_only_what_is_infeasible_is_so(pinned):
    instance, certificate = pinned
    assert refused(instance, {"kind": "count"}, None)
    assert refused(instance, certificate, None)
    few = Generalization([["a"]], 2, [TREE])
    check_certificate(few, {"kind": "count"}, None)
    assert refused(few, {"kind": "count"}, 0)


@pytest.mark.parametrize("loss", LOSSES)
def test_solved_lattices_are_certified_and_never_too_high(loss):
    for seed in range(6):
        instance = trees(seed, n=12, k=3, on="attributes", loss=loss)
        result = atleastk.solve(instance, workers=1)
        assert (result.trust, result.cost) == ("certified", optimum(instance))
        assert refused(instance, result.certificate, result.cost + 1)


@pytest.mark.parametrize("loss", LOSSES)
def test_lattices_with_suppressed_rows(loss):
    alone = 0
    for seed in range(6):
        instance = trees(seed, n=8, k=2, on="attributes", loss=loss)
        instance = replace(instance, suppress_rows=3)
        result = atleastk.solve(instance, workers=1)
        assert (result.trust, result.cost) == ("certified", optimum(instance))
        assert refused(instance, result.certificate, result.cost + 1)
        alone += "alone" in result.certificate
        fewer = {**result.certificate, "alone": []}
        assert refused(instance, fewer, result.cost) is ("alone" in result.certificate)
    assert (alone > 0) is (loss in ("discernibility", "average-class-size"))


@pytest.mark.parametrize("loss", LOSSES[:2])
def test_weights_prove_no_more_than_the_optimum(loss):
    passed = 0
    for seed in range(8):
        instance = trees(seed, n=7, m=2, k=2, loss=loss)
        best = optimum(instance)
        for weight in range(12):
            weights = [weight] * instance.records.distinct
            certificate = {"kind": "weights", "scale": 2, "weights": weights}
            assert refused(instance, certificate, best + 1)
            passed += not refused(instance, certificate, 1)
    assert passed > 3


def test_too_large_to_be_checked():
    tall = Hierarchy([[str(level) for level in range(3000)]])
    instance = Generalization([["0", "0", "0"]], 1, [tall] * 3, "attributes")
    with pytest.raises(NotApplicableError, match="too large to re-check"):
        check_certificate(instance, {"kind": "lattice", "refused": [], "dear": []}, 0)


def test_trees_certify_what_weights_leave_open():
    seen = 0
    for seed in range(24):
        loss = ("height", "precision")[seed % 2]
        weights = (None, (2, 4, 6))[seed // 2 % 2]
        persons = (None, (4, 2, 2, 6, 2, 8, 2, 2))[seed // 12]
        drawn = trees(seed, n=8, m=3, k=3, loss=loss)
        instance = replace(drawn, column_weights=weights, row_weights=persons)
        best = optimum(instance)
        proof = tree_certificate(
            pattern_problem(instance), -(-best // instance.unit), Budget()
        )
        assert proof is not None
        check_certificate(instance, proof, best)
        assert refused(instance, proof, best + instance.unit)
        seen += "yes" in (proof["tree"] or {})
    assert seen


def test_trees_are_not_of_tables_that_large_weights_expand():
    """Twenty rows once took gigabytes, for a bound that weights do not prove."""
    table = [[i % 3, i % 2, i % 5] for i in range(20)]
    instance = Generalization(
        table,
        3,
        [suppression_of(range(values)) for values in (3, 2, 5)],
        column_weights=[999_983, 1_000_003, 1],
    )
    with pytest.raises(NotApplicableError, match="count too much for a tree"):
        pattern_problem(instance)
    assert certify(instance, 10**9, Budget.of(5)) is None
    diverse = Diversity(
        table,
        3,
        instance.hierarchies,
        column_weights=instance.column_weights,
        sensitive=[[i % 4] for i in range(20)],
        l=2,
    )
    assert certify_diversity(diverse, 10**9, Budget.of(5)) is None


def test_nodes_are_counted_even_if_the_table_has_one_row():
    """Each takes a tenth of a millisecond, so 7 kB of weights could take minutes."""
    chain = ["a", *(f"a{level}" for level in range(8)), "*"]
    instance = Generalization([["a"] * 7], 1, [[chain]] * 7)
    proof = {"kind": "weights", "scale": 1, "weights": [5]}
    with pytest.raises(NotApplicableError, match=r"too much work, [0-9,]+ steps"):
        check_certificate(instance, proof, 1)


def test_nodes_of_a_certificate_are_counted():
    chain = [["a", "*"], ["b", "*"]]
    instance = Generalization([["a"], ["b"]] * 2, 2, [chain], on="attributes")
    proof = {"kind": "lattice", "refused": [], "dear": [[0]] * 250_000}
    with pytest.raises(NotApplicableError, match="250000 nodes that the certificate"):
        check_certificate(instance, proof, 0)
