"""Few large groups: what vectors and triangles prove is true, and near the optimum."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_partition import check_certificate
from atleastk.models.certificates.pair_triangles import (
    products_of,
    proved_by_triangles,
)
from atleastk.models.pair_partition import check
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition import semidefinite
from atleastk.solvers.pair_partition.auto import begin
from atleastk.solvers.search import Search
from scripts import second_checker
from scripts.sweeps.drawn_pairs import MODERATE, random_pairs


def drawn(count, seed):
    """Yield small instances with their optima."""
    rng = random.Random(seed)
    while count:
        instance = random_pairs(rng, MODERATE, 7)
        best = optimum(instance)
        if best is not None and instance.n > 2:
            count -= 1
            yield instance, best[0], rng


def second_bound(instance, certificate):
    """Return what the second checker makes of a certificate."""
    document, proof = json.loads(json.dumps([instance.to_dict(), certificate]))
    with second_checker.counted():
        given = second_checker.read_instance(document)
        return second_checker.bound_of_pairs(given, proof, None)


def test_nothing_proves_more_than_the_optimum():
    """Whatever the multipliers and vectors are; both checkers find the same."""
    for instance, best, rng in drawn(200, 3):
        n, most = instance.n, 2 * max(1, instance.total)
        certificate = {
            "kind": "triangles",
            "scale": rng.randint(1, 3),
            "items": rng.choices(range(-most, most + 1), k=n),
            "triangles": [
                [*rng.sample(range(n), 3), rng.randint(0, most)]
                for _ in range(rng.randint(0, 9))
            ],
            "vectors": [
                rng.choices(range(-3, 4), k=n) for _ in range(rng.randint(0, 3))
            ],
        }
        bound = proved_by_triangles(instance, certificate)
        assert bound <= best
        assert second_bound(instance, certificate) == bound
        check_certificate(instance, certificate, bound)


@pytest.mark.parametrize(
    ("fields", "item", "vectors"),
    [
        ({"items": 0, "k": 3}, 0, []),
        ({"items": 0, "k": 3}, 0, [[]]),
        ({"items": 12, "k": 2, "apart": [range(4)]}, 0, [[2**31 - 1] * 4 + [0] * 8]),
        ({"items": 6, "k": 3, "groups": (3, 3)}, 0, []),
        ({"items": 6, "k": 3, "groups": (3, 3), "objective": "squares"}, -9, []),
    ],
    ids=["nothing", "empty", "above 2**63", "no groups", "no groups of squares"],
)
def test_odd_certificates_are_read(fields, item, vectors):
    instance = PairPartition(costs=[], **fields)
    certificate = {"kind": "triangles", "scale": 1, "items": [item] * instance.n}
    certificate |= {"triangles": [], "vectors": vectors}
    bound = proved_by_triangles(instance, certificate)
    assert second_bound(instance, certificate) == bound
    assert bound == 0 or not instance.counts
    for null in ({"items": None}, {"triangles": None}, {"vectors": None}):
        with pytest.raises(CertificateError):
            check_certificate(instance, {**certificate, **null}, 0)
        with pytest.raises(second_checker.ERRORS):
            second_bound(instance, {**certificate, **null})


def test_certificates_never_prove_too_much():
    for instance, best, _ in drawn(25, 8):
        if instance.counts[-1] > 1:
            found = semidefinite._Multipliers(instance).certificates(Budget())
            bounds = [proved_by_triangles(instance, next(found)) for _ in range(3)]
            assert max(bounds) <= best


def test_certificates_come_near_small_optima():
    gaps = []
    for seed in range(8):
        instance = classes(9, seed)
        best = optimum(instance)[0]
        found = semidefinite._Multipliers(instance).certificates(Budget())
        bounds = [proved_by_triangles(instance, next(found)) for _ in range(12)]
        assert max(bounds) <= best
        gaps.append(best - max(bounds))
    assert sum(gaps) <= len(gaps)


@pytest.mark.parametrize("great", [1, 2**40])
def test_products_are_exact(great):
    rng = np.random.default_rng(1)
    vectors = (great * rng.integers(-3, 4, size=(4, 5)) + 1).tolist()
    exact = [[sum(v[i] * v[j] for v in vectors) for j in range(5)] for i in range(5)]
    assert products_of(vectors, 5).tolist() == exact
    assert products_of([], 5).tolist() == [[0] * 5] * 5


def classes(n, seed):
    """Pupils with two wishes each, in classes of half a dozen different languages."""
    rng = random.Random(seed)
    language = rng.choices(range(3), k=n)
    costs = {
        (i, j): int(language[i] == language[j])
        for i in range(n)
        for j in range(i + 1, n)
    }
    for i in range(n):
        for j in rng.sample(range(n), 2):
            if i != j:
                costs[min(i, j), max(i, j)] -= 3
    edges = [(i, j, cost) for (i, j), cost in costs.items() if cost]
    return PairPartition(items=n, costs=edges, k=n // 3, groups=(3, 3))


def test_classes_of_pupils_have_a_bound_with_a_certificate():
    instance = classes(42, 5)
    assert semidefinite.refuses(instance) is None
    search = Search(instance, check, Budget())
    begin(search, "auto")
    semidefinite.bound(search, search.budget)
    assert search.bound > instance.least_cost
    proof = search.proof
    assert proof.certificate["vectors"]
    check_certificate(instance, proof.certificate, proof.bound)
    with pytest.raises(CertificateError):
        check_certificate(instance, proof.certificate, proof.bound + 1)


@pytest.mark.parametrize("objective", ["sum", "squares"])
def test_what_costs_more_than_all_pairs_is_infeasible(objective):
    costs = [(i, i + 1, 1) for i in range(8)]
    fields = {"k": 3, "apart": [range(9)], "objective": objective}
    search = Search(PairPartition(items=9, costs=costs, **fields), check, Budget())
    semidefinite.bound(search, search.budget)
    assert search.infeasible


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"k": 2}, "at least 3"),
        ({"groups": (99, 99)}, "one group"),
        ({"groups": (1, 1)}, "one group"),
    ],
)
def test_what_is_refused(changed, reason):
    instance = replace(classes(42, 5), **changed)
    assert reason in semidefinite.refuses(instance)
