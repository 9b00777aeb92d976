import random

import numpy as np
import pytest
from small_instances import DRAWN

from atleastk import CellularClustering, CertificateError, NotApplicableError
from atleastk.models.certificates.cellular_clustering import (
    check_certificate,
    greatest_value,
    proven,
)
from atleastk.solvers.brute_force.cellular_clustering import optimum

LINE = [[0, 1, 9], [1, 0, 8], [9, 8, 0]]


def test_any_weights_prove_no_more_than_the_optimum():
    rng, tight = random.Random(5), 0
    for _ in range(700):
        instance = DRAWN["cellular-clustering"](rng)
        weights = np.array([rng.randint(-2, 16) for _ in range(instance.n)])
        bound = proven(instance, weights, 2)
        best = optimum(instance)
        if bound is None:
            assert best is None
        elif best is not None:
            assert bound <= best[0], (instance, weights)
            tight += 0 < bound == best[0]
    assert tight > 30


def test_a_bound_that_is_not_proved():
    """Three points are one cluster, about the middle: 3 times 8, and no more."""
    instance = CellularClustering(distances=LINE, r=3)
    proof = {"kind": "weights", "scale": 1, "weights": [8, 8, 8]}
    assert greatest_value(instance, np.array([8, 8, 8]), 1) == 0
    check_certificate(instance, proof, 24)
    with pytest.raises(CertificateError, match="proves the bound 24, not 25"):
        check_certificate(instance, proof, 25)


def test_infeasibility():
    few = CellularClustering(distances=LINE, r=4)
    check_certificate(few, {"kind": "count"}, None)
    with pytest.raises(CertificateError, match="proves exactly that"):
        check_certificate(few, {"kind": "count"}, 1)
    apart = CellularClustering(distances=[[0, None], [None, 0]], r=2)
    proof = {"kind": "weights", "scale": 1, "weights": [0, 0]}
    check_certificate(apart, proof, None)
    near = CellularClustering(distances=[[0, 1], [1, 0]], r=2)
    with pytest.raises(CertificateError, match="does not prove"):
        check_certificate(near, proof, None)
    outliers = CellularClustering(distances=LINE, r=4, max_outliers=3)
    with pytest.raises(CertificateError, match="proves exactly that"):
        check_certificate(outliers, {"kind": "count"}, None)


def test_too_large_to_check():
    many = CellularClustering(points=[[i] for i in range(1001)])
    proof = {"kind": "weights", "scale": 1, "weights": [0] * 1001}
    with pytest.raises(NotApplicableError, match="1001 points are too many"):
        check_certificate(many, proof, 0)
    heavy = {"kind": "weights", "scale": 1, "weights": [2**61, 0, 0]}
    with pytest.raises(NotApplicableError, match="too large"):
        check_certificate(CellularClustering(distances=LINE), heavy, 0)
