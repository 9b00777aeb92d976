"""
Boxes that leave space between them
===================================

Boxes need not fill the plane: each holds at least five points, and no two meet.
"""

import random

import atleastk

rng = random.Random(4)
points = [[rng.randint(0, 99), rng.randint(0, 99), 1] for _ in range(30)]
boxes = atleastk.RectangleTiling(points=points, k=5, cover="points")
picture = atleastk.solve(boxes, time_limit=10).plot()
