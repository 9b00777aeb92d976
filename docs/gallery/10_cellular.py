"""
Size times radius
=================

Here the sum over all points of the radius of their cluster is least, so many small
clusters are worth more than one small maximum.
"""

import atleastk

points = atleastk.generate("cellular-clustering", "uniform", seed=5, n=30, r=3)
picture = atleastk.solve(points, time_limit=10).plot()
