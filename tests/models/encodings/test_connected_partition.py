import random
from importlib import import_module

import pytest

from atleastk import ConnectedPartition, Solution, Status
from atleastk.models.connected_partition import check
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


@pytest.fixture(scope="module")
def maps():
    drawn = import_module("scripts.sweeps.drawn_weights").random_map

    def listed(seed, count):
        rng = random.Random(seed)
        found = [drawn(rng, rng.randint(1, 7)) for _ in range(2 * count)]
        return [instance for instance in found if instance.total < 2**28][:count]

    return listed


def listed(weights, neighbours, least, most, parts=None):
    sets = connected_sets(weights, neighbours, least, most, 10**6)
    return listed_model(len(weights), sets, parts)


def decided(encode, instance, most, backend, parts=None):
    weights, neighbours, k = instance.weights, instance.neighbours, instance.k
    encoding = encode(weights, neighbours, k, most, parts)
    answer = backend.minimise(encoding.model, Budget())
    if answer.status is Status.INFEASIBLE:
        return None
    solution = encoding.decode(answer.values)
    assert parts is None or len(solution.groups) == parts
    return check(instance, solution)


def test_solutions_without_a_place():
    for encode in (rooted_model, flow_model, listed):
        encoding = encode([5, 1, 1, 5], PATH, 1, 11)
        assert encoding.encode(Solution.of([[0, 1, 2, 3]])) is None
        assert encoding.encode(Solution.of([[0, 1], [2, 3]])) is not None


def test_roots_reach_what_is_light_enough():
    assert roots([3, 0, 4, 4], PATH, 1, 7) == {0: [0, 1], 2: [0, 1, 2], 3: [3]}
    assert roots([3, 0, 4, 4], PATH, 4, 8) == {2: [0, 1, 2, 3], 3: [3]}


def test_connected_sets_are_those_of_the_judge(maps):
    for instance in maps(4, 40):
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
    instance = ConnectedPartition([], [], 3)
    for encode in (rooted_model, listed):
        assert decided(encode, instance, 3, Highs()).cost == 0
