import random

import numpy as np
import pytest
from maps import instance_of, random_component

from atleastk import ConnectedPartition, Solution
from atleastk.instances.generators.connected_partition import delaunay, tree
from atleastk.models.connected_partition import check
from atleastk.solvers.connected_partition import component
from atleastk.solvers.connected_partition.component import components_of, whole_of
from atleastk.solvers.connected_partition.first import first_answers
from atleastk.solvers.connected_partition.tree_parts import even_parts, tree_parts


@pytest.mark.parametrize("scale", [1, 10**6, 2**50])
@pytest.mark.parametrize("seed", range(20))
def test_parts_are_connected_and_heavy_enough(seed, scale):
    rng = random.Random(seed)
    component = random_component(rng, 60, [w * scale for w in (0, 1, 1, 2, 5, 9)])
    k = rng.randint(1, max(1, component.total))
    found = Solution.labelled(tree_parts(component, k))
    assert check(instance_of(component, k), found).feasible == (component.total >= k)


@pytest.mark.parametrize("seed", range(10))
def test_even_parts_are_connected(seed):
    rng = random.Random(seed)
    component = random_component(rng, 60)
    parts = Solution.labelled(even_parts(component, rng.randint(1, component.n)))
    assert not [
        violation
        for violation in check(instance_of(component, 1), parts).violations
        if "connected" in violation
    ]


def test_a_path_is_cut_within_a_window_if_that_is_possible():
    """Of weights 3 and 2 in turn every part of 5 is two nodes."""
    path = [(i, i + 1) for i in range(199)]
    instance = ConnectedPartition([3, 2] * 100, path, 5)
    labels = tree_parts(whole_of(instance), 5)
    assert set(np.bincount(labels, instance.amounts).tolist()) == {5}


def test_nearly_all_parts_of_a_large_map_are_alike():
    instance = delaunay(1, n=4_000, parts=400)
    labels = tree_parts(whole_of(instance), instance.k)
    weight = np.sort(np.bincount(labels, instance.amounts))
    weight = weight[weight > 0]
    assert weight[0] >= instance.k
    assert weight[-1 - len(weight) // 20] <= 1.25 * instance.k


def test_a_search_finds_the_components_and_their_trees():
    instance = tree(3, n=80)
    broken = ConnectedPartition(instance.weights, instance.edges[::2], 1)
    whole, order = whole_of(broken).searched()
    assert sorted(order.tolist()) == list(range(80))
    found = whole.trees()
    for part, expected in zip(found, components_of(broken), strict=True):
        assert sorted(part.members.items) == expected.members.items.tolist()
        assert part.total == expected.total
        number = {node: i for i, node in enumerate(expected.members.items.tolist())}
        for i, near in enumerate(part.neighbours):
            nodes = [number[part.members.items[u]] for u in near]
            own = number[part.members.items[i]]
            assert sorted(nodes) == list(expected.neighbours[own])
            assert part.above[i] == i == 0 or part.above[i] in near


def test_many_nodes_begin_with_parts_of_a_tree(monkeypatch):
    monkeypatch.setattr(component, "_SOME", 10)
    instance = delaunay(0, n=300, parts=10)
    [(source, found)] = first_answers(instance)
    assert source == "tree"
    assert check(instance, found).feasible
