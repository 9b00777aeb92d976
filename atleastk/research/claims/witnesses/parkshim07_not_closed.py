"""Itemsets that are not closed: the rows are the same, and so is the ratio.

Figure 1, k = 2: {Single} is contained in rows 0 and 2 only, as is its closure
{20~29, Single, USA}.
"""

from fractions import Fraction

table = [
    ("20~29", "Single", "USA", "Male"),
    ("30~39", "Divorce", "China", "Female"),
    ("20~29", "Single", "USA", "Female"),
    ("30~39", "Separation", "Korea", "Female"),
]
k = 2


def ratio(items: set[str]) -> Fraction:
    """Return a(S) / min(|S|, 2k - 1) of the rows that contain an itemset."""
    rows = [row for row in table if items <= set(row)]
    differ = sum(len(set(column)) > 1 for column in zip(*rows, strict=True))
    return Fraction(differ, min(len(rows), 2 * k - 1))


part, closure = ratio({"Single"}), ratio({"20~29", "Single", "USA"})
print(f"Figure 1, k = {k}: {{Single}} has ratio {part}, its closure {closure}")
raise SystemExit(part > closure)
