"""
Levels of hierarchies
=====================

Cells need not be hidden: an age may become a band. Darker cells are published at a
coarser level.
"""

import atleastk

ages = [[str(age), "*" if age > 50 else f"{age // 10}0s", "*"] for age in range(20, 60)]
sexes = [["f", "*"], ["m", "*"]]
rows = [[ages[(7 * i) % 40][0], "fm"[i % 2]] for i in range(24)]
chains = [[list(chain) for chain in ages], sexes]
table = atleastk.Generalization(table=rows, k=3, hierarchies=chains, on="entries")
picture = atleastk.solve(table, time_limit=10).plot()
