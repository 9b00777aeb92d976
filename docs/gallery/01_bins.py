"""
Bins of at least 100
====================

Thirty sizes in bins of at least 100, the fullest as low as can be. Nothing below the
level of the fullest bin exists.
"""

import atleastk

family = {"n": 30, "low": 12, "high": 60, "k": 100}
bins = atleastk.generate("bin-covering", "uniform", seed=1, **family)
picture = atleastk.solve(bins, time_limit=10).plot()
