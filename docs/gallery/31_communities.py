"""
Teams of friends
================

Costs below zero are wishes: friends want to be together, in five teams of four.
"""

import random

import atleastk

rng = random.Random(5)
pairs = [(i, j) for i in range(20) for j in range(i) if rng.random() < 0.2]
costs = [[i, j, -1] for i, j in pairs]
teams = atleastk.PairPartition(items=20, costs=costs, k=4, groups=[5, 5])
picture = atleastk.solve(teams, time_limit=10).plot()
