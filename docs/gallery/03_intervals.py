"""
A row of sizes
==============

Here the order matters: a group is a run of neighbours, as chapters are of pages.
"""

import atleastk

row = atleastk.IntervalCovering(sizes=[4, 9, 3, 7, 2, 8, 5, 6, 1, 9, 4, 3], k=12)
picture = atleastk.solve(row, time_limit=10).plot()
