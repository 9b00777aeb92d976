import random

import pytest
from certificates import refused
from drawing import symmetric

from atleastk import CellularClustering, CertificateError, NotApplicableError, RGather
from atleastk.models.certificates import cellular_clustering, r_gather
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.brute_force.r_gather import optimum as least_radius


def random_tree(rng, n, depth):
    if depth == 0 or rng.random() < 0.3:
        weights = [rng.randint(-2, 9) for _ in range(n)]
        scale = rng.choice([0, 1, 1, 2])
        return {"scale": scale, "weights": weights, "most": rng.randint(-3, 8)}
    below = [random_tree(rng, n, depth - 1) for _ in range(2)]
    if rng.random() < 0.3:
        return {"point": rng.randrange(n), "outlier": below[0], "clustered": below[1]}
    pair = [rng.randrange(n), rng.randrange(n)]
    return {"pair": pair, "together": below[0], "apart": below[1]}


def test_no_tree_proves_more_than_the_optimum():
    rng, proved = random.Random(8), 0
    for _ in range(700):
        n = rng.randint(1, 4)
        rows = symmetric(n, lambda: rng.choice([1, 2, 2, 3, None]))
        fields = {
            "distances": rows,
            "r": rng.randint(1, 2),
            "max_clusters": rng.choice([None, 1]),
            "max_outliers": rng.choice([0, 0, 1]),
            "centres": rng.choice(["input", "member", "any"]),
        }
        tree = random_tree(rng, n, 2)
        instance = CellularClustering(**fields)
        best = optimum(instance)
        bounds = [None, 1, 2] if best is None else [None, best[0] + 1, best[0]]
        for bound in bounds:
            if not refused(instance, {"kind": "tree", "tree": tree}, bound):
                assert best is None or (bound is not None and bound <= best[0])
                proved += bound != 0
        balls, radius = RGather(**fields), rng.randint(0, 3)
        least = least_radius(balls)
        proof = {"kind": "tree", "radius": radius, "tree": tree}
        for bound in (None, radius + 1):
            if not refused(balls, proof, bound):
                assert least is None or (bound is not None and bound <= least[0])
                proved += 1
    assert proved > 50


def leaf(*weights, most, **scale):
    return {**scale, "weights": list(weights), "most": most}


def test_radii_of_a_pentagon():
    """Five points of a cycle: two of three clusters of two share a point, in part."""
    near = [[min(abs(i - j), 5 - abs(i - j)) for j in range(5)] for i in range(5)]
    instance = RGather(distances=near, r=1, max_clusters=2, centres="any")
    least, _ = least_radius(instance)
    assert least == 2
    flat = {"kind": "tree", "radius": 1, "tree": leaf(1, 1, 1, 1, 1, most=2)}
    r_gather.check_certificate(instance, flat, 2)
    for wrong in (
        {**flat, "radius": 2},
        {**flat, "tree": leaf(1, 1, 1, 1, 1, most=1)},
        {**flat, "tree": leaf(1, 1, 1, 1, 0, most=2)},
    ):
        with pytest.raises(CertificateError, match="do not refute"):
            r_gather.check_certificate(instance, wrong, 2)
    with pytest.raises(CertificateError, match="is a distance"):
        r_gather.check_certificate(RGather(distances=near, r=6), flat, None)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, '"pair"'),
        ({"point": 3}, "items of 0..2"),
        ({"point": -1}, "items of 0..2"),
        ({"point": 0, "outlier": leaf(1, 1, 1, most=0)}, '"clustered"'),
        ({"pair": [0]}, r"expected \[item, item\]"),
        ({"pair": [0, 3]}, "items of 0..2"),
        ({"pair": [0, 1], "together": 1}, "expected an object"),
        ({"weights": [1, 1, 1]}, '"most"'),
        (leaf(1, 1, most=0), "expected a list of 3"),
        (leaf(1, 1, 1, most=0, scale=-1), "at least 0"),
        (None, "expected an object"),
    ],
)
def test_malformed_trees(tree, message):
    instance = CellularClustering(distances=[[0, 2, 2], [2, 0, 2], [2, 2, 0]], r=2)
    with pytest.raises(CertificateError, match=message):
        cellular_clustering.check_certificate(
            instance, {"kind": "tree", "tree": tree}, 3
        )


def test_too_large_to_check():
    many = [[i] for i in range(151)]
    proof = {"kind": "tree", "radius": 1, "tree": leaf(most=0)}
    for instance, check in (
        (CellularClustering(points=many), cellular_clustering.check_certificate),
        (RGather(points=many, r=2), r_gather.check_certificate),
    ):
        with pytest.raises(NotApplicableError, match="151 points are too many"):
            check(instance, proof, 1)
    heavy = {"kind": "tree", "radius": 1, "tree": leaf(2**62, 0, most=0)}
    with pytest.raises(NotApplicableError, match="too large"):
        r_gather.check_certificate(RGather(points=[[0], [9]], r=2), heavy, 1)
