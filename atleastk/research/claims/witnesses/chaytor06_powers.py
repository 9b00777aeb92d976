"""n^r m^c may exceed 2^n 2^m: n = 4 rows, r = 3, m = c = 1."""

n, m, r, c = 4, 1, 3, 1
left, right = n**r * m**c, 2**n * 2**m
print(f"n = {n}, m = {m}, r = {r}, c = {c}: {left} > {right}")
raise SystemExit(left <= right)
