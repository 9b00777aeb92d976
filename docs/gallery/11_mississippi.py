"""
A state in parts
================

Mississippi's 82 counties (2020, US Census Bureau) in connected parts of at least
100,000 people. The heaviest part is one county: it cannot be lighter.
"""

import atleastk

state = atleastk.generate("connected-partition", "mississippi", k=100_000)
picture = atleastk.solve(state, time_limit=10).plot()
