"""Counter-examples to claims of [Chakaravarthy10], by the standard library alone.

    python -I chakaravarthy10.py NAME

Each prints what it found, and returns whether that refutes the claim: exit code 0.
"""

import sys
from itertools import combinations, product


def all_cells() -> bool:
    """Suppressing all cells may cost more than m OPT: rows 0, 0, 0, 1 and k = 2, m = 1.

    Here it costs twice that, and with n zeros (n + 1) / 2 times.
    """
    rows, k, m = (0, 0, 0, 1), 2, 1
    divided = (
        [[row for row, h in zip(rows, homes, strict=True) if h == g] for g in {*homes}]
        for homes in product(range(len(rows)), repeat=len(rows))
    )
    optimum = min(
        sum(len(group) for group in groups if len(set(group)) > 1)
        for groups in divided
        if min(map(len, groups)) >= k
    )
    print(
        f"rows {rows}, k = {k}: all cells are {len(rows) * m}, the optimum is {optimum}"
    )
    return len(rows) * m > m * optimum


def not_63() -> bool:
    """MIN-e may exceed 63 VC: K_{3,3}, whose least cover has three vertices.

    Every solution of its table costs 27 r + 2 e + 14 at least: the base costs of its
    rows.
    """
    edges = [(u, v) for u in range(3) for v in range(3, 6)]
    vertices = 6
    cover = next(
        size
        for size in range(vertices + 1)
        for chosen in combinations(range(vertices), size)
        if all(u in chosen or v in chosen for u, v in edges)
    )
    least = 27 * vertices + 2 * len(edges) + 14
    print(f"K_3,3: MIN-e is {least} or more, and 63 VC = {63 * cover}")
    return least > 63 * cover


def patterns() -> bool:
    """One column and one symbol have two patterns, the symbol and a star, not four."""
    symbols, m = "a", 1
    patterns = list(product([*symbols, "*"], repeat=m))
    said: int = (len(symbols) + 1) ** (m + 1)
    print(f"{len(patterns)} patterns, and the formula says {said}")
    return len(patterns) != said


def variables() -> bool:
    """There may be more variables than m^(2 |S| + 1): one column of two symbols."""
    symbols, m = "ab", 1
    rows = list(product(symbols, repeat=m))
    patterns = list(product([*symbols, "*"], repeat=m))
    matching = sum(
        all(p in (t, "*") for p, t in zip(pattern, row, strict=True))
        for pattern, row in product(patterns, rows)
    )
    said: int = m ** (2 * len(symbols) + 1)
    print(f"m = 1, symbols {symbols}: {matching} variables, and the bound says {said}")
    return matching > said


if __name__ == "__main__":
    found = globals().get(sys.argv[-1])
    if not callable(found):
        sys.exit(f"{sys.argv[-1]}: no function of this file; the errata name them")
    raise SystemExit(not found())
