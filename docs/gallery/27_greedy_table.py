"""
The same table by a greedy algorithm
====================================

Forty rows as above, and the algorithm of a paper. It hides more cells than are needed.
"""

import atleastk

family = {"n": 40, "m": 5, "k": 3}
table = atleastk.generate("k-anonymity", "uniform", seed=2, **family)
picture = atleastk.approximate(table, "approx-dr").plot()
