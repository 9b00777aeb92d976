import random
from dataclasses import replace

import pytest

import atleastk
from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import people, trees
from atleastk.models.generalization import check
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.generalization.algorithms.catalogue import (
    ALGORITHMS,
    MINIMAL_HEIGHT,
    datafly,
    samarati,
)


@pytest.mark.parametrize("on", ["entries", "attributes"])
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_feasible_and_as_promised(algorithm, on):
    rng = random.Random(3)
    for seed in range(12):
        loss = rng.choice(LOSSES[:2] if on == "entries" else LOSSES)
        instance = trees(seed, n=7, m=3, k=rng.choice([1, 2, 3]), on=on, loss=loss)
        if on == "attributes":
            instance = replace(instance, suppress_rows=rng.choice([0, 1, 3]))
        if algorithm.refuses(instance) is not None:
            continue
        verdict = check(instance, algorithm.run(instance, 0))
        best = optimum(instance)
        assert verdict.feasible
        assert verdict.cost >= best
        if algorithm.guarantee is not None:
            assert algorithm.guarantee.holds(instance, verdict.cost, best)


def test_seven_people():
    """Datafly raises area codes three times; the optimum leaves them a digit."""
    instance = people(0, on="attributes")
    assert datafly(instance).levels == ((1, 1, 0, 3),)
    assert check(instance, datafly(instance)).cost == 5
    assert check(instance, samarati(instance)).cost == 4


def test_samarati_minimises_height_not_other_losses():
    """Of the nodes of least height the first may lose more than the optimum."""
    instance = people(0, on="attributes", loss="precision")
    assert check(instance, samarati(instance)).cost == 10
    assert optimum(instance) == 9


def test_samarati_counts_levels_whatever_columns_weigh():
    tree = [["a", "*"], ["b", "*"]]
    table = [["a", "a"], ["b", "a"], ["a", "b"], ["b", "b"]]
    plain = Generalization(table, 2, [tree, tree], on="attributes")
    assert MINIMAL_HEIGHT.applies(plain)
    ratios = set()
    for weights in ([1, 2], [2, 1]):
        weighed = replace(plain, column_weights=weights)
        ratios.add(check(weighed, samarati(weighed)).cost / optimum(weighed))
        assert not MINIMAL_HEIGHT.applies(weighed)
    assert ratios == {1, 2}


@pytest.mark.parametrize("on", ["entries", "attributes"])
def test_corners(on):
    tree = [["a", "*"], ["b", "*"]]
    for algorithm in ALGORITHMS:
        for table, k, columns in (([], 2, [tree]), ([[], []], 2, [])):
            instance = Generalization(table, k, columns, on)
            if algorithm.refuses(instance) is None:
                assert check(instance, algorithm.run(instance, 0)).cost == 0
        few = Generalization([["a"], ["b"]], 3, [tree], on)
        if algorithm.refuses(few) is None:
            assert not check(few, algorithm.run(few, 0)).feasible


def test_refusals():
    with pytest.raises(atleastk.NotApplicableError, match="it is for entries"):
        atleastk.approximate(trees(0, on="attributes"), "forest")
