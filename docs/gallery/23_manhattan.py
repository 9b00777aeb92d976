"""
Distances along streets
=======================

Where one walks along streets, the circles of clusters are diamonds.
"""

import random

import atleastk

rng = random.Random(2)
points = [[rng.randint(0, 60), rng.randint(0, 40)] for _ in range(30)]
streets = atleastk.RGather(points=points, metric="manhattan", r=4)
picture = atleastk.solve(streets, time_limit=10).plot()
