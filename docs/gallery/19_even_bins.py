"""
Even bins
=========

With the squares of the levels as the cost, all bins are as even as can be, not only the
fullest low.
"""

import atleastk

sizes = [23, 17, 41, 12, 35, 28, 9, 31, 14, 26, 19, 38]
bins = atleastk.BinCovering(sizes=sizes, k=60, objective="quadratic")
picture = atleastk.solve(bins, time_limit=10).plot()
