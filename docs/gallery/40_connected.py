"""
Connected groups
================

Twenty places and the roads between neighbours, in groups of at least four that roads
inside connect. The lengths of all roads inside are least in sum.
"""

import random

import numpy as np
from scipy.spatial import Delaunay

import atleastk
from atleastk.plots.pair_partition import draw

rng = random.Random(2)
places = np.array([(rng.random(), rng.random()) for _ in range(20)])
roads = set()
for corners in Delaunay(places).simplices:
    i, j, h = sorted(map(int, corners))
    roads |= {(i, j), (j, h), (i, h)}
lengths = {(i, j): round(100 * np.hypot(*(places[i] - places[j]))) for i, j in roads}
network = atleastk.PairPartition(
    items=20,
    costs=[[i, j, int(length)] for (i, j), length in sorted(lengths.items())],
    k=4,
    connected=True,
    name="Roads",
)
picture = draw(network, atleastk.solve(network, time_limit=20), places=places)
picture.set_axis_off()
