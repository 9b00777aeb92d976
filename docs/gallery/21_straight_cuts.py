"""
Straight cuts only
==================

The same kind of grid, but every cut goes from edge to edge of what is left. Here
this costs no more.
"""

import random

import atleastk

rng = random.Random(1)
grid = [[rng.randint(0, 9) for _ in range(9)] for _ in range(7)]
cuts = atleastk.RectangleTilingGrid(grid=grid, p=9, guillotine=True)
picture = atleastk.solve(cuts, time_limit=10).plot()
