"""k-anonymity: families of generated tables.

Large tables over few values are easy, since most records have k copies. Where copies
are few, and k is at least 3, optima are hard to prove: ``hard-zone``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from atleastk.instances.datasets.adult import adult as adult_table
from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.k_anonymity import KAnonymity

Rows = list[list[int]]


def uniform(
    seed: int, n: int = 20, m: int = 4, values: int = 3, k: int = 3
) -> KAnonymity:
    """Cells uniform in 0..values-1."""
    _require_shape(n, m, values, k)
    rng = random.Random(seed)
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    return KAnonymity(table, k)


def skewed(
    seed: int, n: int = 20, m: int = 4, values: int = 5, k: int = 3
) -> KAnonymity:
    """Zipf cells: value v, 0..values-1, has weight 1 / (v + 1)."""
    _require_shape(n, m, values, k)
    rng = random.Random(seed)
    weights = [1 / (v + 1) for v in range(values)]
    table = [rng.choices(range(values), weights, k=m) for _ in range(n)]
    return KAnonymity(table, k)


def planted(
    seed: int,
    groups: int = 5,
    size: int = 4,
    m: int = 6,
    values: int = 4,
    noise: int = 20,
    k: int = 3,
) -> KAnonymity:
    """Draw groups of equal size around random records; redraw noise % of the cells."""
    at_least(1, groups=groups, size=size)
    require(0 <= noise <= 100, f"noise: expected per cent, 0..100, got {noise}")
    _require_shape(groups * size, m, values, k)
    rng = random.Random(seed)
    table = []
    for _ in range(groups):
        centre = [rng.randrange(values) for _ in range(m)]
        table += [
            [rng.randrange(values) if rng.random() < noise / 100 else v for v in centre]
            for _ in range(size)
        ]
    rng.shuffle(table)
    return KAnonymity(table, k)


def hard_zone(
    seed: int, n: int = 20, m: int = 4, values: int = 3, k: int = 3
) -> KAnonymity:
    """Uniform distinct records of 1..k-1 copies each: none can stay as it is alone."""
    _require_shape(n, m, values, k)
    at_least(2, k=k)
    most = values**m * (k - 1)
    require(n <= most, f"n: {values}**{m} records of {k - 1} copies are {most} < {n}")
    rng = random.Random(seed)
    copies: dict[tuple[int, ...], int] = {}
    table: Rows = []
    while len(table) < n:
        record = tuple(rng.randrange(values) for _ in range(m))
        if copies.get(record, 0) < k - 1:
            copies[record] = copies.get(record, 0) + 1
            table.append(list(record))
    return KAnonymity(table, k)


def full_product(_seed: int, sizes: str = "3,5,4,4,3,2,3,3", k: int = 5) -> KAnonymity:
    """Every record over columns of these sizes, once; by default as in UCI Nursery.

    The optimum is n * p, where p is the least number of columns that multiply to k or
    more. A group that keeps all but p columns has at most as many rows as the p largest
    columns multiply to; suppressing these p columns reaches it.
    """
    parts = str(sizes).split(",")
    good = all(part.strip().isdecimal() and int(part) >= 1 for part in parts)
    require(good, f"sizes: expected numbers like 3,5,4, got {sizes!r}")
    table = [list(record) for record in product(*(range(int(part)) for part in parts))]
    require(1 <= k <= len(table), f"k: expected 1..{len(table)}, got {k}")
    return KAnonymity(table, k)


_EMPLOYEE_COLUMNS = ("Age", "Marital status", "Home country", "Gender", "Education")

FIGURE_1 = (
    ("20~29", "Single", "USA", "Male"),
    ("30~39", "Divorce", "China", "Female"),
    ("20~29", "Single", "USA", "Female"),
    ("30~39", "Separation", "Korea", "Female"),
)

FIGURE_2 = tuple(
    (*person, degree)
    for person in (
        ("20~29", "Single", "USA", "Female"),
        ("20~29", "Single", "China", "Male"),
        ("20~29", "Divorce", "USA", "Male"),
        ("30~39", "Single", "USA", "Male"),
    )
    for degree in ("Master", "Doctor")
)


def employees_4(_seed: int, k: int = 2) -> KAnonymity:
    """Four employees, [ParkShim07, Figure 1]: the optimum for k = 2 is 6."""
    return KAnonymity(FIGURE_1, k, columns=_EMPLOYEE_COLUMNS[:4])


def employees_8(_seed: int, k: int = 4) -> KAnonymity:
    """Eight employees, [ParkShim07, Figure 2]: the optimum for k = 4 is 24.

    Part (b) of the figure prints nine rows; the fifth is one too many.
    """
    return KAnonymity(FIGURE_2, k, columns=_EMPLOYEE_COLUMNS)


def tight_dr(_seed: int, k: int = 4, stars: int = 5) -> KAnonymity:
    """Make k groups of k rows and `stars` stars, k even; APPROX-DR pays almost 3 times.

    The first rows of the groups form a group of one star less. It is taken first, and
    k - 1 rows of each group remain, too few: two groups at a time pay 3 stars - 1.
    """
    require(k % 2 == 0 and k >= 4, f"k: expected an even number from 4, got {k}")
    at_least(2, stars=stars)
    table = []
    for i in range(k):
        for j in range(k):
            own = [0] * (k * stars)
            own[i * stars : (i + 1) * stars] = [j] * stars
            table.append([i] * (stars - 1) + own)
    return KAnonymity(table, k)


def tight_leftovers(_seed: int, k: int = 4, m: int = 1) -> KAnonymity:
    """2k - 2 rows 0 and k - 1 rows 1: APPROX-DR suppresses all, the optimum is k m."""
    at_least(2, k=k)
    at_least(1, m=m)
    table = [[0] * m] * (2 * k - 2) + [[1] * m] * (k - 1)
    return KAnonymity(table, k)


def worst_star(_seed: int, k: int = 4) -> KAnonymity:
    """Join k stars of a row and 2k - 2 others with one 1 each: balls take whole stars.

    A last column tells stars apart, and hiding it in all their rows is the optimum. In
    k more rows, which are equal, ones come first, so centres are the last records.
    """
    at_least(2, k=k)
    leaves = range(2 * k - 2)
    centre = (0,) * len(leaves)
    star = [centre, *(tuple(int(i == j) for i in leaves) for j in leaves)]
    table = [(1,) * len(leaves) + (k,)] * k
    table += [(*row, copy) for copy in range(k) for row in star]
    return KAnonymity(table, k)


def worst_strays(_seed: int, k: int = 3, columns: int = 10) -> KAnonymity:
    """Make k - 1 rows stray, twice, as APPROX-DR takes the k-th of their group.

    It goes with k - 1 rows of a group of 2k - 1, as near as to its own; the other k
    stay a group. Strays differ in all columns, groups of the optimum in one.
    """
    at_least(2, k=k)
    at_least(3, columns=columns)
    table: Rows = []
    for base in (0, 3):
        near = [[0, 0, 0]] * (k - 1) + [[0, 1, 0]] + [[0, 1, 1]] * (k - 1)
        near += [[1, 1, 1]] * (k - 1) + [[2, 1, 1]]
        table += [[base + x for x in row] + [base] * (columns - 3) for row in near]
    return KAnonymity(table, k)


def worst_balls(_seed: int, k: int = 4) -> KAnonymity:
    """Put k rows of each of 2k - 1 groups on k balls: balls take a row of each group.

    Rows of a group are at distance k + 1, and hiding this is the optimum. The s-th of
    all are at distance 2k - 1 from a centre of k copies, and from each other at twice
    that: a ball costs k / k for each row, and a group (k + 1) / k.
    """
    at_least(2, k=k)
    side = 2 * k - 1
    table: Rows = []
    for layer in range(k):
        table += [[layer] * (k + 1) + [0] * side**2] * k
        for group in range(side):
            apart = [int(j // side == group) for j in range(side**2)]
            table.append([layer] * (k + 1) + apart)
    return KAnonymity(table, k)


def worst_spider(_seed: int, k: int = 4) -> KAnonymity:
    """Join k trees of 3k - 3 rows, cells apart along edges: APPROX-GR keeps each whole.

    A first column tells trees apart, and hiding it in all their rows is the optimum. A
    centre has two stems with k - 2 leaves each, and a path of k - 2 rows: two parts of
    k - 1 rows meet in the centre, and what is left is too small for another. Edges are
    found from the last column on. Of k more rows, which are equal, the values of stems
    come first, so that these are joined to centres, not centres to them.
    """
    at_least(4, k=k)
    ends = [0] * 3 + [1] * (k - 2) + [2] * (k - 2) + [3, *range(2 * k, 3 * k - 4)]
    rows = [[0] * (len(ends) - 3) + [1] * 3]
    for j, end in enumerate(ends, start=1):
        row = rows[end].copy()
        row[-j] ^= 1
        rows.append(row)
    table = [[k, *[2] * (len(ends) - 3), 0, 0, 0]] * k
    table += [[copy, *row] for copy in range(k) for row in rows]
    return KAnonymity(table, k)


def worst_cover(
    _seed: int, k: int = 3, stars: int = 6, columns: int | None = None
) -> KAnonymity:
    """Join k classes of 2k - 1 rows, one odd one in each: greedy covers keep them.

    The k odd rows agree but in stars + 1 columns, which tell classes apart: hiding
    these is the optimum. The s-th differs from its class in stars / s columns, rounded
    down; with a number of columns, in (columns - 1) / s, and in `stars` at most.
    """
    at_least(1, stars=stars)
    if columns is None:
        return _odd_rows(k, stars, 2 * stars + 1, stars, stars)
    return _odd_rows(k, stars, columns, columns - 1, stars)


def worst_odd_rows(
    _seed: int, k: int = 3, stars: int = 6, columns: int | None = None
) -> KAnonymity:
    """As `worst-cover`, but the s-th odd row differs in (columns - 1) / s columns.

    There are stars + 1 columns, unless more are asked for.
    """
    at_least(1, stars=stars)
    columns = stars + 1 if columns is None else columns
    return _odd_rows(k, stars, columns, columns - 1, columns)


def _odd_rows(k: int, stars: int, columns: int, most: int, widest: int) -> KAnonymity:
    """Return classes whose s-th odd row differs in most / s columns."""
    at_least(2, k=k)
    apart = stars + 1
    require(columns >= apart, f"columns: expected at least {apart}, got {columns}")
    table: Rows = []
    for s in range(1, k + 1):
        odd = [0] * (columns - apart) + [s] * apart
        width = min(widest, most // s)
        table += [[-s] * width + odd[width:]] * (2 * k - 2) + [odd]
    return KAnonymity(table, k)


def worst_transversals(_seed: int, k: int = 3) -> KAnonymity:
    """Join k groups of k rows that APPROX-DR takes a row of each at a time.

    With a = (k - 1)!, groups lose a column that numbers their rows, and a of their own;
    rows of different groups lose a columns that tell groups apart. The s-th row from
    the end has ones in a / s of its group's own: those of the points of 1 x 2 x ... x
    (k - 1) whose s-th coordinate is 0; and the first row, the k-th, has none.
    """
    require(2 <= k <= 6, f"k: expected 2..6, got {k}")
    points = list(product(*map(range, range(1, k))))
    table: Rows = []
    for group, left in product(range(k), range(k, 0, -1)):
        own = [[0] * len(points) for _ in range(k)]
        if left < k:
            own[group] = [int(point[left - 1] == 0) for point in points]
        table.append([group] * len(points) + [left, *(x for b in own for x in b)])
    return KAnonymity(table, k)


def adult(seed: int, n: int = 100, columns: int = 8, k: int = 5) -> KAnonymity:
    """Draw n rows of the sample of Adult."""
    sample = adult_table(k, columns)
    require(k <= n <= sample.n, f"n: expected {k}..{sample.n}, got {n}")
    table = random.Random(seed).sample(sample.table, n)
    return KAnonymity(table, k, columns=sample.columns, source=sample.source)


FAMILIES: Sequence[Family[KAnonymity]] = families(
    uniform,
    skewed,
    planted,
    hard_zone,
    full_product,
    employees_4,
    employees_8,
    tight_dr,
    tight_leftovers,
    worst_star,
    worst_balls,
    worst_strays,
    worst_spider,
    worst_cover,
    worst_odd_rows,
    worst_transversals,
    adult,
)


def _require_shape(n: int, m: int, values: int, k: int) -> None:
    at_least(0, m=m)
    at_least(1, values=values)
    require(1 <= k <= n, f"k: expected 1..n = {n}, got {k}")
