import pytest
from certificates import changed

from atleastk import BinCovering, Generalization, KAmbiguity, KAnonymity, RGather
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.runs import registry

INSTANCES = (
    BinCovering([3], 3, "quadratic"),
    BinCovering([3], 3, "excess"),
    BinCovering([3], 3),
    KAnonymity([["a"]], 1),
    KAmbiguity([["a"], ["b"]], 2),
    Generalization([["a"]], 1, [[["a", "*"]]]),
    RGather(distances=[[0]], r=1),
    CellularClustering(distances=[[0]]),
    ConnectedPartition([1], [], 1),
    RectangleTiling([(0, 0, 1)], 1),
)
KINDS = (
    {"kind": "weights", "scale": 1, "weights": [0]},
    {"kind": "weights", "scale": 1, "weights": [0, 0]},
    {"kind": "weights", "radius": 0, "weights": [[0, 0]], "most": 0},
    {"kind": "weights", "refutes": 3, "parts": {"1": [0]}},
    {"kind": "parts", "component": 0, "level": 0, "refuted": []},
    {"kind": "reach", "item": 0},
)
ODD = (2**62, 2**63, 10**30, 10**400, -(2**63), 10**5000, 1.5, None, "1", [], {})


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_odd_numbers_in_certificates_prove_nothing_false(instance, odd):
    check = registry.problem_of(instance).check_certificate
    for kind in KINDS:
        for certificate in changed(kind, odd):
            for bound in (None, 0, 4, 2**63, 10**400):
                try:
                    check(instance, certificate, bound)
                except (CertificateError, NotApplicableError):
                    continue
                assert bound == 0


@pytest.mark.parametrize("problem", ["r-gather", "cellular-clustering"])
def test_trees_of_points_take_any_least_size(problem):
    """There are two points, and 10^30 to a cluster: one leaf says so."""
    words = {"problem": problem, "points": [[0], [1]], "r": 10**30}
    proof = {"kind": "tree", "radius": 1, "tree": {"weights": [1, 1], "most": 0}}
    instance = registry.instance_from_dict(words)
    registry.PROBLEMS[problem].check_certificate(instance, proof, None)
