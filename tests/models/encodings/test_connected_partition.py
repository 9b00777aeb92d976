import random

from small_instances import DRAWN

from atleastk import Solution
from atleastk.models.encodings.connected_partition import (
    connected_sets,
    flow_model,
    listed_model,
    rooted_model,
    roots,
)
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force.connected_partition import is_connected
from atleastk.solvers.budget import Budget

PATH = ((1,), (0, 2), (1, 3), (2,))


def listed(weights, neighbours, least, most, parts=None):
    sets = connected_sets(weights, neighbours, least, most, 10**6)
    return listed_model(len(weights), sets, parts)


def test_solutions_without_a_place():
    for encode in (rooted_model, flow_model, listed):
        encoding = encode([5, 1, 1, 5], PATH, 1, 11)
        assert encoding.encode(Solution.of([[0, 1, 2, 3]])) is None
        assert encoding.encode(Solution.of([[0, 1], [2, 3]])) is not None


def test_roots_reach_what_is_light_enough():
    assert roots([3, 0, 4, 4], PATH, 1, 7) == {0: [0, 1], 2: [0, 1, 2], 3: [3]}
    assert roots([3, 0, 4, 4], PATH, 4, 8) == {2: [0, 1, 2, 3], 3: [3]}


def test_connected_sets_are_those_of_the_judge():
    rng = random.Random(4)
    for _ in range(60):
        instance = DRAWN["connected-partition"](rng)
        weights, n = instance.weights, instance.n
        least, most = instance.k, max(instance.k, instance.total // 2)
        expected = {}
        for part in range(1, 2**n):
            nodes = [v for v in range(n) if part >> v & 1]
            if is_connected(nodes, instance.edges):
                expected[tuple(nodes)] = sum(weights[v] for v in nodes)
        light = sum(weight <= most for weight in expected.values())
        fields = weights, instance.neighbours, least, most
        found = connected_sets(*fields, light)
        assert sorted(map(tuple, found)) == sorted(
            nodes for nodes, weight in expected.items() if least <= weight <= most
        )
        if light:
            assert connected_sets(*fields, light - 1) is None


def test_no_nodes():
    for encode in (rooted_model, listed):
        encoding = encode([], [], 3, 3)
        answer = Highs().minimise(encoding.model, Budget())
        assert encoding.decode(answer.values) == Solution(())
