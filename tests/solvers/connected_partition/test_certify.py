import random

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.certificates.connected_partition import check_certificate
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.certify import certify


def random_instance(rng):
    n = rng.randint(0, 7)
    edges = [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.25]
    edges += [(i, rng.randrange(i)) for i in range(1, n) if rng.random() < 0.8]
    sizes = rng.choice([[1], [0, 1, 3], range(1, 12), [10**17, 10**17 + 1]])
    weights = [rng.choice(list(sizes)) for _ in range(n)]
    return ConnectedPartition(weights, edges, max(1, sum(weights) // rng.randint(1, 4)))


def test_small_optima():
    rng = random.Random(1)
    kinds = {"count": 0, "parts": 0, None: 0}
    for _ in range(150):
        instance, budget = random_instance(rng), Budget.of()
        best = optimum(instance)
        bound = None if best is None else best[0]
        certificate = certify(instance, bound, budget)
        kinds[certificate and certificate["kind"]] += 1
        if certificate is not None:
            check_certificate(instance, certificate, bound)
        assert certify(instance, 3 if bound is None else None, budget) is None
        if bound is not None:
            assert certify(instance, bound + 1, budget) is None
    assert kinds["parts"] > 5
    assert kinds[None] < 5


def test_what_is_above_counting():
    instance = delaunay(0, n=60, parts=20)
    certificate = certify(instance, 30, Budget.of())
    assert certificate is not None
    assert certificate["kind"] == "parts"
    check_certificate(instance, certificate, 30)


def test_a_spent_budget_has_no_certificate():
    assert certify(delaunay(0, n=60, parts=20), 30, Budget.of(0)) is None
