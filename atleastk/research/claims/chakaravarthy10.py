"""The claims of [Chakaravarthy10]: k-anonymity with few columns.

[Chakaravarthy10] V. T. Chakaravarthy, V. Pandit, Y. Sabharwal, "On the Complexity of
the k-Anonymization Problem", 2010.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.reductions.vertex_cover import (
    BASE_COSTS,
    REDUCTIONS,
    CubicVertexCover,
    base_cost,
    cover_back,
    to_k_anonymity,
)
from atleastk.models.k_anonymity import cells_of, check, suppressed
from atleastk.models.results.solution import Solution
from atleastk.packages import nx
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.sources import objection
from atleastk.research.claims.trials import (
    cases,
    example,
    fared,
    least_cost,
    optimum_of,
)
from atleastk.runs import api
from atleastk.solvers.brute_force import k_anonymity as judge
from atleastk.solvers.brute_force.combinatorial import (
    is_vertex_cover,
    least_vertex_cover,
)

_CUBIC: Final = "random cubic graphs of 4 and 6 vertices"
_SYMBOLS: Final = "1 to 3 symbols and columns, up to 6 rows"
_TABLES: Final = "tables of k to 7 rows, 1 to 3 columns of 2 or 3 values, k = 2, 3"


def _graph(rng: Random, *sizes: int) -> CubicVertexCover:
    n = rng.choice(sizes or (4, 6))
    edges = nx.random_regular_graph(3, n, seed=rng.randrange(2**31)).edges
    return CubicVertexCover(n, tuple(sorted(tuple(sorted(edge)) for edge in edges)))


def _table(rng: Random) -> KAnonymity:
    k, values = rng.choice([2, 2, 3]), rng.choice([2, 3])
    n, m = rng.randint(k, 7), rng.randint(1, 3)
    return KAnonymity([[rng.randrange(values) for _ in range(m)] for _ in range(n)], k)


def _reduces(kind: str) -> Trial:
    (reduction,) = (r for r in REDUCTIONS if r.kind == kind)
    return cases(_CUBIC, _graph, partial(objection, reduction))


def _no_cover_back(graph: CubicVertexCover) -> str | None:
    """Claim 4: every solution gives a cover of no more than it costs extra."""
    table = to_k_anonymity(graph)
    for name in ("approx-cf", "approx-dr", "approx-gr"):
        made = api.approximate(table, name)
        assert made.cost is not None
        assert made.solution is not None
        cover = cover_back(graph, cells_of(suppressed(table, made.solution)))
        extra = made.cost - base_cost(graph)
        if not is_vertex_cover(graph, cover) or len(cover) > extra:
            return f"{name}: extra {extra}, {cover}"
    return None


def _patterns_miss(instance: KAnonymity) -> str | None:
    """Compare the program over patterns with all partitions."""
    best = judge.optimum(instance)
    found = api.solve(instance, method="patterns", workers=1).cost
    wanted = None if best is None else best[0]
    return None if found == wanted else f"patterns {found}, partitions {wanted}"


def _rare_rows_cost_more(instance: KAnonymity) -> str | None:
    """Suppress rows of less than k equals, and others up to k; compare with 2m OPT."""
    rows, k = [tuple(row) for row in instance.table], instance.k
    classes = Counter(rows)
    hidden = sum(size for size in classes.values() if size < k)
    if 0 < hidden < k:
        need = k - hidden
        hidden += min(
            need if size >= k + need else size for size in classes.values() if size >= k
        )
    optimum = least_cost(instance)
    return f"{hidden} rows, the optimum {optimum}" if hidden > 2 * optimum else None


def _figure_1() -> object:
    table = [("x", "a", "b"), ("z", "c", "d"), ("y", "a", "b"), ("z", "c", "e")]
    return optimum_of(KAnonymity(table, 2))


def _groups_of_cover(
    graph: CubicVertexCover, cover: Collection[int]
) -> list[list[int]]:
    """Return the groups that the text makes of a cover, by the rows' numbers.

    A row (0, u, v) of an edge that it does not cover is with the rows (?, u, ?).

    A vertex has 20 rows, in the order of the text; then come two rows for every edge,
    and two blocks of seven dummy rows.
    """
    edges = range(20 * graph.vertices, 20 * graph.vertices + 2 * len(graph.edges))
    dummies = [list(range(start, start + 7)) for start in (edges.stop, edges.stop + 7)]
    of_vertex = {
        vertex: [20 * vertex + place for place in range(20)]
        for vertex in range(graph.vertices)
    }
    columns: dict[int, tuple[list[int], list[int]]] = {u: ([], []) for u in cover}
    for number, (u, v) in enumerate(graph.edges):
        there, back = edges[2 * number], edges[2 * number + 1]
        if not {u, v} & columns.keys():
            of_vertex[u].append(there)
            of_vertex[v].append(back)
            continue
        rows = (there, back) if u in columns else (back, there)
        for column, row in zip(columns[u if u in columns else v], rows, strict=True):
            column.append(row)
    groups = dummies
    for vertex, own in of_vertex.items():
        equal, critical, apart = own[:6], own[6], own[7:14] + own[20:]
        if vertex not in columns:
            groups += [[*equal, critical], apart]
            dummies[0] += own[14:17]
            dummies[1] += own[17:20]
        else:
            left, right = columns[vertex]
            groups += [[*equal[:3], *left, *own[14:17]], [*apart, critical]]
            groups.append([*equal[3:], *right, *own[17:20]])
    return groups


def _of_own_edge(graph: CubicVertexCover, vertices: Sequence[int]) -> set[int]:
    """Drop vertices in turn whose edges all have another end among the others."""
    chosen = set(vertices)
    for u in vertices:
        if all(chosen & set(edge) - {u} for edge in graph.edges if u in edge):
            chosen.remove(u)
    return chosen


def _dearer_than_cover(rng: Random) -> str | None:
    """Claim 1: make the groups of a cover, each vertex of which has its own edge."""
    graph = _graph(rng)
    cover = _of_own_edge(graph, rng.sample(range(graph.vertices), graph.vertices))
    table = to_k_anonymity(graph)
    made = Solution.of(_groups_of_cover(graph, cover))
    cost = check(table, made).cost
    most = base_cost(graph) + len(cover)
    right = cost is not None and cost <= most
    return None if right else f"{graph.to_dict()}: cover {cover}, cost {cost}"


def _disturbed(rng: Random) -> tuple[CubicVertexCover, list[list[int]], Counter[int]]:
    """Draw a graph, groups of its table, and what each row costs in them.

    They are the groups of some vertices, be it a cover or not; some rows move to
    another group or change places, so that seven stay in each.
    """
    graph = _graph(rng)
    chosen = rng.sample(range(graph.vertices), rng.randint(0, graph.vertices))
    groups = _groups_of_cover(graph, _of_own_edge(graph, chosen))
    for _ in range(rng.randint(0, 6)):
        here, there = rng.sample(groups, 2)
        at, to = rng.randrange(len(here)), rng.randrange(len(there))
        if len(here) > 7 and rng.random() < 0.5:
            there.append(here.pop(at))
        else:
            here[at], there[to] = there[to], here[at]
    table = to_k_anonymity(graph)
    made = suppressed(table, Solution.of(groups))
    return graph, groups, Counter(row for row, _ in cells_of(made))


def _critical_elsewhere(rng: Random) -> str | None:
    """Claim 2: look for a critical row of no extra cost with rows of other kinds."""
    graph, groups, costs = _disturbed(rng)
    for critical in range(6, 20 * graph.vertices, 20):
        (group,) = (group for group in groups if critical in group)
        if costs[critical] == 1 and set(group) != {*range(critical - 6, critical + 1)}:
            return f"{graph.to_dict()}: {critical} in {group}"
    return None


def _cheap_edge(rng: Random) -> str | None:
    """Claim 3: look for an edge of perfect ends with a row that costs less than 2."""
    graph, groups, costs = _disturbed(rng)
    perfect = {
        u
        for u in range(graph.vertices)
        if all(costs[20 * u + i] == base for i, base in enumerate(BASE_COSTS))
    }
    rows = range(20 * graph.vertices, 20 * graph.vertices + 2 * len(graph.edges))
    for number, edge in enumerate(graph.edges):
        cost = min(costs[row] for row in rows[2 * number : 2 * number + 2])
        if perfect >= set(edge) and cost < 2:
            return f"{graph.to_dict()}: {edge} in {groups}"
    return None


def _beyond_63(rng: Random) -> str | None:
    """Compare the optimum of a table with 63 times that of a cover of seven or more."""
    graph = _graph(rng, 12, 14)
    cover = len(least_vertex_cover(graph))
    least = base_cost(graph) + cover
    return f"{least} > 63 * {cover}" if cover >= 7 and least > 63 * cover else None


def _miscounted(rng: Random) -> str | None:
    """Count the patterns, the variables, and the patterns that match some row."""
    symbols, m = "abc"[: rng.randint(1, 3)], rng.randint(1, 3)
    s = len(symbols)
    rows = list(product(symbols, repeat=m))
    patterns = list(product([*symbols, "*"], repeat=m))
    variables = [(p, t) for p in patterns for t in rows if _matches(t, p)]
    if len(patterns) != (s + 1) ** m or len(variables) != (2 * s) ** m:
        return f"{s} symbols, m = {m}: {len(patterns)} and {len(variables)}"
    table = rng.choices(rows, k=rng.randint(1, 6))
    useful = sum(any(_matches(t, p) for t in table) for p in patterns)
    return f"{table}: {useful}" if useful > len(table) * 2**m else None


def _matches(row: Sequence[str], pattern: Sequence[str]) -> bool:
    return all(p in ("*", t) for p, t in zip(pattern, row, strict=True))


TRIALS: Final[Mapping[str, Trial]] = {
    "Figure 1": example(_figure_1, 4),
    "Theorem 3.1": _reduces("metric"),
    "Claim 1": Trial(_CUBIC, _dearer_than_cover),
    "Claim 2": Trial(_CUBIC, _critical_elsewhere),
    "Claim 3": Trial(_CUBIC, _cheap_edge),
    "Claim 4": cases(_CUBIC, _graph, _no_cover_back),
    "Theorem 3.2": _reduces("L"),
    "Corollary 3.3": Trial("random cubic graphs of 12 and 14 vertices", _beyond_63),
    "Corollary 3.3, factor 63": _reduces("L"),
    "section 4, patterns": Trial(_SYMBOLS, _miscounted),
    "section 4, variables": Trial(_SYMBOLS, _miscounted),
    "section 4, large alphabets": Trial(_SYMBOLS, _miscounted),
    "section 4, program": cases(_TABLES, _table, _patterns_miss),
    "section 5, all cells": cases(_TABLES, _table, _rare_rows_cost_more),
}

EVIDENCE: Final[Mapping[str, str]] = {
    number: fared(f"[Chakaravarthy10] {number}")
    for number in ("Theorem 3.1", "Theorem 3.2")
}
