"""Counting classes: as the definition counts them."""

from collections import Counter as Tally
from itertools import product

import pytest

from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import trees
from atleastk.models.generalization import check, solution_of_levels
from atleastk.solvers.generalization.counting import Counter


@pytest.mark.parametrize("loss", LOSSES)
def test_every_node(loss):
    instance = trees(4, n=40, m=3, on="attributes", loss=loss)
    counter = Counter(instance)
    for levels in product(*(range(h + 1) for h in instance.heights)):
        rows = [
            tuple(
                h.chain_of[cell][level]
                for h, cell, level in zip(
                    instance.hierarchies, row, levels, strict=True
                )
            )
            for row in instance.table
        ]
        count = counter.count(levels)
        assert count.least == min(Tally(rows).values())
        verdict = check(instance, solution_of_levels(instance, levels))
        assert count.loss == verdict.cost
        assert counter.accepts(count) is verdict.feasible
    assert counter.counted == instance.nodes


def test_nothing_to_count():
    counter = Counter(Generalization([], 2, [], "attributes"))
    assert counter.accepts(counter.count(()))
