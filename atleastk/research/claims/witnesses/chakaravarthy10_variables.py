"""There may be more variables than m^(2 |S| + 1): one column of two symbols."""

from itertools import product

symbols, m = "ab", 1
rows = list(product(symbols, repeat=m))
patterns = list(product([*symbols, "*"], repeat=m))
matching = sum(
    all(p in (t, "*") for p, t in zip(pattern, row, strict=True))
    for pattern, row in product(patterns, rows)
)
said = m ** (2 * len(symbols) + 1)
print(f"m = 1, symbols {symbols}: {matching} variables, and the bound says {said}")
raise SystemExit(matching <= said)
