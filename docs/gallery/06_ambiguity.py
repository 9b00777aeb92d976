"""
The looser reading
==================

If a hidden cell may match anything, far fewer cells do. It is no protection: most rows
still equal no other.
"""

import atleastk

rows = [[i % 2, i % 3, i // 6, (i * i) % 4] for i in range(12)]
picture = atleastk.solve(atleastk.KAmbiguity(table=rows, k=3), time_limit=10).plot()
