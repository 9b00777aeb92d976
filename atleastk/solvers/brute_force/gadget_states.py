"""The states of gadgets: brute force for reductions that are made of them.

A gadget has inner items, which its groups must cover once, and outer items, which they
may cover. A *state* is a set of outer items that some disjoint groups cover together
with all inner ones; a group belongs to the gadget if it has an inner item. All ways are
tried, so the states found are exactly those that are possible.

With no outer items these are all exact covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

Group = frozenset[int]
Location = tuple[int, int]


def covers(groups: Iterable[Group], inner: Collection[int]) -> Iterator[list[Group]]:
    """Yield all sets of disjoint groups that cover every inner item.

    Every group of such a set has an inner item. The item with the fewest groups left
    comes first.
    """
    wanted = frozenset(inner)
    pending: list[tuple[list[Group], Group, list[Group]]] = [
        ([], wanted, [group for group in groups if group & wanted])
    ]
    while pending:
        chosen, left, usable = pending.pop()
        if not left:
            yield chosen
            continue
        holding = Counter(item for group in usable for item in group)
        rarest = min(left, key=lambda item: (holding[item], item))
        for group in usable:
            if rarest in group:
                apart = [other for other in usable if not other & group]
                pending.append(([*chosen, group], left - group, apart))


def states(groups: Iterable[Group], inner: Collection[int]) -> Counter[Group]:
    """Return every state of a gadget, and in how many ways it comes about."""
    wanted = frozenset(inner)
    return Counter(
        frozenset(item for group in chosen for item in group) - wanted
        for chosen in covers(groups, inner)
    )


def connected_triples(neighbours: Sequence[Iterable[int]]) -> set[Group]:
    """Return all sets of three nodes of a graph that are connected."""
    return {
        frozenset((*pair, middle))
        for middle, around in enumerate(neighbours)
        for pair in combinations(around, 2)
    }


def boxes_of_weight(
    cells: Mapping[Location, int], weight: int
) -> list[frozenset[Location]]:
    """Return all boxes of locations, all of them given, of this weight in all."""
    found = []
    for x, y in cells:
        right, first = x, cells[x, y]
        while first <= weight:
            across = range(x, right + 1)
            top, total = y, first
            while total <= weight:
                if total == weight:
                    found.append(frozenset(product(across, range(y, top + 1))))
                top += 1
                if any((i, top) not in cells for i in across):
                    break
                total += sum(cells[i, top] for i in across)
            right += 1
            if (right, y) not in cells:
                break
            first += cells[right, y]
    return found
