"""
What Fold makes of them
=======================

The same thirty sizes, by the textbook greedy. Its promise is kept, and its fullest bin
is far above the optimum.
"""

import atleastk

family = {"n": 30, "low": 12, "high": 60, "k": 100}
bins = atleastk.generate("bin-covering", "uniform", seed=1, **family)
picture = atleastk.approximate(bins, "fold").plot()
