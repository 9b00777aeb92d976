"""
A map cut along a tree
======================

A spanning tree of few branches (black) joins all crossings. Of its edges, the one with
the lightest side of at least k is cut (dashed), again and again. What hangs together is
a part, connected and not much heavier than k. It is quick, and keeps its promise.
"""

import random

import numpy

import atleastk
from atleastk.solvers.connected_partition.algorithms import spanning_trees, tree_cuts

rng = random.Random(7)
side = range(6)
weights = [rng.randint(1, 20) for _ in side for _ in side]
right = [[6 * y + x, 6 * y + x + 1] for y in side for x in side[:-1]]
down = [[6 * y + x, 6 * y + x + 6] for y in side[:-1] for x in side]
places = [[x, -y] for y in side for x in side]
wish = {"k": 60, "positions": places}
streets = atleastk.ConnectedPartition(weights=weights, edges=right + down, **wish)

result = atleastk.approximate(streets, "tree-cut")
tree = spanning_trees.low_degree_forest(*streets.adjacency)
parts = tree_cuts.cut(tree, numpy.array(weights), streets.k).tolist()
assert len(set(parts)) == len(result.groups)

picture = result.plot()
for node, above in enumerate(tree.tolist()):
    if above >= 0:
        kept = parts[node] == parts[above]
        style = {"color": "black", "linewidth": 1.5} if kept else {"color": "crimson"}
        ends = zip(places[node], places[above], strict=True)
        picture.plot(*ends, linestyle="-" if kept else ":", zorder=4, **style)
