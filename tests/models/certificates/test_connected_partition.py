import json
from copy import deepcopy

from certificates import accepted, refused

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.certificates.connected_partition import check_certificate

CLAIM = {"parts": 2, "weights": [[1, 1], [2, 1], [3, 1]], "most": 0}


def path(*weights, k):
    edges = [(i, i + 1) for i in range(len(weights) - 1)]
    return ConnectedPartition(weights, edges, k)


def test_count():
    check_certificate(path(k=1), {"kind": "count"}, 0)
    check_certificate(path(1, k=2), {"kind": "count"}, None)
    check_certificate(path(2, 3, 2, k=3), {"kind": "count"}, 4)
    assert refused(path(2, 3, 2, k=3), {"kind": "count"}, 5)
    assert refused(path(2, 3, 2, k=3), {"kind": "count"}, None)
    assert refused(path(1, k=2), {"kind": "count"}, 2)
    assert refused(path(k=1), {"kind": "count"}, 1)


def star():
    """A centre of 1 and three leaves of 2: with k = 3 only one part of 7."""
    instance = ConnectedPartition([1, 2, 2, 2], [(0, 1), (0, 2), (0, 3)], 3)
    named = {"kind": "parts", "component": 0, "level": 6, "refuted": [CLAIM]}
    return instance, deepcopy(named)


def test_weights():
    instance, certificate = star()
    check_certificate(instance, certificate, 7)
    check_certificate(instance, json.loads(json.dumps(certificate)), 7)
    check_certificate(instance, certificate, 2)
    assert refused(instance, certificate, 8)
    assert refused(instance, certificate, None)


def test_what_is_changed_proves_no_more():
    instance, certificate = star()
    assert len(list(accepted(instance, certificate, 7))) == 33
    assert refused(instance, {**certificate, "refuted": [CLAIM, CLAIM]}, 7)


def test_every_number_of_parts_is_refuted():
    """One part of 6 is possible, so the level 6 cannot be refuted for two only."""
    instance = path(1, 4, 1, k=2)
    claim = {"parts": 2, "weights": [], "most": -1}
    for refuted in ([], [claim]):
        named = {"kind": "parts", "component": 0, "level": 6, "refuted": refuted}
        assert refused(instance, named, 7)


def test_components_have_their_own_weights():
    instance, certificate = star()
    twice = ConnectedPartition(
        [3, *instance.weights], [(u + 1, v + 1) for u, v in instance.edges], 3
    )
    certificate["component"] = 1
    certificate["refuted"][0]["weights"] = [[2, 1], [3, 1], [4, 1]]
    check_certificate(twice, certificate, 7)
    certificate["refuted"][0]["weights"] = [[0, 1], [2, 1], [3, 1], [4, 1]]
    assert refused(twice, certificate, 7)


def test_great_weights_have_few_numbers_of_parts():
    instance = path(10**18, 10**18, k=1)
    named = {"kind": "parts", "component": 0, "level": 10**18, "refuted": []}
    assert refused(instance, named, 10**18 + 1)
    check_certificate(instance, {"kind": "count"}, 10**18)
