"""
Two diagnoses in every class
============================

Every class of at least two rows has at least two diagnoses, so that none is learnt.
"""

import atleastk

names = ["flu", "asthma", "cancer"]
rows = [[i % 2, i % 3, i // 6] for i in range(12)]
chains = [[[value, "*"] for value in range(count)] for count in (2, 3, 2)]
told = [[names[i // 3 % 3]] for i in range(12)]
wish = {"k": 2, "l": 2, "on": "entries", "hierarchies": chains}
table = atleastk.Diversity(table=rows, sensitive=told, **wish)
picture = atleastk.solve(table, time_limit=10).plot()
