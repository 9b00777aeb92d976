"""
Hidden cells
============

Forty rows of five columns. The dark cells are hidden, so that every row equals at least
two others; fewer cells are never enough.
"""

import atleastk

family = {"n": 40, "m": 5, "k": 3}
table = atleastk.generate("k-anonymity", "uniform", seed=2, **family)
picture = atleastk.solve(table, time_limit=10).plot()
