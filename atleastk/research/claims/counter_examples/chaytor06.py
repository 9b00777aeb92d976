"""Counter-examples to claims of [Chaytor06], by the standard library alone.

    python -I chaytor06.py NAME

Each prints what it found, and returns whether that refutes the claim: exit code 0.
"""

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

Row = tuple[int, ...]


def alpha() -> bool:
    """MIN-c-DEL may exceed (B - 1) packings: triples 012, 013, 234, which meet.

    The table has 0 where an element is in a triple, and else 1; k = 3.
    """
    triples, elements, k = [{0, 1, 2}, {0, 1, 3}, {2, 3, 4}], 6, 3
    table = [[int(i not in t) for t in triples] for i in range(elements)]
    often = max(sum(i in t for t in triples) for i in range(elements))

    def anonymous(deleted: tuple[int, ...]) -> bool:
        """Tell whether the rows are k-anonymous without these columns."""
        left = [
            tuple(v for c, v in enumerate(row) if c not in deleted) for row in table
        ]
        return min(map(left.count, left)) >= k

    columns = range(len(triples))
    least = next(s for s in range(4) if any(map(anonymous, combinations(columns, s))))
    packing = _disjoint(triples)
    print(f"012, 013, 234: MIN-c-DEL {least}, B = {often}, {packing} disjoint triple")
    return least > (often - 1) * packing


def cost_by_weight() -> bool:
    """A forest may cost more than its weight times OPT: rows 0, 0, 0, 0, 1 and k = 2.

    All edges go to a nearest row: 0 - 1, 2 - 3 and 4 - 2, where row 4 is the 1.
    """
    rows, k = (0, 0, 0, 0, 1), 2
    edges, trees = [(0, 1), (2, 3), (4, 2)], [(0, 1), (2, 3, 4)]
    weight = sum(rows[u] != rows[v] for u, v in edges)
    cost = _lost(trees, [(row,) for row in rows])
    least = _least_entries([(row,) for row in rows], k)
    print(f"rows {rows}, k = {k}: cost {cost}, weight {weight}, the optimum {least}")
    return cost > least * weight


def deleted_rows() -> bool:
    """Deleted rows need equals, too: rows a, b, b and k = 2.

    Only a has less than k - 1 equals; deleted alone it is the only row of stars.
    """
    rows, k = ["a", "b", "b"], 2
    rare = [i for i, row in enumerate(rows) if rows.count(row) < k]

    def anonymous(deleted: tuple[int, ...]) -> bool:
        """Tell whether the table is k-anonymous without these rows."""
        left = ["*" if i in deleted else row for i, row in enumerate(rows)]
        return min(map(left.count, left)) >= k

    least = next(
        size
        for size in range(len(rows) + 1)
        if any(map(anonymous, combinations(range(len(rows)), size)))
    )
    print(f"rows {rows}, k = {k}: the rule deletes {len(rare)}, needed are {least}")
    return not anonymous(tuple(rare)) and least != len(rare)


def exponent() -> bool:
    """3 (2n) (m + 1) is 6nm + 6n, not 6nm + 6m: n = 2, m = 1."""
    n, m = 2, 1
    left, right = 3 * (2 * n) * (m + 1), 6 * n * m + 6 * m
    print(f"n = {n}, m = {m}: the exponent is {left}, more than {right}")
    return left > right


def keeps_others() -> bool:
    """K_{3,3} has no triangle, but c' = |V| - 3 is enough for its table, k = 3.

    Each side is a group, and keeps the three columns of the other side.
    """
    vertices = range(6)
    near = {v: {v} | {u for u in vertices if (u < 3) != (v < 3)} for v in vertices}
    table = [[0 if j in near[i] else f"row {i}" for j in vertices] for i in vertices]
    groups = [(0, 1, 2), (3, 4, 5)]
    lost = [
        sum(len(group) for group in groups if len({table[i][j] for i in group}) > 1)
        for j in vertices
    ]
    triangles = [
        t
        for t in combinations(vertices, 3)
        if all(v in near[u] for u, v in combinations(t, 2))
    ]
    print(
        f"K_3,3: {len(triangles)} triangles, columns lose {lost}, at most |V| - 3 = 3"
    )
    return not triangles and max(lost) <= len(vertices) - 3


def many_schemes() -> bool:
    """r-DEL may have more than one least set of rows: a, b, b, b, c, c, c and k = 2.

    With a one b has to go, or one c.
    """
    rows, k = "abbbccc", 2
    schemes: dict[int, set[str]] = {}
    for size in range(len(rows) + 1):
        for deleted in combinations(range(len(rows)), size):
            left = ["*" if i in deleted else row for i, row in enumerate(rows)]
            if min(map(left.count, left)) >= k:
                schemes.setdefault(size, set()).add("".join(rows[i] for i in deleted))
    least = min(schemes)
    print(f"rows {rows}, k = {k}: {least} rows, {' or '.join(sorted(schemes[least]))}")
    return len(schemes[least]) != 1


def many_triples() -> bool:
    """There may be more triples than B packings have: 012, 034, 135, 245.

    Each element is in two of them, and any two of them meet.
    """
    triples = [{0, 1, 2}, {0, 3, 4}, {1, 3, 5}, {2, 4, 5}]
    often = max(sum(i in t for t in triples) for i in range(6))
    packing = _disjoint(triples)
    print(f"{len(triples)} triples, B = {often}, {packing} disjoint triple")
    return len(triples) > often * packing


def married() -> bool:
    """Figure 3.2: patient x4 is not unmarried, as the text says, but married."""
    patients = [
        (25, "Male", "Yes", 709),
        (25, "Male", "Yes", 709),
        (25, "Female", "No", 804),
        (40, "Male", "Yes", 807),
        (40, "Male", "No", 902),
        (40, "Male", "No", 902),
        (40, "Male", "No", 902),
    ]
    said = [row for row in patients if row == (40, "Male", "No", 807)]
    print(f"x4 is {patients[3]}; unmarried men of 40 in 807: {len(said)}")
    return len(said) != 1


def new_rows() -> bool:
    """k new rows before the table may make a no a yes: table a, k = 2, r' = 1.

    One row is never 2-anonymous. With two rows of a new symbol below it all three are,
    when their single cells are suppressed: one entry per row.
    """
    k, per_row = 2, 1

    def feasible(table: list[str]) -> bool:
        """Try all ways to suppress the cells of one column."""
        for stars in product((False, True), repeat=len(table)):
            rows = [
                "*" if star else cell for cell, star in zip(table, stars, strict=True)
            ]
            if max(map(int, stars)) <= per_row and min(map(rows.count, rows)) >= k:
                return True
        return False

    before, after = feasible(["a"]), feasible(["a", "new", "new"])
    print(f"table a, k = {k}, r' = {per_row}: {before}, with two new rows {after}")
    return before != after


def packing() -> bool:
    """Two formulas are no packing: triples 012 and 013 of six elements, k = 3.

    They are MIN-e / (3 (m - 1)) and n MIN-r' / (3 (m - 1)). All partitions of the
    table's rows into groups of three and more are tried.
    """
    triples, elements, k = [{0, 1, 2}, {0, 1, 3}], 6, 3
    table = [tuple(0 if i in t else 1 + i for t in triples) for i in range(elements)]
    entries = _least_entries(table, k)
    per_row = min(
        max(_stars(group, table) for group in groups)
        for groups in _divided(elements, k)
    )
    packing = _disjoint(triples)
    parts = 3 * (len(triples) - 1)
    claimed = Fraction(entries, parts), Fraction(elements * per_row, parts)
    said = " and ".join(map(str, claimed))
    print(f"012, 013 of six: {packing} disjoint triple, and the formulas say {said}")
    return packing not in claimed


def packing_by_columns() -> bool:
    """MAX TP = (MIN-c' + 3) / 3 is wrong: three vertices without an edge, k = 3.

    All rows are one group, which keeps nothing: c' = 3, the formula says 2, not 0.
    """
    vertices = range(3)
    table = [[0 if i == j else f"row {i}" for j in vertices] for i in vertices]
    lost = [3 if len({row[j] for row in table}) > 1 else 0 for j in vertices]
    claimed = Fraction(max(lost) + 3, 3)
    print(
        f"three vertices, no edge: c' = {max(lost)}, claimed {claimed} triangles of 0"
    )
    return claimed != 0


def powers() -> bool:
    """n^r m^c may exceed 2^n 2^m: n = 4 rows, r = 3, m = c = 1."""
    n, m, r, c = 4, 1, 3, 1
    left: int = n**r * m**c
    right: int = 2**n * 2**m
    print(f"n = {n}, m = {m}, r = {r}, c = {c}: {left} > {right}")
    return left > right


def star() -> bool:
    """A star of four rows is above 3k - 3 = 3, k = 2, and no edge leaves two a side."""
    k, edges = 2, [(0, 1), (0, 2), (0, 3)]
    rows = len(edges) + 1
    sides = [sum(v in edge for edge in edges) for _, v in edges]  # of the leaves
    print(f"star of {rows} rows, k = {k}: without an edge a side has {max(sides)} row")
    return rows > 3 * k - 3 and max(sides) < k


def union() -> bool:
    """c n + r m - c r entries may be less than none: one cell, r = 3, c = 2."""
    n, m, r, c = 1, 1, 3, 2
    entries = c * n + r * m - c * r
    print(f"table of {n} cell, r = {r}, c = {c}: the limit of entries is {entries}")
    return entries < 0


def weight() -> bool:
    """A cost of OPT times the weight leaves the weight open: 00, 00, 10, 11 and k = 2.

    The trees 0 - 2 and 1 - 3 have two rows each, as the text asks of a forest.
    """
    k, trees = 2, [(0, 2), (1, 3)]
    rows: Sequence[Row] = [(0, 0), (0, 0), (1, 0), (1, 1)]
    weight = sum(
        a != b for u, v in trees for a, b in zip(rows[u], rows[v], strict=True)
    )
    cost, least = _lost(trees, rows), _least_entries(rows, k)
    print(f"rows {rows}, k = {k}: cost {cost}, weight {weight}, the optimum {least}")
    return cost <= least * weight and weight > least


def _disjoint(triples: Sequence[set[int]]) -> int:
    """Return how many triples are disjoint at most."""
    return max(
        size
        for size in range(len(triples) + 1)
        for chosen in combinations(triples, size)
        if all(a.isdisjoint(b) for a, b in combinations(chosen, 2))
    )


def _stars(group: Row, rows: Sequence[Row]) -> int:
    """Return how many cells each row of a group loses."""
    columns = zip(*(rows[i] for i in group), strict=True)
    return sum(len(set(column)) > 1 for column in columns)


def _lost(groups: Sequence[Row], rows: Sequence[Row]) -> int:
    """Return how many entries of the rows the groups lose."""
    return sum(len(group) * _stars(group, rows) for group in groups)


def _divided(rows: int, k: int) -> Iterator[list[Row]]:
    """Yield all divisions of so many rows into groups of k or more."""
    for homes in product(range(rows // k), repeat=rows):
        groups = [tuple(i for i, h in enumerate(homes) if h == g) for g in {*homes}]
        if min(map(len, groups)) >= k:
            yield groups


def _least_entries(rows: Sequence[Row], k: int) -> int:
    """Return the fewest entries that make rows k-anonymous, of all divisions."""
    return min(_lost(groups, rows) for groups in _divided(len(rows), k))


if __name__ == "__main__":
    found = globals().get(sys.argv[-1])
    if not callable(found):
        sys.exit(f"{sys.argv[-1]}: no function of this file; the errata name them")
    raise SystemExit(not found())
