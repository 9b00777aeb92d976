"""
Threes of near points
=====================

The distances within the groups are least in sum, divided by the sizes of the groups.
"""

import random

import atleastk

rng = random.Random(9)
points = [[rng.randint(0, 99), rng.randint(0, 99)] for _ in range(24)]
near = atleastk.PairPartition(points=points, k=3, objective="squares")
picture = atleastk.solve(near, time_limit=10).plot()
