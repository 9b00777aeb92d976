"""MAX TP = (MIN-c' + 3) / 3 is wrong: three vertices without an edge, k = 3.

All rows are one group, which keeps nothing: c' = 3, the formula says 2, not 0.
"""

from fractions import Fraction

vertices = range(3)
table = [[0 if i == j else f"row {i}" for j in vertices] for i in vertices]
lost = [3 if len({row[j] for row in table}) > 1 else 0 for j in vertices]
claimed = Fraction(max(lost) + 3, 3)
print(f"three vertices, no edge: c' = {max(lost)}, claimed {claimed} triangles of 0")
raise SystemExit(claimed == 0)
