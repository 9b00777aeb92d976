"""
A lattice and what is left of it
================================

A node is a level for every column: of age, zip and sex. Three nodes were counted and
fail (red), so all below them fail as well (pale), and nobody has to count these. Of
what is left the lowest is best (ringed).
"""

from itertools import product

import matplotlib.pyplot as plt

import atleastk

rows = ["31 13053 f", "42 13053 m", "55 13068 f", "31 13053 f", "42 13068 f"]
rows += ["38 13068 f", "55 13053 f", "42 13053 f", "35 13068 m", "51 13060 m"]
cells = [row.split() for row in rows]
ages, zips, sexes = ({row[column] for row in cells} for column in range(3))
chains = [
    [[age, f"{age[0]}0s", "*"] for age in sorted(ages)],
    [[place, f"{place[:3]}..", "*"] for place in sorted(zips)],
    [[sex, "*"] for sex in sorted(sexes)],
]
table = atleastk.Generalization(table=cells, k=2, hierarchies=chains, on="attributes")
result = atleastk.solve(table, certify=True)
(best,) = result.solution.levels
refused = [tuple(node) for node in result.certificate["refused"]]


def at(node: tuple[int, ...]) -> tuple[float, int]:
    """Place a node by its height, beside the others of that height."""
    row = [other for other in nodes if sum(other) == sum(node)]
    return row.index(node) - (len(row) - 1) / 2, sum(node)


nodes = list(product(*(range(len(column[0])) for column in chains)))
picture = plt.figure(figsize=(7, 4.5)).gca()
for node in nodes:
    for column in range(3):
        above = (*node[:column], node[column] + 1, *node[column + 1 :])
        if above in nodes:
            ends = zip(at(node), at(above), strict=True)
            picture.plot(*ends, color="lightgrey", zorder=1)
    below = any(all(map(int.__le__, node, other)) for other in refused)
    counted = "crimson" if node in refused else "mistyrose" if below else "steelblue"
    ring = {"edgecolors": "black", "linewidths": 3} if node == best else {}
    picture.scatter(*at(node), s=500, color=counted, zorder=2, **ring)
    letters = "black" if counted == "mistyrose" else "white"
    picture.text(
        *at(node), "".join(map(str, node)), va="center", ha="center", c=letters
    )
picture.set_axis_off()
said = f"{len(refused)} of {len(nodes)} nodes refuse all below height {result.cost}"
picture.set_title(said, loc="left")
