"""r-DEL may have more than one least set of rows: a, b, b, b, c, c, c and k = 2.

With a one b has to go, or one c.
"""

from itertools import combinations

rows, k = "abbbccc", 2
schemes: dict[int, set[str]] = {}
for size in range(len(rows) + 1):
    for deleted in combinations(range(len(rows)), size):
        left = ["*" if i in deleted else row for i, row in enumerate(rows)]
        if min(map(left.count, left)) >= k:
            schemes.setdefault(size, set()).add("".join(rows[i] for i in deleted))
least = min(schemes)
print(f"rows {rows}, k = {k}: {least} rows, {' or '.join(sorted(schemes[least]))}")
raise SystemExit(len(schemes[least]) == 1)
