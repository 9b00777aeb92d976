"""
A lattice of streets
====================

Crossings with random weights, cut into connected districts of at least 60.
"""

import random

import atleastk

rng = random.Random(7)
side = range(6)
weights = [rng.randint(1, 20) for _ in side for _ in side]
right = [[6 * y + x, 6 * y + x + 1] for y in side for x in side[:-1]]
down = [[6 * y + x, 6 * y + x + 6] for y in side[:-1] for x in side]
places = [[x, -y] for y in side for x in side]
streets = atleastk.ConnectedPartition(
    weights=weights, edges=right + down, k=60, positions=places
)
picture = atleastk.solve(streets, time_limit=10).plot()
