"""
Few rows, whatever their cells
==============================

Rows are left as they are, or suffer: as few as possible suffer.
"""

import atleastk

rows = [[i % 3, i % 4 // 2, i * i % 5 // 3] for i in range(24)]
wish = atleastk.Suppression(table=rows, k=2, minimise="rows")
picture = atleastk.solve(wish, time_limit=10).plot()
