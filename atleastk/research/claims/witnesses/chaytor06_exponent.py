"""3 (2n) (m + 1) is 6nm + 6n, not 6nm + 6m: n = 2, m = 1."""

n, m = 2, 1
left, right = 3 * (2 * n) * (m + 1), 6 * n * m + 6 * m
print(f"n = {n}, m = {m}: the exponent is {left}, more than {right}")
raise SystemExit(left <= right)
