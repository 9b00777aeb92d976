"""There may be more than n / (1 - 2e) bins' worth: one item of size 3k, e = 1/4."""

from fractions import Fraction

sizes, e = (3,), Fraction(1, 4)  # in units of k
b, said = sum(sizes) / (1 - 2 * e), len(sizes) / (1 - 2 * e)
print(f"sizes {sizes} k, e = {e}: b is {b}, more than {said}")
raise SystemExit(b <= said)
