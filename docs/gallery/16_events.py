"""
How a run went
==============

The best cost comes down, the bound goes up; where they meet, the optimum is proved.
"""

import atleastk

family = {"n": 60, "m": 6, "k": 3}
table = atleastk.generate("k-anonymity", "uniform", seed=1, **family)
picture = atleastk.solve(table, time_limit=2).plot(kind="events")
