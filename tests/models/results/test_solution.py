import pickle
import random

import numpy as np
import pytest
from small_instances import DRAWN

from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, labels_of, partition_violations
from atleastk.runs.registry import problem_of


@pytest.mark.parametrize("seed", range(30))
def test_labels_and_lists_give_the_same_solution(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(-3, 3, rng.integers(0, 12) + 60 * (seed % 2))
    groups = [np.flatnonzero(labels == label) for label in set(labels.tolist())]
    assert Solution.labelled(labels) == Solution.of(groups)


def test_normal_form_has_plain_integers():
    solution = Solution.labelled(np.array([5, 1, 5]))
    assert solution.groups == ((0, 2), (1,))
    assert {type(item) for group in solution.groups for item in group} == {int}


@pytest.mark.parametrize("seed", range(30))
def test_packed_groups_are_the_tuples_that_they_hold(seed):
    rng = np.random.default_rng(seed)
    listed = [g.tolist() for g in np.split(rng.permutation(20), [3, 4, 9, 15])]
    packed, plain = PackedGroups.of(listed), tuple(map(tuple, listed))
    assert packed == plain
    assert plain == packed
    assert hash(packed) == hash(plain)
    assert [*packed] == [*plain]
    assert packed[-1] == plain[-1]
    assert packed[1:] == plain[1:]
    assert packed.lists() == listed
    assert repr(packed) == repr(plain)
    assert (packed.sizes.tolist(), len(packed)) == ([3, 1, 5, 6, 5], 5)
    worth = rng.integers(-9, 9, 20)
    assert packed.sums(worth).tolist() == [int(worth[group].sum()) for group in listed]
    assert (labels_of(packed, 20) == labels_of(plain, 20)).all()
    more = rng.permutation(5).tolist()
    assert pickle.loads(pickle.dumps(packed)) == packed
    one, other = (
        ClusteringSolution.of(groups, centres=more) for groups in (packed, plain)
    )
    assert one == other
    assert one.to_dict() == {**other.to_dict(), "groups": one_list(one)}
    assert not partition_violations(20, one)


@pytest.mark.parametrize("order", [[], [1], [1, 3], [2, 0], [0, 1, 2, 3, 4], [3, 3]])
def test_some_packed_groups_are_taken(order):
    listed = [[5, 2], [7], [], [0], [1, 3, 4]]
    found = PackedGroups.of(listed).taken(np.array(order, dtype=np.int64))
    assert found.lists() == [listed[group] for group in order]


def one_list(solution):
    return [list(group) for group in solution.groups]


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        ([[0, 1, 2], []], "group 1 is empty"),
        ([[0, 1, 2, 3]], "group 0 holds item 3, outside 0..2"),
        ([[-1, 0, 1, 2]], "group 0 holds item -1, outside 0..2"),
        ([[0, 1], [1, 2]], "item 1 is in groups 0 and 1"),
        ([[0, 2]], "1 items are in no group, the first is item 1"),
        ([], "3 items are in no group, the first is item 0"),
    ],
)
def test_what_is_no_partition_is_told(groups, told):
    for held in (tuple(map(tuple, groups)), PackedGroups.of(groups)):
        assert partition_violations(3, Solution(held)) == [told]
    assert Solution.of(PackedGroups.of(groups)) == Solution.of(groups)


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_no_partition_has_no_cost(name):
    rng = random.Random(name)
    for _ in range(20):
        instance = DRAWN[name](rng)
        every = [*range(instance.n)]
        for groups in ([every, [0]], [[*every, instance.n]], [every, []]):
            verdict = problem_of(instance).check(instance, Solution.of(groups))
            assert (verdict.cost, verdict.feasible) == (None, False)
