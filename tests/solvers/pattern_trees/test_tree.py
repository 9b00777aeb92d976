import json
import random

import pytest

from atleastk import CertificateError, KAmbiguity, KAnonymity, Suppression, solve
from atleastk.models.certificates.k_ambiguity import (
    check_certificate as check_ambiguity,
)
from atleastk.models.certificates.k_ambiguity import pattern_problem
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.suppression import check_certificate
from atleastk.solvers.brute_force.k_ambiguity import optimum as exhaustive
from atleastk.solvers.brute_force.suppression import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pattern_trees.tree import tree_certificate
from scripts.sweeps.drawn_tables import random_ambiguity, random_suppression


def test_every_optimum_has_a_tree_and_nothing_more_does():
    """Limits, orders, deletion, maximised k, and infeasible tables.

    Too few rows for k are counted, and no tree is asked for.
    """
    rng = random.Random(1)
    seen = set()
    for _ in range(120):
        instance = random_suppression(rng, 20)
        if instance.n > 6 or instance.n * instance.m > 20:
            continue
        if 0 < instance.n < instance.k:
            continue
        best = optimum(instance)
        proof = tree_certificate(PatternProblem(instance), best, Budget())
        assert proof is not None
        check_certificate(instance, json.loads(json.dumps(proof)), best)
        if best is not None:
            with pytest.raises(CertificateError):
                check_certificate(instance, proof, None)
            assert (
                tree_certificate(PatternProblem(instance), best + 1, Budget()) is None
            )
            with pytest.raises(CertificateError):
                check_certificate(instance, proof, best + 1)
        ordered = bool(instance.row_order), bool(instance.column_order)
        seen.add((instance.minimise, instance.deletion, *ordered, best is None))
    assert len(seen) >= 25


def test_rows_that_have_to_match_have_trees_and_nothing_more_does():
    """Equal rows, which need fewer matches together than one by one, among them."""
    rng = random.Random(5)
    splits = set()
    gap = KAmbiguity([[0, 1], [1, 1], [2, 2], [1, 2], [0, 0]], 4)
    for instance in (gap, *(random_ambiguity(rng) for _ in range(30))):
        best = exhaustive(instance)
        if best is None:
            continue
        problem = pattern_problem(instance)
        proof = tree_certificate(problem, best[0], Budget())
        assert proof is not None
        check_ambiguity(instance, json.loads(json.dumps(proof)), best[0])
        for _ in range(10):
            with pytest.raises(CertificateError):
                check_ambiguity(instance, disturbed(proof, rng), best[0] + 1)
        assert tree_certificate(problem, best[0] + 1, Budget()) is None
        splits |= words_of(proof["tree"])
    assert {"stars", "keeps", "needs", "splits"} <= splits


def disturbed(proof, rng):
    def changed(value):
        if isinstance(value, dict):
            return {key: changed(held) for key, held in value.items()}
        if isinstance(value, list | tuple):
            return [changed(held) for held in value]
        return value + rng.randint(-1, 1) if isinstance(value, int) else value

    return changed(json.loads(json.dumps(proof)))


def words_of(node):
    if node is None:
        return set()
    below = (words_of(node[side]) for side in ("yes", "no") if side in node)
    return set(node).union(*below)


def test_trees_close_what_weights_leave_open():
    rng = random.Random(4)
    depths = []
    for _ in range(6):
        table = [[rng.randrange(3) for _ in range(4)] for _ in range(16)]
        instance = Suppression(table, 3)
        best = solve(KAnonymity(table, 3), method="subset-dp").cost
        proof = tree_certificate(PatternProblem(instance), best, Budget())
        assert proof is not None
        check_certificate(instance, proof, best)
        depths.append(depth_of(proof["tree"]))
    assert max(depths) > 2


def depth_of(node):
    if node is None or "yes" not in node:
        return 1
    return 1 + max(depth_of(node["yes"]), depth_of(node["no"]))


def test_equal_columns_are_named_once():
    """As levels of a column that weighs much are: a pattern hides all or none."""
    rng = random.Random(4)
    table = [[rng.randrange(3) for _ in range(4)] for _ in range(14)]
    wide = [[*row[:1] * 30, *row[1:]] for row in table]
    best = solve(KAnonymity(wide, 3), method="subset-dp").cost
    proof = tree_certificate(PatternProblem(Suppression(wide, 3)), best, Budget())
    assert proof is not None
    check_certificate(Suppression(wide, 3), proof, best)
    assert most_kept(proof["tree"]) in (1, 2, 3, 4)


def most_kept(node):
    if node is None or "yes" not in node:
        return 0
    below = max(most_kept(node["yes"]), most_kept(node["no"]))
    return max(len(node.get("keeps", ())), below)
