"""
Rooms of at least four
======================

A graph whose nodes all weigh one: connected groups of at least four, the largest as
small as can be.
"""

import networkx

import atleastk

graph = networkx.random_geometric_graph(40, 0.35, seed=12)
places = [[round(100 * c) for c in graph.nodes[v]["pos"]] for v in graph]
rooms = atleastk.ConnectedPartition(
    weights=[1] * 40, edges=[list(e) for e in graph.edges], k=4, positions=places
)
picture = atleastk.solve(rooms, time_limit=10).plot()
