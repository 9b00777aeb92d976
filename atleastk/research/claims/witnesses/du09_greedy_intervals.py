"""Intervals: closing each as soon as it holds k is not optimal. (2, 1, 3), k = 2."""

from itertools import product

sizes, k = (2, 1, 3), 2

greedy: list[list[int]] = [[]]
for size in sizes:
    if sum(greedy[-1]) >= k:
        greedy.append([])
    greedy[-1].append(size)
if sum(greedy[-1]) < k:
    last = greedy.pop()
    greedy[-1] += last
costs = []
for cuts in product((False, True), repeat=len(sizes) - 1):
    row: list[list[int]] = [[sizes[0]]]
    for size, cut in zip(sizes[1:], cuts, strict=True):
        if cut:
            row.append([])
        row[-1].append(size)
    if min(map(sum, row)) >= k:
        costs.append(max(map(sum, row)))
cost, optimum = max(map(sum, greedy)), min(costs)
print(f"{sizes}, k = {k}: the greedy costs {cost}, the optimum is {optimum}")
raise SystemExit(cost <= optimum)
