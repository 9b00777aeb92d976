"""
As few columns as can be
========================

Another wish: no matter how many cells, but in as few columns as possible.
"""

import atleastk

rows = [[i % 2, i % 3, i // 6, (i * i) % 4] for i in range(12)]
wish = atleastk.Suppression(table=rows, k=2, minimise="columns")
picture = atleastk.solve(wish, time_limit=10).plot()
