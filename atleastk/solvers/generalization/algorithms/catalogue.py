"""Generalisation: the algorithms of the papers.

==========  ==================================================================
datafly     raise the column of most distinct labels until k-anonymous
samarati    binary search for the least height with a k-anonymous node
forest      on entries: trees of near rows, cut into parts
==========  ==================================================================

*Datafly* [Sweeney02, section 6.1] promises nothing. Of columns with equally many labels
the first is raised.

*Samarati* [Samarati01, section 5] finds a k-anonymous node of least height: if there is
none at some height, there is none below it. The node that is found first, of those of
the least height, is taken.

Both find nodes of the lattice; on entries, their classes are groups, each at the least
levels at which it is equal.

*Forest* [Aggarwal05] is approx-gr of suppression on the expanded table, where every
level of a column is a column: by :mod:`~atleastk.models.tables.pseudo_columns` its
promise carries over to generalisation.

All are deterministic: the seed has no effect. A table of fewer than k rows is one
group, which the checker refuses.

As printed
----------
Datafly stops as soon as the rows in classes below k are k or fewer, and deletes them;
here as many may be suppressed as the instance allows, none by default. Samarati's
search has such an allowance in print, too. Suppressed rows need k equals themselves
here, in neither text.

References
----------
[Sweeney02] L. Sweeney, "Achieving k-Anonymity Privacy Protection Using Generalization
and Suppression", IJUFKS 10(5), 2002.
[Samarati01] P. Samarati, "Protecting Respondents' Identities in Microdata Release",
IEEE TKDE 13(6), 2001.
[Aggarwal05] G. Aggarwal et al., "Anonymizing Tables", ICDT 2005.
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006, section 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import (
    classes_on_entries,
    completed,
    solution_of_levels,
)
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.models.results.solution import Solution
from atleastk.models.tables.pseudo_columns import expanded
from atleastk.solvers.generalization.boxes import Levels
from atleastk.solvers.generalization.counting import Counter
from atleastk.solvers.generalization.refusals import (
    refuses_attributes,
    refuses_more_than_k,
)
from atleastk.solvers.k_anonymity.algorithms.catalogue import approx_gr
from atleastk.solvers.method import Algorithm

_MOST_NODES: Final = 200_000
"""All nodes of some heights are counted."""
_MOST_COLUMNS: Final = 1_000
"""Pseudo-columns of a row, at most: the table in memory grows with them."""


def datafly(instance: Generalization, _seed: int = 0) -> Solution:
    """Raise the column of most distinct labels until the table is k-anonymous."""
    counter = Counter(instance)
    levels = (0,) * instance.m
    widths = [
        [int(codes.max(initial=-1)) + 1 for codes in labels]
        for labels in instance.labels
    ]
    while counter.count(levels).refused and levels != instance.heights:
        free = [j for j in range(instance.m) if levels[j] < instance.heights[j]]
        raised = max(free, key=lambda j: widths[j][levels[j]])
        levels = tuple(x + (j == raised) for j, x in enumerate(levels))
    return _solution(instance, levels)


def samarati(instance: Generalization, _seed: int = 0) -> Solution:
    """Find a k-anonymous node of least height by binary search."""
    counter = Counter(instance)
    best: Levels = instance.heights
    low, high = 0, sum(instance.heights)
    while low < high:
        middle = (low + high) // 2
        found = next(
            (
                levels
                for levels in _of_height(instance.heights, middle)
                if not counter.count(levels).refused
            ),
            None,
        )
        if found is None:
            low = middle + 1
        else:
            best, high = found, middle
    return _solution(instance, best)


def forest(instance: Generalization, _seed: int = 0) -> Solution:
    """Cut trees of near rows into parts, on the expanded table."""
    return completed(instance, approx_gr(expanded(instance)))


def _solution(instance: Generalization, levels: Sequence[int]) -> Solution:
    if instance.on == "attributes":
        return solution_of_levels(instance, levels)
    return classes_on_entries(instance, levels)


def _of_height(heights: Sequence[int], total: int) -> Iterator[Levels]:
    every = product(*(range(height + 1) for height in heights))
    return (levels for levels in every if sum(levels) == total)


def _refuses_lattice(instance: Generalization) -> str | None:
    if instance.nodes > _MOST_NODES:
        return f"the lattice has {instance.nodes} nodes; it takes {_MOST_NODES}"
    return refuses_more_than_k(instance)


def refuses_forest(instance: Generalization) -> str | None:
    """Say why an instance is not one for `forest`, or None if it is."""
    reason = refuses_attributes(instance) or refuses_more_than_k(instance)
    if reason is not None:
        return reason
    if instance.expanded_columns > _MOST_COLUMNS:
        return f"its levels count {instance.expanded_columns}; it takes {_MOST_COLUMNS}"
    return None


def _asks_height_of_attributes(instance: Generalization) -> bool:
    height = (instance.on, instance.loss) == ("attributes", "height")
    return height and len(set(instance.weights)) <= 1


def _is_plain_on_entries(instance: Generalization) -> bool:
    plain = instance.row_weights is None and not instance.most_dropped
    return instance.on == "entries" and plain


def _of_trees(instance: Generalization) -> int:
    return 3 * instance.k - 3


MINIMAL_HEIGHT = Guarantee(
    statement="cost = OPT",
    theorem="[Samarati01] section 5",
    ceiling=Times(1),
    hypotheses="it is on attributes, the loss is height, and columns weigh the same",
    applies=_asks_height_of_attributes,
)

OF_THE_EXPANDED_TABLE = Guarantee(
    statement="cost <= (3k - 3) * OPT",
    theorem="[Chaytor06] Lemma 5.3.1 on the expanded table",
    ceiling=Times(_of_trees),
    hypotheses="it is on entries, its rows have no weights, and none may be dropped",
    applies=_is_plain_on_entries,
)

ALGORITHMS: Sequence[Algorithm[Generalization]] = (
    Algorithm(
        "datafly",
        "Raise the column of most distinct labels",
        datafly,
        refuses=refuses_more_than_k,
    ),
    Algorithm(
        "samarati",
        "Binary search for the least height with a k-anonymous node",
        samarati,
        MINIMAL_HEIGHT,
        _refuses_lattice,
    ),
    Algorithm(
        "forest",
        "On entries: trees of near rows, cut into parts",
        forest,
        OF_THE_EXPANDED_TABLE,
        refuses_forest,
    ),
)
