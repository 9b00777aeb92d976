"""FOREST and DECOMPOSE-COMPONENT: near edges, trees of k rows, parts of k..3k-3."""

import random

import numpy as np
import pytest

from atleastk import KAnonymity
from atleastk.solvers.tables import forest as forests
from atleastk.solvers.tables.forest import decomposed, forest
from tests.helpers.costs import least_cost


def random_instance(rng, rows):
    k = rng.randint(1, 6)
    n, m = rng.randint(k, rows), rng.randint(1, 6)
    table = [[rng.randrange(rng.choice([2, 4])) for _ in range(m)] for _ in range(n)]
    return KAnonymity(table, k)


def lengths(records, parent):
    edges = np.flatnonzero(parent >= 0)
    return (records.codes[edges] != records.codes[parent[edges]]).sum(axis=1), edges


@pytest.mark.parametrize("near", [True, False])
def test_edges_are_near_and_trees_large(near, monkeypatch):
    """Also where nearest records are looked for among all."""
    if not near:
        monkeypatch.setattr(forests, "comb", lambda *_: 10**9)
    rng = random.Random(1)
    for _ in range(300):
        instance = random_instance(rng, 40)
        records, k = instance.records, instance.k
        parent = forest(records, k)
        root = np.arange(len(parent))
        while (parent[root] >= 0).any():
            root = np.where(parent[root] < 0, root, parent[root])
        sizes = np.bincount(root, records.copies)
        assert min(sizes[sizes > 0]) >= k
        assert (parent < 0).sum() == (sizes > 0).sum()
        for length, u in zip(*lengths(records, parent), strict=True):
            apart = (records.codes != records.codes[u]).sum(axis=1)
            assert length <= np.sort(np.repeat(apart, records.copies))[k - 1]


def test_a_forest_weighs_at_most_the_optimum():
    """The claim that [Chaytor06] proves wrongly, by the dynamic program."""
    rng = random.Random(2)
    for _ in range(300):
        instance = random_instance(rng, 9)
        parent = forest(instance.records, instance.k)
        assert lengths(instance.records, parent)[0].sum() <= least_cost(instance)


def test_parts_are_within_their_trees():
    """Random trees with copies: k..3k-3 rows or copies alone, all rows, one tree each.

    Rows of a part pay for the edges of its own tree only, which are no other's: if
    every edge is a column, the columns that differ in some part add up to the edges at
    most.
    """
    rng = random.Random(3)
    for _ in range(600):
        n, k = rng.randint(1, 25), rng.randint(1, 6)
        parent = np.array([-1] + [rng.randrange(v) for v in range(1, n)])
        copies = np.array([rng.choice([1, 1, 1, 2, 5, 9]) for _ in range(n)])
        if copies.sum() < k:
            continue
        codes = np.zeros((n, n), dtype=np.int64)
        for v in range(1, n):
            codes[v] = codes[parent[v]]
            codes[v, v] = 1
        parts, records, numbers = decomposed(parent, copies, k)
        assert (np.bincount(records, numbers, n) == copies).all()
        assert numbers.min() > 0
        weight = 0
        for part in set(parts.tolist()):
            inside = records[parts == part]
            size = numbers[parts == part].sum()
            assert size >= k
            assert size <= 3 * k - 3 or len(set(inside.tolist())) == 1
            weight += (codes[inside] != codes[inside[0]]).any(axis=0).sum()
        assert weight <= n - 1


def test_of_two_bags_the_shorter_one_is_copied():
    """Paths with a leaf at each place once took quadratic time."""
    n = 100
    above = np.array([*range(-1, n - 1), *range(n)])
    parts, records, numbers = decomposed(above, np.ones(2 * n, dtype=np.int64), n)
    assert sorted(records.tolist()) == [*range(2 * n)]
    assert np.bincount(parts, numbers).tolist() == [n, n]
    cut = forests._Cut(2)
    cut._bags = [[(2, 1), (3, 1)], [(4, 1)]]
    cut._held, longer = [2, 1], cut._bags[0]
    cut.hand_up(0, 1, 5)
    assert cut._bags[1] is longer
