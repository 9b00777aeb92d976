from dataclasses import replace

import pytest

import atleastk
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators.generalization import people, trees
from atleastk.models.generalization import check
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.generalization.algorithms.catalogue import (
    MINIMAL_HEIGHT,
    datafly,
    samarati,
)


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


def test_refusals():
    with pytest.raises(atleastk.NotApplicableError, match="it is for entries"):
        atleastk.approximate(trees(0, on="attributes"), "forest")
