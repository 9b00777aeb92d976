"""One column and one symbol have two patterns, the symbol and a star, not four."""

from itertools import product

symbols, m = "a", 1
patterns = list(product([*symbols, "*"], repeat=m))
said = (len(symbols) + 1) ** (m + 1)
print(f"{len(patterns)} patterns, and the formula says {said}")
raise SystemExit(len(patterns) == said)
