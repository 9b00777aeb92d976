"""Tests of reductions to tables, on one instance of their source.

The source (exact covers, packings, triangles, vertex covers) is solved by plain search;
the target by the package with a proof, and by brute force too where its table is small
enough. The answers yes and no are compared, the optimum with the formula, and the
solution that is mapped back with the source.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.triangle_partition import TrianglePartition
from atleastk.instances.reductions.vertex_cover import CubicVertexCover
from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import check, solution_of_groups
from atleastk.research.claims.trials import solved
from atleastk.research.reducing import carried
from atleastk.solvers.brute_force import suppression as brute_force
from atleastk.solvers.brute_force.combinatorial import (
    exact_covers,
    is_vertex_cover,
    largest_packing,
    least_vertex_cover,
    most_disjoint_triangles,
)

Groups = list[list[int]]
Rows = Sequence[Sequence[str | int]]


def objection(reduction: Reduction, instance: Any) -> str | None:
    """Return why an instance refutes a reduction; None if it does not."""
    if reduction.kind == "many-one":
        return _answers(reduction, instance)
    if reduction.kind == "L" and isinstance(instance, ExactCover):
        return _ratios(reduction, instance)
    return _optima(reduction, instance)


def _answers(reduction: Reduction, instance: Any) -> str | None:
    """Compare the answers of source and image, and map a solution back."""
    yes = answer_of_source(instance)
    target = reduction.forward(instance)
    if isinstance(target, TrianglePartition):
        answers, shown = answer_of_source(target), "the graph"
        back = reduction.back(instance, most_disjoint_triangles(target))
    else:
        ((quantity, limit),) = target.limits.items()
        least, groups = optimum(target, quantity)
        solution = solution_of_groups(target, groups)
        answers, shown = least <= limit, f"{quantity} = {least} within {limit}"
        back = reduction.back(instance, solution.suppressed)
        if check(target, solution).feasible != answers:
            return f"the checker does not agree about {groups}"
    if answers != yes:
        return f"it answers {_word(yes)}, but {shown} answers {_word(answers)}"
    if (back is not None) != yes:
        return f"what comes back is {back}"
    if yes and measured(instance, back) != optimum_of_source(instance):
        return f"{back} is no solution"
    return None


def answer_of_source(instance: Any) -> bool:
    """Tell whether there is an exact cover, or a partition into triangles."""
    if isinstance(instance, ExactCover):
        return any(exact_covers(instance.sets, instance.elements))
    found = most_disjoint_triangles(instance)
    vertices: int = instance.vertices
    return 3 * len(found) == vertices


def _optima(reduction: Reduction, instance: Any) -> str | None:
    """Compare the optimum with the formula of the optimum of the image."""
    target = reduction.forward(instance)
    if isinstance(target, TrianglePartition):
        found: Sequence[Any] = most_disjoint_triangles(target)
        least = len(found)
    else:
        least, groups = optimum(target, getattr(target, "minimise", "entries"))
        found = carried(target, Solution.of(groups))
    assert reduction.cost is not None, "only many-one reductions have no formula"
    claimed = reduction.cost(instance, least)
    best = optimum_of_source(instance)
    if claimed != best:
        return f"the optimum is {best}, not {claimed} as {reduction.target} = {least}"
    if reduction.alpha is not None and least > reduction.alpha(instance, best) * best:
        return f"{least} is more than {reduction.alpha(instance, best)} * {best}"
    size = measured(instance, reduction.back(instance, found))
    return None if size == best else f"the way back gives {size} instead of {best}"


def _ratios(reduction: Reduction, instance: ExactCover) -> str | None:
    """Check alpha, and beta = 1 for all sets of columns that can be deleted."""
    target = reduction.forward(instance)
    best = optimum_of_source(instance)
    sets = list(column_sets(target.table, target.k))
    least = target.m - max(map(len, sets))
    assert reduction.alpha is not None, "L-reductions from outside have one"
    factor = reduction.alpha(instance, best)
    if least > factor * best:
        return f"MIN-c-DEL = {least}, more than {factor} * {best}"
    for columns in sets:
        others = [j for j in range(target.m) if j not in columns]
        hidden = [(i, j) for i in range(target.n) for j in others]
        size = measured(instance, reduction.back(instance, hidden))
        if best - size > (target.m - len(columns)) - least:
            return f"columns {columns} are {size} triples: beta is more than 1"
    return None


def optimum_of_source(instance: Any) -> int:
    """Return the size of a best solution."""
    if isinstance(instance, ExactCover):
        return len(largest_packing(instance.sets))
    if isinstance(instance, CubicVertexCover):
        return len(least_vertex_cover(instance))
    return len(most_disjoint_triangles(instance))


def measured(instance: Any, solution: Sequence[Any]) -> float:
    """Return the size of a solution of a source, NaN if it is none."""
    if isinstance(instance, CubicVertexCover):
        return len(solution) if is_vertex_cover(instance, solution) else math.nan
    triples = (
        [instance.sets[j] for j in solution]
        if isinstance(instance, ExactCover)
        else solution
    )
    return len(triples) if len(largest_packing(triples)) == len(triples) else math.nan


@cache
def optimum(target: KAnonymity, quantity: str) -> tuple[int, Groups]:
    """Return the least of a quantity, without other limits, and the groups.

    Raise `RuntimeError` if brute force takes the table, and finds another optimum.
    """
    asked = target
    if isinstance(target, Suppression):
        asked = Suppression(
            target.table, target.k, minimise=quantity, deletion=target.deletion
        )
    cost, solution = solved(asked)
    assert cost is not None, "without limits everything can be suppressed"
    assert solution is not None, "an optimum has a solution"
    if isinstance(asked, Suppression):
        with suppress(NotApplicableError):
            least = brute_force.optimum(asked)
            if least != cost:
                raise RuntimeError(f"{asked.to_dict()}: {cost}, by brute force {least}")
    return cost, [list(group) for group in solution.groups]


def column_sets(
    table: Rows, k: int, columns: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield all sets of columns that are k-anonymous without the others.

    They begin with `columns`. A superset distinguishes more rows, so sets that fail are
    not extended.
    """
    looks = Counter(tuple(row[j] for j in columns) for row in table)
    if min(looks.values()) >= k:
        yield columns
        for j in range(max(columns, default=-1) + 1, len(table[0])):
            yield from column_sets(table, k, (*columns, j))


def _word(yes: bool) -> str:
    return "yes" if yes else "no"
