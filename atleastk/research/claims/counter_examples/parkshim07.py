"""Counter-examples to claims of [ParkShim07], by the standard library alone.

    python -I parkshim07.py NAME

Each prints what it found, and returns whether that refutes the claim: exit code 0.
"""

import sys
from fractions import Fraction
from itertools import combinations, product
from math import inf


def diameters() -> bool:
    """A best partition by diameters may cost more than k times the optimum: k = 2.

    Six rows: three unit vectors, each value five times, followed by seven 0s or seven
    1s. Two groups of three have diameters of 10 each, and three pairs 7 each.
    """
    k, copies, apart = 2, 5, 7
    units = [[int(i == j) for j in range(3) for _ in range(copies)] for i in range(3)]
    rows = [unit + [side] * apart for side in (0, 1) for unit in units]

    def differing(group: tuple[int, ...]) -> int:
        """Return in how many columns some rows differ."""
        columns = zip(*(rows[i] for i in group), strict=True)
        return sum(len(set(column)) > 1 for column in columns)

    least, costs, optimum = inf, [0], inf
    for homes in product(range(len(rows) // k), repeat=len(rows)):
        groups = [tuple(i for i, h in enumerate(homes) if h == g) for g in {*homes}]
        if not all(k <= len(group) < 2 * k for group in groups):
            continue
        total = sum(max(map(differing, combinations(group, 2))) for group in groups)
        cost = sum(len(group) * differing(group) for group in groups)
        optimum = min(optimum, cost)
        if total < least:
            least, costs = total, []
        if total == least:
            costs.append(cost)
    print(f"six rows, k = {k}: by diameters {min(costs)} cells, the optimum {optimum}")
    return min(costs) > k * optimum


def last_record() -> bool:
    """APPROX-DR: the last record may never be covered. Rows 0, 0, 1, k = 2.

    The closed itemsets of support k are {0}, of rows 0 and 1, and the empty one, of
    all. They are taken by rising suppression length, if they cover k new records or
    more.
    """
    rows, k = (0, 0, 1), 2
    closed = [{0, 1}, {0, 1, 2}]
    covered: set[int] = set()
    for chosen in sorted(closed, key=lambda s: len({rows[i] for i in s}) > 1):
        if len(chosen - covered) >= k:
            covered |= chosen
    print(f"rows {rows}, k = {k}: covered are {sorted(covered)} only")
    return len(covered) != len(rows)


def nine_rows() -> bool:
    """Figure 2: part (b) has nine rows where part (a) has eight."""
    before = ["20~29"] * 6 + ["30~39"] * 2
    after = ["20~29 Single * * *"] * 5 + ["* * USA Male *"] * 4
    print(f"{len(before)} rows are anonymized to {len(after)}")
    return len(before) != len(after)


def not_closed() -> bool:
    """Itemsets that are not closed: the rows are the same, and so is the ratio.

    Figure 1, k = 2: {Single} is contained in rows 0 and 2 only, as is its closure
    {20~29, Single, USA}.
    """
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
    return part <= closure


def uncovered() -> bool:
    """Sets of few stars may leave a row in none: rows 00, 00, 11, k = 2."""
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
    return bool(left)


if __name__ == "__main__":
    found = globals().get(sys.argv[-1])
    if not callable(found):
        sys.exit(f"{sys.argv[-1]}: no function of this file; the errata name them")
    raise SystemExit(not found())
