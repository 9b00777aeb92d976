import json
import random

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.cellular_clustering import check_certificate
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.certify import certify


def test_what_is_found_holds_and_what_is_false_is_not_found():
    rng, tight = random.Random(0), 0
    for _ in range(60):
        n = rng.randint(1, 7)
        instance = CellularClustering(
            points=[[rng.randrange(30), rng.randrange(30)] for _ in range(n)],
            r=rng.randint(1, min(n, 3)),
            max_outliers=rng.choice([0, 0, 1]),
            centres=rng.choice(["input", "member", "any"]),
        )
        best = optimum(instance)[0]
        assert certify(instance, best + 1, Budget()) is None
        bound = best
        while (found := certify(instance, bound, Budget())) is None:
            bound -= 1
        assert bound >= best / 2
        check_certificate(instance, json.loads(json.dumps(found)), bound)
        tight += bound == best
    assert tight >= 40


def test_no_certificate_is_sought_where_there_is_none():
    assert certify(CellularClustering(points=[[1]], r=2), 1, Budget()) is None
    many = CellularClustering(points=[[i] for i in range(1001)])
    assert certify(many, 0, Budget()) is None


def test_no_points_are_certified():
    nothing = CellularClustering(points=[])
    check_certificate(nothing, certify(nothing, 0, Budget()), 0)
