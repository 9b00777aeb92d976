"""Small instances of the suppression family: all there are, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product

from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import Variant
from atleastk.research.adversary.tiny import renamed_columns
from atleastk.research.claims.chaytor06.web import most_of

Table = tuple[tuple[str, ...], ...]
Order = tuple[tuple[int, ...], ...]


def tables_of(n: int, m: int) -> list[Table]:
    """Return all tables of n x m, one of all that are alike.

    A column matters by which of its cells are equal only.
    """
    seen: dict[tuple[tuple[int, ...], ...], None] = {}
    for chosen in combinations_with_replacement(renamed_columns(n), m):
        forms = (
            tuple(sorted(_renamed([column[i] for i in order]) for column in chosen))
            for order in permutations(range(n))
        )
        seen.setdefault(min(forms))
    return [
        tuple(tuple("abcdefgh"[column[i]] for column in table) for i in range(n))
        for table in seen
    ]


def _renamed(column: Sequence[int]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(value, len(names)) for value in column)


@lru_cache
def orders_of(count: int) -> tuple[Order, ...]:
    """Return all importance orders: ordered partitions into two classes or more."""
    return tuple(
        tuple(tuple(i for i in range(count) if ranks[i] == r) for r in range(classes))
        for classes in range(2, count + 1)
        for ranks in product(range(classes), repeat=count)
        if len(set(ranks)) == classes
    )


def instances_of(variant: Variant, table: Table, k: int) -> Iterator[Suppression]:
    """Give the instances of a problem on a table: all orders and limits."""
    bare = Suppression(table, k)
    most = most_of(bare)
    limits = [
        [*range(most[q] + 2), *([bare.n + k] if q == "rows" and k > 1 else [])]
        for q in variant.limits
    ]
    side = {"rows": bare.n, "columns": bare.m, None: 0}[variant.order]
    for order in orders_of(side) if variant.order else (None,):
        orders = {} if order is None else {f"{str(variant.order)[:-1]}_order": order}
        for chosen in product(*limits):
            yield Suppression.named(
                str(variant),
                table,
                k,
                dict(zip(variant.limits, chosen, strict=True)),
                **orders,
            )


def random_table(rng: random.Random) -> Table:
    n, m = rng.choice([(3, 3), (4, 3), (3, 4), (5, 2), (5, 3), (6, 2), (7, 2), (2, 5)])
    return tuple(tuple(rng.choice("abc") for _ in range(m)) for _ in range(n))
