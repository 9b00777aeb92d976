import random
from functools import partial

import numpy as np
import pytest

from atleastk import Diversity, Solution
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.diversity import check
from atleastk.models.results.solution import labels_of
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.group_merging import merged
from atleastk.solvers.diversity.kind_patterns import kinds_of, sensitive_of
from atleastk.solvers.diversity.near_moves import repaired
from atleastk.solvers.generalization.algorithms.catalogue import forest
from atleastk.solvers.tables.side_by_side import rearrange


def table(**asked):
    rng = random.Random(8)
    cells = [[rng.randrange(3) for _ in range(5)] for _ in range(60)]
    values = [[rng.choice("aabc"), rng.randrange(3)] for _ in range(60)]
    stars = [suppression_of(range(3))] * 5
    return Diversity(cells, 3, stars, sensitive=values, **asked)


@pytest.mark.parametrize(
    "asked",
    [
        {"l": 2},
        {"l": 2, "reading": "frequency"},
        {"l": 2, "t": "0.4"},
    ],
    ids=str,
)
def test_better_groups_keep_everything(asked):
    instance = table(**asked)
    plain = records_of_levels(instance)
    kinds, _ = kinds_of(instance, plain)
    asked = sensitive_of(instance)
    start = labels_of(forest(instance.relaxed).groups, instance.n)
    near = repaired(instance, kinds, asked, start, Budget(seed=1))
    first = merged(instance, kinds, near, Budget(), 40).solution(kinds)
    costs = [check(instance, first).cost]

    def better(labels):
        verdict = check(instance, Solution.labelled(labels))
        assert verdict.feasible
        assert verdict.cost < costs[-1]
        costs.append(verdict.cost)

    labels = labels_of(first.groups, instance.n)
    rearrange(kinds, instance.least_rows, labels, Budget(seed=1), better, asked)
    assert len(costs) > 1


def test_too_few_groups_are_left_alone():
    instance = table(l=2)
    kinds, _ = kinds_of(instance, records_of_levels(instance))
    asked = sensitive_of(instance)
    one = np.zeros(60, dtype=np.int64)
    assert not repaired(instance, kinds, asked, one, Budget()).any()
    fail = partial(pytest.fail, "nothing to do")
    assert not rearrange(kinds, instance.least_rows, one, Budget(), fail, asked)
