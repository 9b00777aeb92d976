"""Restricted Partition into Triangles (RPT), and c'-SUP made of it.

Definition
----------
Given a graph of 3q vertices without four that are all adjacent, do the vertices
partition into q triangles? NP-complete. *MAX TP* asks for the most disjoint triangles.

X3C to RPT [GareyJohnson79, page 68]
------------------------------------
For each of m triples {x, y, z} add nine vertices a_1, ..., a_9 and the edges of seven
triangles: {x, a_1, a_2}, {a_1, a_2, a_3}; {y, a_4, a_5}, {a_4, a_5, a_6};
{z, a_7, a_8}, {a_7, a_8, a_9}; and {a_3, a_6, a_9}. At most four of the seven are
disjoint, and then x, y and z are in three of them; three without x, y and z always are.
So the most disjoint triangles are 3 m + (the most disjoint triples), and a partition is
an exact cover.

c'-SUP as printed: wrong
------------------------
[Chaytor06, Lemma 4.1.8] Rows and columns are the vertices; cell (i, j) is 0 if i = j or
i and j are adjacent, else a symbol of row i alone; k = 3, c' = |V| - 3. *The vertices
partition into triangles iff every column can do with c' suppressed cells.* The proof
mistakes nine zeros that a group keeps for those of a triangle.

"Only if" is right. But a group may keep columns other than those of its own vertices.
K_{3,3} has no triangle at all; each side keeps the three columns of the *other* side,
and every column loses exactly three of its six cells. `KEEPS_OTHERS` is the smallest
graph of this kind, the only one with at most 6 vertices and 9 edges.

c'-SUP, repaired
----------------
Let graphs be *clear* if any three vertices that have three common neighbours, counting
every vertex as its own neighbour, are a triangle. For clear graphs the lemma is right.
A group of three rows or more keeps the common neighbours of its vertices: three if it
is a triangle (a fourth would be adjacent to all), otherwise at most two. So a row keeps
at most three cells. If every column keeps three or more, every row keeps three, and all
groups are triangles.

The graphs made of X3C above are clear: two vertices with three common neighbours are
adjacent there, so three vertices are a triangle. Hence the hardness of c'-SUP stands.
A shorter way is in `exact_cover`.

The metric equation MAX TP = (MIN-c'-SUP + 3) / 3 [proof of Lemma 5.1.2] is right for
clear graphs with a partition only: in clear graphs some column loses |V| - 3 or more,
which stands for |V| / 3 triangles (three vertices without an edge: 2 instead of 0). For
graphs in general no formula in |V| and MIN-c'-SUP can replace it: K_{3,3} and two
triangles have 6 vertices and 3 both.

References
----------
[Chaytor06] sections 4.1.3 and 5.1.3.
[GareyJohnson79] M. R. Garey, D. S. Johnson, "Computers and Intractability".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.exact_cover import Cells, CellTable, ExactCover
from atleastk.instances.reductions.graphs import GraphInstance
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.suppression import Suppression

Triangle = tuple[int, int, int]


@dataclass(frozen=True)
class TrianglePartition(GraphInstance):
    """An instance of RPT: 3q vertices, no four of them all adjacent."""

    problem: ClassVar[str] = "rpt"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vertices % 3:
            raise InvalidInstanceError(
                f"vertices: expected a multiple of 3, got {self.vertices}"
            )
        for u, v, w in triangles(self):
            common = self.neighbours[u] & self.neighbours[v] & self.neighbours[w]
            if common:
                four = sorted((u, v, w, min(common)))
                raise InvalidInstanceError(f"edges: vertices {four} are all adjacent")


@dataclass(frozen=True)
class TrianglePacking(TrianglePartition):
    """An instance of MAX TP: a graph as in RPT."""

    problem: ClassVar[str] = "triangle-packing"


def triangles(graph: GraphInstance) -> Iterator[Triangle]:
    """Yield the triangles of a graph in ascending order."""
    for u, v in graph.edges:
        for w in sorted(graph.neighbours[u] & graph.neighbours[v]):
            if w > v:
                yield u, v, w


KEEPS_OTHERS: Final = TrianglePartition(
    6, [(u, v) for u in range(3) for v in range(3, 6)], name="K_{3,3}"
)
"""The smallest graph that Lemma 4.1.8 is wrong about."""


def clear(problem: TrianglePartition) -> bool:
    """Tell whether any three vertices with three common neighbours are a triangle.

    Every vertex counts as its own neighbour.
    """
    near = [around | {v} for v, around in enumerate(problem.neighbours)]
    return all(
        v in near[u] and w in near[u] and w in near[v]
        for u, v, w in combinations(range(problem.vertices), 3)
        if len(near[u] & near[v] & near[w]) >= 3
    )


def graph_of_triples(problem: ExactCover) -> TrianglePartition:
    """Return the graph that partitions into triangles iff there is an exact cover.

    Vertices 0..n-1 are the elements; each triple in turn adds nine.
    """
    edges: set[tuple[int, int]] = set()
    for j in range(len(problem.sets)):
        for u, v, w in _seven_triangles(problem, j):
            edges |= {(u, v), (u, w), (v, w)}
    return TrianglePartition(
        problem.elements + 9 * len(problem.sets),
        sorted(edges),
        source="reduced from X3C [GareyJohnson79]",
    )


def _seven_triangles(problem: ExactCover, j: int) -> list[Triangle]:
    """Return the triangles of triple j, first the four that can all be chosen."""
    first = problem.elements + 9 * j
    a = range(first, first + 9)
    return [
        *((i, a[3 * t], a[3 * t + 1]) for t, i in enumerate(problem.sets[j])),
        (a[2], a[5], a[8]),
        *((a[3 * t], a[3 * t + 1], a[3 * t + 2]) for t in range(3)),
    ]


def packing_of_triangles(
    problem: ExactCover, found: Collection[Triangle]
) -> tuple[int, ...]:
    """Return the triples that have four of these disjoint triangles."""
    return tuple(
        j
        for j in range(len(problem.sets))
        if all(triangle in found for triangle in _seven_triangles(problem, j)[:4])
    )


def cover_of_triangles(
    problem: ExactCover, found: Collection[Triangle]
) -> tuple[int, ...] | None:
    """Return the exact cover that a partition into triangles is; else None."""
    chosen = packing_of_triangles(problem, found)
    return chosen if len(chosen) == problem.triples else None


def adjacency_table(problem: TrianglePartition) -> CellTable:
    """Return the table of 0 for equal or adjacent vertices, else the row's symbol."""
    return [
        [
            0 if j == i or j in problem.neighbours[i] else i + 1
            for j in range(problem.vertices)
        ]
        for i in range(problem.vertices)
    ]


def to_per_column(problem: TrianglePartition) -> Suppression:
    """Return the c'-SUP of Lemma 4.1.8."""
    limits = {"per_column": problem.vertices - 3}
    return Suppression.named("c'-SUP", adjacency_table(problem), 3, limits)


def to_least_per_column(problem: TrianglePartition) -> Suppression:
    """Return the same table, to lose the fewest cells per column."""
    return Suppression.named("MIN-c'-SUP", adjacency_table(problem), 3)


def kept_triangles(
    problem: TrianglePartition, suppressed: Cells
) -> tuple[Triangle, ...]:
    """Return the triangles whose rows keep exactly their own columns.

    They are disjoint, as a row keeps one set of columns.
    """
    hidden = set(suppressed)
    columns = [
        {j for j in range(problem.vertices) if (i, j) not in hidden}
        for i in range(problem.vertices)
    ]
    return tuple(
        triangle
        for triangle in triangles(problem)
        if all(columns[i] == set(triangle) for i in triangle)
    )


def partition_back(
    problem: TrianglePartition, suppressed: Cells
) -> tuple[Triangle, ...] | None:
    """Return the partition into triangles that a solution is; None if it is not one."""
    found = kept_triangles(problem, suppressed)
    return found if 3 * len(found) == problem.vertices else None


REDUCTIONS: Final = (
    Reduction(
        "X3C",
        "RPT",
        "many-one",
        "[GareyJohnson79] page 68",
        graph_of_triples,
        cover_of_triangles,
    ),
    Reduction(
        "MAX 3SP-B",
        "MAX TP-B",
        "metric",
        "[Chaytor06] Lemma 5.1.2, proof of (4)",
        graph_of_triples,
        packing_of_triangles,
        claim="MAX 3SP-B = MAX TP-B - 3 m",
        cost=lambda problem, most: most - 3 * len(problem.sets),
    ),
    Reduction(
        "RPT",
        "c'-SUP",
        "many-one",
        "[Chaytor06] Lemma 4.1.8",
        to_per_column,
        partition_back,
    ),
    Reduction(
        "RPT",
        "c'-SUP",
        "many-one",
        "instead of [Chaytor06] Lemma 4.1.8",
        to_per_column,
        partition_back,
        hypotheses="three vertices with three common neighbours, counting every vertex "
        "as its own, are a triangle",
        applies=clear,
        repaired=True,
    ),
    Reduction(
        "MAX TP-B",
        "MIN-c'-SUP",
        "metric",
        "[Chaytor06] Lemma 5.1.2, proof of (4)",
        to_least_per_column,
        kept_triangles,
        claim="MAX TP-B = (MIN-c'-SUP + 3) / 3",
        cost=lambda _problem, per_column: Fraction(per_column + 3, 3),
    ),
)
"""As printed, and with the hypothesis that Lemma 4.1.8 needs."""
