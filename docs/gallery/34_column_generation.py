"""
Column generation on eight points
=================================

Of all groups of two or three, only a few are known at first. The linear program over
these takes some of them (grey), gives every point a weight (the size of its dot), and
the group that is most overweight for its cost (red) joins. When none is overweight, the
weights are a certificate.
"""

from itertools import chain, combinations
from math import dist

import matplotlib.pyplot as plt
from scipy.optimize import linprog

points = [(0, 0), (1, 4), (2, 1), (4, 4), (5, 1), (6, 3), (8, 0), (8, 4)]
sizes = (combinations(range(8), size) for size in (2, 3))
groups = list(chain.from_iterable(sizes))
costs = {
    g: sum(dist(points[i], points[j]) for i, j in combinations(g, 2)) for g in groups
}
known = [(0, 1), (2, 3), (4, 5), (6, 7)]
rounds = []
while True:
    holds = [[i in group for group in known] for i in range(8)]
    program = linprog([costs[group] for group in known], A_eq=holds, b_eq=[1] * 8)
    weights = program.eqlin.marginals
    over = {group: sum(weights[list(group)]) - costs[group] for group in groups}
    joins = max(groups, key=over.__getitem__)
    rounds.append((program.fun, weights, joins, [*zip(known, program.x, strict=True)]))
    if over[joins] < 1e-9:
        break
    known.append(joins)

costs_seen = [cost for cost, *_ in rounds]
changes = [i for i, cost in enumerate(costs_seen) if cost not in costs_seen[:i]]
_, panels = plt.subplots(2, 2, figsize=(8, 5.5))
for number, panel in zip([*changes[:3], len(rounds) - 1], panels.flat, strict=False):
    cost, weights, joins, taken = rounds[number]
    last = number == len(rounds) - 1
    lines = [(group, "grey", 3 * share) for group, share in taken]
    for group, colour, width in lines if last else [*lines, (joins, "crimson", 2)]:
        around = [points[i] for i in (*group, group[0])]
        panel.plot(*zip(*around, strict=True), color=colour, linewidth=width, zorder=1)
    panel.scatter(*zip(*points, strict=True), s=20 + 80 * weights.clip(0), zorder=2)
    said = "none is overweight" if last else "the red one is overweight"
    panel.set_title(f"round {number + 1}: {cost:.1f}, {said}", loc="left", fontsize=9)
    panel.margins(0.2)
    panel.set_axis_off()
picture = panels[0, 0]
