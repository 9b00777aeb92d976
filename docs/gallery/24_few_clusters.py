"""
At most three clusters
======================

At least four points each, and no more than three clusters.
"""

import random

import atleastk

rng = random.Random(6)
points = [
    [rng.gauss(x, 6), rng.gauss(y, 6)] for x, y in [(0, 0), (40, 5), (18, 35)] * 8
]
places = [[round(x), round(y)] for x, y in points]
near = atleastk.RGather(points=places, r=4, max_clusters=3)
picture = atleastk.solve(near, time_limit=10).plot()
