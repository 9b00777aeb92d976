"""Vertex cover of cubic graphs, and k-anonymity with 3 columns and k = 7.

Definition
----------
Every vertex of a *cubic* graph has three neighbours. Find the fewest vertices such that
every edge has one of them. NP-hard and MAX SNP-hard [AlimontiKann97].

The table [Chakaravarthy10, Theorem 3.1]
----------------------------------------
A question mark stands for a symbol that occurs nowhere else. k = 7, and the rows are

====================  ====================================  =========
of                    rows                                  base cost
====================  ====================================  =========
each vertex u         six (0, u, u)                         1 each
..                    the *critical* row (?, u, u)          1
..                    seven (?, u, ?)                       2 each
..                    three (0, u, Z), three (0, Z, u)      1 each
each edge xy          (0, x, y) and (0, y, x)               1 each
..                    seven (0, ?, Z), seven (0, Z, ?)      1 each
====================  ====================================  =========

No row ever costs less than its base cost; what it costs beyond is *extra*. With r
vertices the base costs are 27 r + 2 |E| + 14 in total, and the claim is

    MIN-e = 27 r + 2 |E| + 14 + (the fewest vertices of a cover).

- From a cover: attach every edge to one of its vertices in the cover. Critical rows of
  the cover join the seven (?, u, ?) and cost one more, which frees six (0, u, u) for
  two groups with the edge rows attached to u.
- Back: the *imperfect* vertices, one of whose 20 rows costs extra, and one end of every
  edge that is left. If both ends x and y are perfect, the critical rows are with all
  of their (0, x, x) and (0, y, y); only six rows then match (0, x, *), or (0, *, y), or
  (0, x, y) itself is alone: it costs extra. So the cover has at most as many vertices
  as the extra cost.

An L-reduction [Chakaravarthy10, Theorem 3.2], said to be easy and not written down
----------------------------------------------------------------------------------
beta = 1 by the above. A vertex covers 3 of the 3r/2 edges, so VC >= r/2, and MIN-e =
30 r + 14 + VC <= 61 VC + 14. As VC >= 3 (r/2 from six vertices on, and 3 for K_4),
alpha = 61 + 14/3. It is attained by K_{3,3}, whose MIN-e is 197 = 65 2/3 * 3.

Corollary 3.3 there derives, from a hard gap of 100/99 for VC, a hard factor of
6238/6237 = 1 + 1/(99 * 63) here. That takes MIN-e <= 63 VC, which K_{3,3} and others
violate, but which holds for VC >= 7. As small covers are easy, the corollary stands;
and as 14 / VC vanishes, any factor below 6040/6039 = 1 + 1/(99 * 61) is hard.

References
----------
[Chakaravarthy10] section 3.
[AlimontiKann97] P. Alimonti, V. Kann, "Hardness of approximating problems on cubic
graphs", CIAC 1997.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count
from typing import ClassVar, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.reductions.exact_cover import Cells
from atleastk.instances.reductions.graphs import GraphInstance
from atleastk.instances.reductions.reduction import Reduction

_ROWS_OF_VERTEX: Final = 20
"""Rows of the table for each vertex, as the paper has it."""

BASE_COSTS: Final = (1,) * 7 + (2,) * 7 + (1,) * 6
"""The least cost of each row of a vertex, in suppressed cells."""


@dataclass(frozen=True)
class CubicVertexCover(GraphInstance):
    """An instance of vertex cover: a graph whose vertices have three neighbours."""

    problem: ClassVar[str] = "cubic-vertex-cover"

    def __post_init__(self) -> None:
        super().__post_init__()
        for u, around in enumerate(self.neighbours):
            if len(around) != 3:
                raise InvalidInstanceError(
                    f"edges: expected three at every vertex, got {len(around)} at {u}"
                )


def base_cost(problem: CubicVertexCover) -> int:
    """Return 27 r + 2 |E| + 14, what any solution costs at least."""
    return 27 * problem.vertices + 2 * len(problem.edges) + 14


def alpha(cover: int) -> Fraction:
    """Return the factor that MIN-e is within, of a least cover of this size."""
    return 61 + Fraction(14, cover)


def to_k_anonymity(problem: CubicVertexCover) -> KAnonymity:
    """Return the k-anonymity of Theorem 3.1: three columns, k = 7."""
    table = list(_rows(problem))
    return KAnonymity(table, 7, source="reduced from vertex cover [Chakaravarthy10]")


def cover_back(problem: CubicVertexCover, suppressed: Cells) -> tuple[int, ...]:
    """Return a vertex cover of at most as many vertices as the solution costs extra.

    For any solution: imperfect vertices, and the first end of every edge left.
    """
    costs = Counter(row for row, _ in set(suppressed))
    cover = {
        u
        for u in range(problem.vertices)
        if any(
            costs[_ROWS_OF_VERTEX * u + i] > base for i, base in enumerate(BASE_COSTS)
        )
    }
    left = {u for u, v in problem.edges if u not in cover and v not in cover}
    return tuple(sorted(cover | left))


def _rows(problem: CubicVertexCover) -> Iterator[tuple[str | int, ...]]:
    """Yield the rows of all vertices in turn, then of the edges, then the others."""
    fresh = (f"?{i}" for i in count())
    for vertex in range(problem.vertices):
        u = f"v{vertex}"
        yield from ((0, u, u) for _ in range(6))
        yield next(fresh), u, u
        yield from ((next(fresh), u, next(fresh)) for _ in range(7))
        yield from ((0, u, "Z") for _ in range(3))
        yield from ((0, "Z", u) for _ in range(3))
    for x, y in problem.edges:
        yield 0, f"v{x}", f"v{y}"
        yield 0, f"v{y}", f"v{x}"
    yield from ((0, next(fresh), "Z") for _ in range(7))
    yield from ((0, "Z", next(fresh)) for _ in range(7))


_covering = partial(
    Reduction,
    "VC-3",
    "k-ANONYMITY",
    forward=to_k_anonymity,
    back=cover_back,
    cost=lambda problem, entries: entries - base_cost(problem),
)

REDUCTIONS: Final = (
    _covering(
        "metric",
        "[Chakaravarthy10] Theorem 3.1",
        claim="VC-3 = MIN-e - (27 r + 2 e + 14), e edges",
    ),
    _covering(
        "L",
        "[Chakaravarthy10] Theorem 3.2",
        claim="MIN-e <= (61 + 14 / VC-3) VC-3, beta = 1",
        alpha=lambda _problem, cover: alpha(cover),
    ),
)
"""The claims of section 3, which are right."""
