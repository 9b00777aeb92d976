"""Two groups at most: trees of semidefinite programs, and what their leaves prove."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import atleastk
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.pair_halves import leaf_bound, refuses, sides_of
from atleastk.models.certificates.pair_partition import check_certificate
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition.two_groups import refuted
from scripts import second_checker
from scripts.sweeps.drawn_pairs import MODERATE, random_pairs

PATH = PairPartition(
    items=4, costs=[(0, 1, 3), (1, 2, 1), (2, 3, 3)], k=2, connected=True
)
"""Best as (0, 1) and (2, 3), at 6; one group costs 7."""

LEAF = {"scale": 1, "items": [0] * 4, "triangles": [], "meeting": []}


def halved(count, seed=0):
    """Yield instances of at most two groups."""
    rng = random.Random(seed)
    while count:
        drawn = random_pairs(rng, MODERATE, 7)
        few = rng.choice([(0, 2), (1, 2), (2, 2)])
        instance = replace(drawn, objective="sum", k=rng.randint(1, 3), groups=few)
        if refuses(instance) is None and instance.n > 1:
            count -= 1
            yield instance, optimum(instance), rng


def accepted(instance, certificate, bound):
    """Tell whether both checkers accept a bound; they agree."""
    first = second = True
    try:
        check_certificate(instance, certificate, bound)
    except CertificateError:
        first = False
    document, proof = json.loads(json.dumps([instance.to_dict(), certificate]))
    with second_checker.counted():
        try:
            given = second_checker.read_instance(document)
            second = second_checker.bound_of_pairs(given, proof, bound) >= bound
        except second_checker.ERRORS:
            second = False
    assert first == second
    return first


def test_trees_prove_optima_and_no_more():
    for instance, best, _ in halved(12):
        if best is None:
            continue
        certificate = refuted(instance, best[0], Budget())
        assert accepted(instance, certificate, best[0])
        assert not accepted(instance, certificate, best[0] + 1)


def test_leaves_never_prove_more_than_the_optimum():
    """Whatever the multipliers are."""
    for instance, best, rng in halved(150, 7):
        if best is None or instance.n < 3:
            continue
        n, most = instance.n, 2 * max(1, instance.total)
        sides = sides_of(instance, Decided.nothing(n))
        leaf = {
            "scale": rng.randint(1, 3),
            "items": [rng.randint(-3, 3) for _ in range(n)],
            "vectors": [rng.choices(range(-3, 4), k=sides.shape[1])],
            "leaving": [[most, *rng.sample(range(n), rng.randint(1, n - 1))]],
        }
        for name in ("triangles", "meeting"):
            leaf[name] = [[*rng.sample(range(n), 3), rng.randint(0, most)]]
        if not instance.connected:
            leaf["leaving"] = []
        for bound in (best[0], best[0] + 1):
            try:
                proved = leaf_bound(instance, leaf, sides, bound)
            except CertificateError:
                continue  # a cheaper solution is cut off
            assert proved is None or proved <= best[0]


def test_what_leaves_a_set_counts_unless_it_is_a_better_group():
    leaf = {**LEAF, "leaving": [[1, 0, 1]], "vectors": []}
    sides = np.eye(4, dtype=np.int64)
    assert leaf_bound(PATH, leaf, sides, 6) == 1
    with pytest.raises(CertificateError, match=r"\[0, 1\] and all others are a sol"):
        leaf_bound(PATH, leaf, sides, 7)
    for row in ([], [-1, 0], [1], [1, 4], [1, 0, 1, 2, 3]):
        with pytest.raises(CertificateError, match="a multiplier and some items"):
            leaf_bound(PATH, {**leaf, "leaving": [row]}, sides, 6)


def test_sides_follow_from_pairs():
    together, _ = Decided.nothing(4).by_pair(0, 1)
    _, apart = together.by_pair(1, 3)
    assert sides_of(PATH, apart).tolist() == [[1, 0], [1, 0], [0, 1], [-1, 0]]
    three = replace(PATH, apart=[[0, 1, 2]])
    assert sides_of(three, Decided.nothing(4)) is None


def test_a_tree_is_for_sums_of_two_groups():
    tree = {"kind": "tree", "tree": {**LEAF, "leaving": [], "vectors": []}}
    many = PairPartition(items=4, costs=[(0, 1, 3)], k=1)
    for other, why in (
        (many, "for one group or two"),
        (replace(PATH, objective="squares"), 'bounds the objective "sum"'),
    ):
        with pytest.raises(CertificateError, match=why):
            check_certificate(other, tree, 0)
        given = second_checker.read_instance(other.to_dict())
        with pytest.raises(second_checker.WrongError):
            second_checker.bound_of_pairs(given, tree, 0)
    with pytest.raises(CertificateError, match="a leaf proves the bound 0, not 1"):
        check_certificate(PATH, tree, 1)


def test_two_groups_of_a_dense_graph_are_certified():
    rng = random.Random(5)
    costs = [[i, j, rng.randint(-9, 5)] for i in range(20) for j in range(i)]
    instance = PairPartition(items=20, costs=costs, k=9, groups=(2, 2))
    result = atleastk.solve(instance, workers=1)
    assert (result.trust, result.certificate["kind"]) == ("certified", "tree")
    assert atleastk.check(instance, result).feasible
