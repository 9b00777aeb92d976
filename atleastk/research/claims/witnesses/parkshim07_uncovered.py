"""Sets of less than m / beta stars may leave a row in none. Rows 00, 00, 11, k = 2."""

from itertools import combinations

rows, k, beta = ("00", "00", "11"), 2, 1.8
m = len(rows[0])
covered: set[int] = set()
for size in range(k, len(rows) + 1):
    for group in combinations(range(len(rows)), size):
        stars = sum(len({rows[i][c] for i in group}) > 1 for c in range(m))
        if stars < m / beta:
            covered |= set(group)
left = sorted(set(range(len(rows))) - covered)
print(f"rows {rows}, k = {k}, beta = {beta}: rows {left} are in no set")
raise SystemExit(not left)
