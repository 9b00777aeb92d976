"""
Rectangles of at least k
========================

The plane is tiled by rectangles, each with at least five points.
"""

import random

import atleastk

rng = random.Random(4)
points = [[rng.randint(0, 99), rng.randint(0, 99), 1] for _ in range(40)]
picture = atleastk.solve(
    atleastk.RectangleTiling(points=points, k=5), time_limit=10
).plot()
