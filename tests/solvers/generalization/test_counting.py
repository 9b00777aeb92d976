import random
from collections import Counter as Tally
from dataclasses import replace
from itertools import product

import pytest

from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import trees
from atleastk.models.generalization import check, solution_of_levels
from atleastk.solvers.compiled import classes
from atleastk.solvers.generalization.counting import Counter


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("suppress_rows", [0, 7])
def test_every_node(loss, suppress_rows):
    instance = trees(4, n=40, m=3, on="attributes", loss=loss)
    instance = replace(instance, suppress_rows=suppress_rows)
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
        least = min(Tally(rows).values())
        solution = solution_of_levels(instance, levels)
        verdict = check(instance, solution)
        assert count.loss == (verdict.cost if verdict.feasible else None)
        assert count.refused is not verdict.feasible
        assert (least >= instance.k) is (
            not count.refused and not solution.suppressed_rows
        )
        alone = replace(instance, k=1)
        assert count.floor == check(alone, solution_of_levels(alone, levels)).cost
    assert counter.counted == instance.nodes


@pytest.mark.parametrize("few", [0, 2**16])
@pytest.mark.parametrize("seed", range(4))
def test_nodes_are_counted_alike_from_whichever_classes(monkeypatch, few, seed):
    monkeypatch.setattr(classes, "_FEW", few)
    monkeypatch.setattr(classes, "_DENSE", few)
    monkeypatch.setattr(classes, "_PART", 8)
    instance = trees(seed, n=60, m=3, on="attributes")
    instance = replace(instance, suppress_rows=5)
    nodes = list(product(*(range(h + 1) for h in instance.heights)))
    plain = {levels: Counter(instance).count(levels) for levels in nodes}
    random.Random(seed).shuffle(nodes)
    counter = Counter(instance)
    assert {levels: counter.count(levels) for levels in nodes} == plain


def test_nothing_to_count():
    assert not Counter(Generalization([], 2, [], "attributes")).count(()).refused
