"""
What a k costs
==============

Cost and bound for several k. Where the two lines are one, the optimum is proved.
"""

import atleastk

family = {"n": 60, "m": 4, "k": 2}
table = atleastk.generate("k-anonymity", "uniform", seed=1, **family)
picture = atleastk.tradeoff(table, [2, 3, 4, 5], time_limit=4).plot()
