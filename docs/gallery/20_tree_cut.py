"""
A map cut along a tree
======================

The algorithm of a paper finds a spanning tree of few branches and cuts it. It is quick,
and keeps its promise; the optimum is lighter.
"""

import atleastk

state = atleastk.generate("connected-partition", "mississippi", k=100_000)
picture = atleastk.approximate(state, "tree-cut").plot()
