"""
Clusters of at least four points
================================

Every cluster has at least four points, and the largest radius is as small as can be.
"""

import atleastk

points = atleastk.generate("r-gather", "uniform", seed=3, n=40, r=4)
picture = atleastk.solve(points, time_limit=10).plot()
