import random

import networkx as nx
import numpy as np

from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.r_gather.cliques import greedy_cliques, maximal_cliques

PLENTY = 10**7


def near_each_other(graph, rng):
    rows = [[v, *rng.sample(list(graph[v]), len(graph[v]))] for v in graph]
    return Balls.of_all(list(map(np.array, rows)))


def listed(cliques):
    return sorted(sorted(cliques.of(c).tolist()) for c in range(len(cliques)))


def test_all_and_only_maximal_cliques():
    rng = random.Random(1)
    for seed in range(120):
        n = rng.choice([0, 1, 2, 8, 20, 90])
        share = rng.random() * (0.5 if n == 90 else 1.0)
        graph = nx.gnp_random_graph(n, share, seed=seed)
        least = rng.randint(1, 4)
        near = near_each_other(graph, rng)
        found = maximal_cliques(near, least, Budget(), PLENTY, PLENTY * 100)
        every = (sorted(clique) for clique in nx.find_cliques(graph))
        assert listed(found) == sorted(c for c in every if len(c) >= least)


def test_many_neighbours():
    first, second = set(range(100)), set(range(50, 150))
    graph = nx.empty_graph(150)
    for clique in (first, second):
        graph.add_edges_from((p, q) for p in clique for q in clique if p < q)
    near = near_each_other(graph, random.Random(2))
    found = maximal_cliques(near, 10, Budget(), PLENTY, PLENTY)
    assert listed(found) == [sorted(first), sorted(second)]


def test_too_many():
    graph = nx.complete_multipartite_graph(*[3] * 10)
    near = near_each_other(graph, random.Random(3))
    assert maximal_cliques(near, 1, Budget(), 1000, PLENTY) is None
    assert maximal_cliques(near, 1, Budget(), PLENTY, 1000) is None
    assert len(maximal_cliques(near, 1, Budget(), PLENTY, PLENTY)) == 3**10
    many = near_each_other(nx.empty_graph(9), random.Random(4))
    assert len(maximal_cliques(many, 1, Budget(), 9, 0)) == 9


def test_greedy_cliques():
    rng = random.Random(5)
    for seed in range(40):
        graph = nx.gnp_random_graph(rng.randint(0, 20), rng.random(), seed=seed)
        near = near_each_other(graph, rng)
        found = listed(greedy_cliques(near, 1, Budget()))
        assert {p for clique in found for p in clique} == set(graph)
        for clique in found:
            assert all(graph.has_edge(p, q) for p in clique for q in clique if p < q)
        large = [clique for clique in found if len(clique) >= 3]
        assert listed(greedy_cliques(near, 3, Budget())) == large
    path = Balls.of_all(list(map(np.array, ([0, 1], [1, 2, 0], [2, 1]))))
    assert listed(greedy_cliques(path, 2, Budget())) == [[0, 1], [1, 2]]
