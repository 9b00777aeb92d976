"""
How far algorithms are from the optimum
=======================================

Fifty random instances; for each algorithm, the share of them on which it is within a
ratio of the optimum.
"""

import atleastk

family = {"n": 12, "low": 1, "high": 20, "k": 25}
names = ["fold", "fold-decreasing", "spread"]
picture = atleastk.ratio(
    names, "uniform", problem="bin-covering", seeds=50, **family
).plot()
