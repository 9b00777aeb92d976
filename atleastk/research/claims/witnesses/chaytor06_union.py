"""c n + r m - c r entries may be less than none: one row and column, r = 3, c = 2."""

n, m, r, c = 1, 1, 3, 2
entries = c * n + r * m - c * r
print(f"table of {n} cell, r = {r}, c = {c}: the limit of entries is {entries}")
raise SystemExit(entries >= 0)
