import random

import networkx as nx
import numpy as np

from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.r_gather.flow import (
    Paths,
    Taken,
    augmented,
    dead,
    fill,
    forget,
    give,
    list_lacking,
    with_rest,
)


def random_balls(rng, n, centres):
    sets = [rng.sample(range(n), rng.randint(1, n)) for _ in range(centres)]
    return Balls.of_all(list(map(np.array, sets))), sets


def greatest_flow(sets, n, r, own):
    graph = nx.DiGraph()
    graph.add_nodes_from(["source", "sink"])
    taken = set(own) - {-1}
    for c, ball in enumerate(sets):
        graph.add_edge("source", c, capacity=r - (own[c] >= 0))
        for p in set(ball) - taken:
            graph.add_edge(c, ("point", p), capacity=1)
    for p in range(n):
        graph.add_edge(("point", p), "sink", capacity=1)
    return len(taken) + nx.maximum_flow_value(graph, "source", "sink")


def test_filling_is_a_greatest_flow_and_lack_is_a_violation():
    rng = random.Random(1)
    complete = 0
    for _ in range(300):
        n, r = rng.randint(1, 12), rng.randint(1, 4)
        balls, sets = random_balls(rng, n, rng.randint(1, 5))
        own = [-1] * len(sets)
        if rng.random() < 0.5:
            for c, ball in enumerate(sets):
                free = sorted(set(ball) - set(own))
                own[c] = rng.choice(free) if free else -1
        filling = fill(balls, n, r, np.array(own))
        counts = np.bincount(filling.home[filling.home >= 0], minlength=len(sets))
        assert all(p in sets[c] for p, c in enumerate(filling.home) if c >= 0)
        assert all(filling.home[p] == c for c, p in enumerate(own) if p >= 0)
        assert counts.max() <= r
        assert counts.sum() == greatest_flow(sets, n, r, own)
        assert filling.complete == (counts == r).all()
        complete += filling.complete
        if not filling.complete:
            short = set(filling.deficient.tolist())
            union = set().union(*(sets[c] for c in short))
            others = {own[c] for c in range(len(sets)) if c not in short}
            assert len(union - others) < r * len(short)
        home = with_rest(balls, filling.home)
        for p in range(n):
            holders = [c for c, ball in enumerate(sets) if p in ball]
            assert home[p] == -1 if not holders else home[p] in holders
            assert filling.home[p] in (-1, home[p])
    assert 50 < complete < 250


def test_many_centres_are_filled_along_paths():
    n = 2_000
    balls = [[2 * c, 2 * c + 1, (2 * c + 2) % n] for c in range(n // 2)]
    rings = Balls.of_all(list(map(np.array, balls)))
    assert fill(rings, n, 2).complete
    filling = fill(rings, n, 2, np.array([ball[2] for ball in balls]))
    assert filling.complete
    assert np.bincount(filling.home).tolist() == [2] * len(balls)
    assert not fill(rings, n, 3).complete


def test_searches_that_met_are_forgotten_together():
    """The second meets the first at point 0, which cluster 0 has, the third none."""
    balls = Balls.of_all([np.array(ball) for ball in ([0], [0, 1], [2])])
    taken, paths = Taken.nothing(3, 3, 0), Paths.none(3)
    taken.ball[:] = range(3)
    for cluster in range(3):
        give(taken, cluster, cluster)
        list_lacking(paths, cluster)
        assert not augmented(balls.starts, balls.points, taken, paths, cluster)
    assert all(dead(paths, cluster) for cluster in range(3))
    forget(paths, paths.group[paths.root[0]], 3)
    assert [dead(paths, cluster) for cluster in range(3)] == [False, False, True]
    forget(paths, -1, 2)
    assert not dead(paths, 2)
