from itertools import combinations
from random import Random

import pytest

import atleastk
from atleastk import ConnectedPartition, InvalidInstanceError
from atleastk.doors.partitioning.joining import joined
from atleastk.solvers.brute_force.bin_covering import partitions

PATH = ConnectedPartition([4, 1, 5, 2], [[0, 1], [1, 2], [2, 3]], 5, labels=[*"abcd"])


def test_regions_are_joined_to_one():
    found = joined(PATH, [["b", "c"], []])
    assert found.members == ((0,), (1, 2), (3,))
    assert found.instance.weights == (4, 6, 2)
    assert [list(edge) for edge in found.instance.edges] == [[0, 1], [1, 2]]
    assert found.instance.labels == ("a", "b + c", "d")
    assert found.of_regions("xyz") == ("x", "y", "y", "z")
    assert joined(PATH, [["a", "b"], ["b", "c"]]).members == ((0, 1, 2), (3,))
    assert joined(PATH, ()).instance is PATH


def test_without_names_regions_are_numbers():
    bare = ConnectedPartition(PATH.weights, PATH.edges, 5)
    assert joined(bare, [[1, "2"]]).members == ((0, 1), (2,), (3,))


@pytest.mark.parametrize(
    ("together", "message"),
    [
        ([["a", "c"]], "together: a and c share no border"),
        ([["a", "B"]], 'together: no region is called "B"; did you mean "b"'),
        ([["?"]], 'the first is called "a", and --name says'),
    ],
)
def test_what_cannot_be_joined(together, message):
    with pytest.raises(InvalidInstanceError, match=message):
        joined(PATH, together)


def test_a_name_of_two_regions_is_ambiguous():
    twice = ConnectedPartition(PATH.weights, PATH.edges, 5, labels=[*"aabc"])
    with pytest.raises(InvalidInstanceError, match='2 regions are called "a"'):
        joined(twice, [["a", "b"]])


@pytest.mark.parametrize("seed", range(8))
def test_the_optimum_is_that_of_all_partitions_that_keep_them_together(seed):
    rng, n = Random(seed), 6
    edges = [[rng.randrange(v), v] for v in range(1, n)]
    pairs = [list(pair) for pair in combinations(range(n), 2)]
    edges += rng.sample(pairs, 2)
    weights = [rng.randint(0, 9) for _ in range(n)]
    k = max(1, sum(weights) // 3)
    instance, kept = ConnectedPartition(weights, edges, k), rng.choice(edges)
    costs = []
    for groups in partitions(n):
        verdict = atleastk.check(instance, groups)
        if verdict.feasible and any(set(kept) <= set(group) for group in groups):
            costs.append(verdict.cost)
    made = atleastk.partition(instance, k, together=[[v + 1 for v in kept]])
    assert made.result.cost == min(costs)
    assert made.part[kept[0]] == made.part[kept[1]]
    assert str(made).startswith("6 regions, ")
