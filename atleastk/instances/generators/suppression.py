"""The utility-preserving suppression family: families of generated instances.

A parameter ``variant`` names the problem of the family; limits that it takes and that
are not given are half of the maximum, and importance orders are two classes or
more of about equal size, in the order of the table.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.generators import k_anonymity
from atleastk.instances.generators.generalization import PEOPLE
from atleastk.instances.generators.k_ambiguity import PEOPLE_COLUMNS
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES, variant_named

Drawn = tuple[Sequence[Sequence[str | int]], int]
"""A table, and k."""


_LIMITS: Final = dict.fromkeys(QUANTITIES)
"""The limits of problems of the family, as parameters: none is given."""


def uniform(seed: int, n: int = 20, m: int = 4, values: int = 3, k: int = 3) -> Drawn:
    """Cells uniform in 0..values-1, and a problem of the family by name."""
    at_least(1, n=n)
    at_least(0, m=m)
    at_least(1, values=values)
    rng = random.Random(seed)
    return [[rng.randrange(values) for _ in range(m)] for _ in range(n)], k


def people(_seed: int, k: int = 2) -> Drawn:
    """Seven people, [Chaytor06, Figures 2.6 and 3.1]; Age is the most important."""
    return PEOPLE, k


def tight_forest(
    _seed: int, clusters: int = 5, k: int = 2, cost: str = "columns"
) -> Suppression:
    """Clusters of four records whose nearest ones the forest algorithm joins wrongly.

    Records 00, 01, 10, 11 on two columns, as many copies each as make two records a
    group. The first two columns of the table tell clusters apart.

    - ``columns``: one column is the same for all clusters and would be enough, the
      other is the cluster's own and is what the algorithm deletes: one per cluster.
    - ``per_column``: the other way round, so it suppresses one column of all rows,
      and an optimum the own column of each cluster.
    - ``entries``: 00 and 10 have k or more copies. 01 and 11 belong together, but 01 is
      joined to 00 and 11 to 10, whose copies are suppressed as well: for k = 2 that is
      3k - 3 = 3 times the optimum.
    """
    at_least(2, clusters=clusters, k=k)
    known = ("columns", "per_column", "entries")
    require(cost in known, f"cost: expected one of {', '.join(known)}, got {cost!r}")
    few = (k + 1) // 2
    many = 2 * k - 1 - few if cost == "entries" else few
    table = []
    for c in range(clusters):
        for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
            own = [b if i == c else 0 for i in range(clusters)]
            pair = {"columns": [a, *own], "per_column": [*own, a], "entries": [a, b]}
            copies = few if b else many
            table += [[c, c, *pair[cost]]] * copies
    return Suppression(table, k, minimise=cost, deletion=cost == "columns")


def tight_chain(_seed: int, pairs: int = 5, k: int = 2) -> Suppression:
    """Line up records; the next differs in the last column or in one of its own.

    Each has k / 2 copies, rounded up and down in turns, and the ends k. The forest
    algorithm joins those that differ in the last column and hides it in all n rows.
    Others with the ends alone have k rows each, so no column has more than k hidden.
    """
    at_least(2, pairs=pairs, k=k)
    table = []
    for i in range(2 * pairs):
        flipped = (i + 1) // 2 % 2, i // 2
        copies = k if i in (0, 2 * pairs - 1) else (k + (i + 1) % 2) // 2
        record = [*(int(c < flipped[1]) for c in range(pairs - 1)), flipped[0]]
        table += [record] * copies
    return Suppression(table, k, minimise="per_column")


def worst_spider(seed: int, k: int = 4, cost: str = "entries") -> Suppression:
    """Return the table of `worst-spider` of k-anonymity for a cost: 3k - 4 times it."""
    table = k_anonymity.worst_spider(seed, k).table
    return Suppression(table, k, minimise=cost)


def _posed(
    _seed: int,
    drawn: Drawn,
    variant: str,
    classes: int,
    names: Sequence[str] | None = None,
    **limits: int | None,
) -> Suppression:
    """Return a problem on a table; a limit that is not given is half of the maximum."""
    table, k = drawn
    n, m = len(table), len(table[0])
    named = variant_named(variant)
    most = {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}
    given = {q: limit for q, limit in limits.items() if limit is not None}
    derived = {q: (most[q] + 1) // 2 for q in named.limits}
    orders = {}
    if named.order is not None:
        size = {"rows": n, "columns": m}[named.order]
        message = f"classes: expected 2..{size} for the {named.order}, got {classes}"
        require(2 <= classes <= size, message)
        edges = [size * c // classes for c in range(classes + 1)]
        order = [list(range(low, high)) for low, high in pairwise(edges)]
        orders[f"{named.order.removesuffix('s')}_order"] = order
    all_limits = {**derived, **given}
    return Suppression.named(variant, table, k, all_limits, columns=names, **orders)


def _of_people(
    seed: int, drawn: Drawn, variant: str, classes: int, **limits: int | None
) -> Suppression:
    """Return a problem on a table of people; limits that it has not are left out."""
    taken = variant_named(variant).limits
    own = {q: limit for q, limit in limits.items() if q in taken}
    return _posed(seed, drawn, variant, classes, PEOPLE_COLUMNS, **own)


FAMILIES: Sequence[Family[Suppression]] = (
    Family.made_of(uniform, _posed, {"variant": "MIN-e-SUP", **_LIMITS, "classes": 2}),
    Family.made_of(
        people,
        _of_people,
        {"variant": "c'-PART", **_LIMITS, "per_column": 5, "classes": 4},
    ),
    *families(tight_forest, tight_chain, worst_spider),
)
