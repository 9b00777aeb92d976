"""
Communities
===========

The members of a karate club, of which 78 pairs met outside of it, in communities of
best modularity: more pairs inside than chance would have. Grey pairs are of two.
"""

import networkx as nx

import atleastk

graph = nx.karate_club_graph()
m, degree = graph.number_of_edges(), dict(graph.degree())
costs = [
    [i, j, degree[i] * degree[j] - 2 * m * graph.has_edge(i, j)]
    for i in graph
    for j in range(i)
]
club = atleastk.PairPartition(items=34, costs=costs, k=3, name="Karate club")
picture = atleastk.solve(club, time_limit=10).plot()
