"""
A grid in nine rectangles
=========================

A grid of weights and at most nine rectangles: the heaviest is as light as can be.
"""

import random

import atleastk

rng = random.Random(1)
grid = [[rng.randint(0, 9) for _ in range(9)] for _ in range(7)]
picture = atleastk.solve(
    atleastk.RectangleTilingGrid(grid=grid, p=9), time_limit=10
).plot()
