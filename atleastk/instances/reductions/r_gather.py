"""3-SAT, and r-gather made of it.

The graph of a formula [Aggarwal10, section 2.1]
------------------------------------------------
For every variable two points, *true* and *false*, an edge between them, and r - 2
points that are joined to both; for every clause a point that is joined to the points of
its literals. Distances are those in the graph. With r > 6,

    the formula is satisfiable iff the points gather within radius 1:

- A true literal has its own point, the other of its variable, the r - 2 between them,
  and clauses: r or more. Every clause is next to a true literal.
- Of radius 1 only points of literals are centres: a clause has three neighbours at
  most, and the points between have two. The r - 2 have to go to one of the two of their
  variable. Both cannot be centres, since together they reach r points and six clauses
  at most: r + 6 < 2 r. So the centres are an assignment that satisfies every clause.

The next distance is 2, so no algorithm guarantees less than twice the optimum unless
P = NP (three halves, with centres anywhere).

*Centres have to be points*, "input" or "member". With centres "any", `ALL_FOUR` - which
nothing satisfies - gathers within radius 1, diameter 2, whatever r is: (1 2) and (-1 2)
share a literal, so they can join all that is of variable 1, and the other two clauses
all that is of variable 2.

*Centres anywhere, repaired*: diameter 2 iff satisfiable, else 3 or more, if r >= 14 and
no two clauses that share a literal have complementary ones (`ThreeSat.separated`). Of
diameter 2, clusters without points between have at most 13: a clause, its literals,
their complements, and two more clauses for each literal; or, without clauses, 8. So
each has points between of one variable, with all of its clauses; and no two clusters of
those of the same, as r + 6 < 2 r. Two clauses with complementary literals are at
distance 3, so those of a cluster agree on its variable. Any formula can be made so:
give each occurrence of a variable, at least three, a copy x_j of its own, and add
clauses (x_j or not x_j+1) around.

*r > 6 is needed.* `SMALL_R` holds, for r = 3, ..., 6, formulas that nothing satisfies
and whose points gather within radius 1: both literals of a variable are centres. For
r = 2 the problem is polynomial.

*Where no path leads* the text names no distance. As it has to be a metric, we take the
longest distance that there is, at least 2.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.r_gather import RGather
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.spaces.graph_distances import shortest_paths
from atleastk.packages import nx

Groups = Iterable[Iterable[int]]

LEAST_R: Final = 7
"""The least r for which the claim holds."""

ENOUGH_ANYWHERE: Final = 14
"""An r for which it holds with centres "any", if the formula is separated."""

ALL_FOUR: Final = ThreeSat([[1, 2], [1, -2], [-1, 2], [-1, -2]])
"""The least unsatisfiable formula without clauses of one literal."""

SMALL_R: Final[Mapping[int, ThreeSat]] = {
    3: ALL_FOUR,
    4: ALL_FOUR,
    5: ThreeSat([*ALL_FOUR.clauses, [1, 3]]),
    6: ThreeSat([*ALL_FOUR.clauses, [1, 3], [-1, 3]]),
}
"""Unsatisfiable formulas whose points gather within radius 1, by r."""


def formula_graph(problem: ThreeSat, r: int) -> nx.Graph[Any]:
    """Return the graph: for every variable r points, *true* and *false* first.

    The points of the clauses come last.
    """
    if r < 2:
        raise InvalidInstanceError(f"r: expected at least 2, got {r}")
    graph: nx.Graph[Any] = nx.Graph()
    variables = problem.variables
    graph.add_nodes_from(range(r * variables + len(problem.clauses)))
    for x in range(variables):
        true, false, *between = range(r * x, r * x + r)
        graph.add_edge(true, false)
        graph.add_edges_from((end, s) for s in between for end in (true, false))
    for j, clause in enumerate(problem.clauses, start=r * variables):
        graph.add_edges_from((j, _point(literal, r)) for literal in clause)
    return graph


def _point(literal: int, r: int) -> int:
    return r * (abs(literal) - 1) + (literal < 0)


def to_r_gather(problem: ThreeSat, r: int = LEAST_R, centres: str = "input") -> RGather:
    """Return the r-gather of section 2.1."""
    paths = shortest_paths(formula_graph(problem, r))
    longest = max((d for row in paths for d in row if d is not None), default=0)
    far = max(2, longest)
    distances = [[far if d is None else d for d in row] for row in paths]
    return RGather(
        distances=distances,
        r=r,
        centres=centres,
        source="reduced from 3-SAT [Aggarwal10, 2.1]",
    )


def assignment_back(
    problem: ThreeSat, groups: Groups, r: int = LEAST_R
) -> list[bool] | None:
    """Return the assignment that clusters of radius 1 are; None if they are not.

    A variable is true if its *true* point reaches all of the cluster that the points
    between are in.
    """
    graph = formula_graph(problem, r)
    cluster_of = {i: group for group in map(tuple, groups) for i in group}
    found = []
    for x in range(problem.variables):
        true, between = r * x, r * x + 2
        reached = {true, *graph[true]}
        found.append(reached.issuperset(cluster_of.get(between, ())))
    return found if problem.satisfied(found) else None


REDUCTIONS: Final = (
    Reduction(
        "3-SAT",
        "r-gather",
        "many-one",
        "[Aggarwal10] section 2.1",
        to_r_gather,
        assignment_back,
        claim="yes iff the radius is 1 (r = 7), else 2 or more",
    ),
)
"""The claim of section 2.1, which is right."""
