"""
Spread
======

Another algorithm of the same paper on the thirty sizes of the first picture.
"""

import atleastk

family = {"n": 30, "low": 12, "high": 60, "k": 100}
bins = atleastk.generate("bin-covering", "uniform", seed=1, **family)
picture = atleastk.approximate(bins, "spread").plot()
