"""
Averages of four
================

Age and income of sixty persons, of whom the means of groups of at least four are
published, the crosses: of all such means those that are off by the least squares.
"""

import random

import atleastk

rng = random.Random(4)
persons = []
for _ in range(60):
    age = rng.randint(20, 65)
    persons.append([age, 20 + age // 3 + round(rng.gauss(0, 7))])
near = atleastk.PairPartition(points=persons, k=4, objective="squares", name="Averages")
result = atleastk.solve(near, time_limit=10)
picture = result.plot()
for group in result.groups:
    ages, incomes = zip(*(persons[i] for i in group), strict=True)
    mean = sum(ages) / len(ages), sum(incomes) / len(incomes)
    picture.scatter(*mean, marker="x", color="black", zorder=4)
picture.set(xlabel="age", ylabel="income, thousands")
