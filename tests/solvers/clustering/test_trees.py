import json
import random

from drawing import symmetric

from atleastk import CellularClustering, RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates import cellular_clustering, r_gather
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.brute_force.r_gather import optimum as least_radius
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.trees import tree_of


def random_fields(rng):
    n = rng.randint(2, 8)
    rows = symmetric(n, lambda: None if rng.random() < 0.2 else rng.randrange(9))
    return {
        "distances": rows,
        "r": rng.randint(1, 3),
        "max_clusters": rng.choice([None, 1, 2]),
        "max_outliers": rng.choice([0, 0, 1, 2]),
        "centres": rng.choice(["input", "member", "any"]),
    }


def test_totals_are_proved_and_no_more():
    rng, divided, infeasible = random.Random(2), 0, 0
    for _ in range(80):
        fields = random_fields(rng)
        n, paid = len(fields["distances"]), fields["centres"] != "any"
        fees = [rng.randrange(4) for _ in range(n)] if paid else None
        instance = CellularClustering(**fields, facility_costs=fees)
        best = optimum(instance)
        bound = None if best is None else best[0]
        if bound == 0:
            continue
        tree = tree_of(cellular_clustering.question_of(instance, bound), Budget())
        assert tree is not None, instance
        proof = json.loads(json.dumps({"kind": "tree", "tree": tree}))
        cellular_clustering.check_certificate(instance, proof, bound)
        divided += "weights" not in tree
        infeasible += bound is None
        if bound is not None:
            above = cellular_clustering.question_of(instance, bound + 1)
            assert tree_of(above, Budget()) is None
            nothing = cellular_clustering.question_of(instance, None)
            assert tree_of(nothing, Budget()) is None
    assert divided > 8
    assert infeasible > 4


def test_radii_are_proved_and_no_more():
    rng = random.Random(3)
    for _ in range(80):
        instance = RGather(**random_fields(rng))
        best = least_radius(instance)
        if best is not None and best[0] == 0:
            continue
        bound = None if best is None else best[0]
        radius = FAR - 1 if bound is None else bound - 1
        tree = tree_of(r_gather.question_of(instance, radius), Budget())
        assert tree is not None, instance
        proof = {"kind": "tree", "radius": radius, "tree": tree}
        r_gather.check_certificate(instance, json.loads(json.dumps(proof)), bound)
        if bound is not None:
            assert tree_of(r_gather.question_of(instance, bound), Budget()) is None


def test_no_tree_of_too_many_points_or_without_time():
    many = CellularClustering(points=[[i] for i in range(151)])
    assert tree_of(cellular_clustering.question_of(many, 1), Budget()) is None
    few = CellularClustering(points=[[i * i] for i in range(9)])
    assert tree_of(cellular_clustering.question_of(few, 1), Budget.of(0)) is None
