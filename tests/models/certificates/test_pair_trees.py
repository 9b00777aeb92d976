import copy
import random

import pytest
from certificates import refused
from drawing import random_tree

from atleastk import CertificateError, ConnectedPartition
from atleastk.instances.generators.connected_partition import grid, wheel
from atleastk.models.certificates.connected_partition import (
    check_certificate,
    open_windows,
)
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.certify import certify
from scripts.second_checker import WrongError, bound_of_parts, counted


@counted()
def test_no_tree_refutes_the_optimum():
    """Both checkers agree on every one."""
    rng, proved = random.Random(6), 0
    for _ in range(2500):
        n = rng.randint(2, 6)
        edges = [(i, rng.randrange(i)) for i in range(1, n)]
        edges += [(0, n - 1)] * rng.randint(0, n > 2)
        weights = [rng.randint(0, 3) for _ in range(n)]
        instance = ConnectedPartition(weights, edges, rng.randint(1, 3))
        best = optimum(instance)
        if best is None:
            continue
        level = best[0] - rng.choice((-1, 0, 1, 1, 1, 2, 2))
        refuted = [
            {"parts": window.parts, "tree": random_tree(rng, n, 2)}
            for window in open_windows(weights, instance.k, level)
        ]
        proof = {"kind": "parts", "component": 0, "level": level, "refuted": refuted}
        if not refused(instance, proof, level + 1):
            assert level < best[0]
            proved += bool(refuted)
            assert bound_of_parts(instance.to_dict(), proof) == level + 1
        else:
            with pytest.raises(WrongError):
                bound_of_parts(instance.to_dict(), proof)
    assert proved > 10


@pytest.fixture(scope="module")
def divided():
    """A grid of which weights alone do not prove the optimum, 49, and its proof."""
    instance = grid(1)
    return instance, certify(instance, 49, Budget())


def leaves(tree):
    if "weights" in tree:
        return [tree]
    return leaves(tree["together"]) + leaves(tree["apart"])


def test_a_tree_proves_what_weights_do_not(divided):
    instance, proof = divided
    check_certificate(instance, proof, 49)
    assert ["tree" in claim for claim in proof["refuted"]] == [False, True]
    with pytest.raises(CertificateError, match="proves the bound 49, not 50"):
        check_certificate(instance, proof, 50)


def test_every_leaf_counts(divided):
    instance, proof = divided
    tree = proof["refuted"][1]["tree"]
    for place in (0, len(leaves(tree)) // 2, -1):
        broken = copy.deepcopy(proof)
        leaf = leaves(broken["refuted"][1]["tree"])[place]
        leaf["most"] += sum(y for _, y in leaf["weights"]) or 1
        with pytest.raises(CertificateError, match="do not refute 9 parts"):
            check_certificate(instance, broken, 49)
    swapped = copy.deepcopy(proof)
    held = swapped["refuted"][1]["tree"]
    held["together"], held["apart"] = held["apart"], held["together"]
    with pytest.raises(CertificateError, match="do not refute 9 parts"):
        check_certificate(instance, swapped, 49)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, '"pair"'),
        ({"point": 0}, '"pair"'),
        ({"pair": [0, 42]}, r"items of 0\.\.41"),
        ({"pair": [0, 1], "together": {"weights": [], "most": -1}}, '"apart"'),
        ({"weights": [[0, 1]]}, '"most"'),
    ],
)
def test_malformed_trees(divided, tree, message):
    instance, proof = divided
    broken = copy.deepcopy(proof)
    broken["refuted"][1]["tree"] = tree
    with pytest.raises(CertificateError, match=message):
        check_certificate(instance, broken, 49)


def test_nodes_that_are_cut_off_need_no_search():
    """Any rim nodes are connected by a hub; few of them leave arcs that are parts."""
    instance = wheel(4, n=39, w=20, parts=3)
    proof = certify(instance, 122, Budget())
    assert "weights" in proof["refuted"][0]
    check_certificate(instance, proof, 122)
