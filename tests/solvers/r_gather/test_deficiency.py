import networkx as nx
import numpy as np

from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.r_gather.opening_lp import deficient_sets


def random_balls(rng, m, n):
    rows = [rng.permutation(n)[: rng.integers(0, n + 1)] for _ in range(m)]
    return Balls.of_all(rows), rows


def greatest_flow(rows, shares, needs, rooms):
    network = nx.DiGraph()
    network.add_nodes_from(("source", "sink"))
    for c, row in enumerate(rows):
        network.add_edge("source", ("centre", c), capacity=needs[c])
        for p in row:
            network.add_edge(("centre", c), ("point", p), capacity=shares[c])
            network.add_edge(("point", p), "sink", capacity=rooms[p])
    return nx.maximum_flow_value(network, "source", "sink")


def test_sets_show_all_that_is_lacking():
    rng = np.random.default_rng(0)
    lacking_seen = parts_seen = 0
    for _ in range(400):
        m, n = int(rng.integers(1, 8)), int(rng.integers(1, 12))
        balls, rows = random_balls(rng, m, n)
        shares, rooms = rng.integers(1, 6, m), rng.integers(0, 8, n)
        needs = rng.integers(0, 20, m)
        lacking = needs.sum() - greatest_flow(rows, shares, needs, rooms)
        before = needs.copy()
        sets = deficient_sets(balls, shares, needs, rooms)
        assert (needs == before).all()
        shown = 0
        for inside in sets:
            outside = [len(np.setdiff1d(row, inside)) for row in rows]
            left = np.maximum(0, needs - shares * np.array(outside))
            shown += left.sum() - rooms[inside].sum()
        if sets:
            assert len(np.unique(np.concatenate(sets))) == sum(map(len, sets))
        lacking_seen += lacking > 0
        parts_seen += len(sets) > 1
        assert (len(sets) > 0) == (lacking > 0)
        assert shown >= lacking
    assert lacking_seen > 50
    assert parts_seen > 10


def test_nothing_is_needed():
    empty = Balls(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    none = np.zeros(0, dtype=np.int64)
    assert deficient_sets(empty, none, none, np.ones(3, dtype=np.int64)) == []
