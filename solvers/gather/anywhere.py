"""r-gather with centres anywhere: the least greatest diameter, exactly.

Points fit into clusters of diameter D at most iff there are maximal cliques of the
graph of all pairs within D that can be given r of their points each, disjointly, and
that hold all points but the outliers. For every cluster is a clique, so it lies in a
maximal one; clusters that lie in the same one can be merged; and points that lie in a
chosen clique can go there. So cliques take the place that balls have for centres among
the points, and decisions are those of :mod:`atleastk.solvers.gather.decision`. No
triangle inequality is needed.

Bounds, with certificates
-------------------------
- Of max_outliers + 1 points one is in a cluster, and its r - 1 nearest points are no
  further from it than the diameter [Aggarwal10, Lemma 2.2].
- Of k + max_outliers + 1 points two are in one of at most k clusters.

Where maximal cliques are too many to list, greedy ones still find solutions, and the
bound stays.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.metric_spaces import FAR
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.models.r_gather import check
from atleastk.models.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.gather import beginnings
from atleastk.solvers.gather.balls import Ground, parts
from atleastk.solvers.gather.cliques import greedy_cliques, maximal_cliques
from atleastk.solvers.gather.decision import Decision
from atleastk.solvers.gather.flow import fill, with_rest
from atleastk.solvers.gather.neighbourhoods import (
    Balls,
    Neighbourhoods,
    nearest,
    neighbourhoods,
)
from atleastk.solvers.gather.thresholds import begin
from atleastk.solvers.search import Search

__all__ = ["solve_anywhere"]

IntArray = NDArray[np.int64]

_SOURCE: Final = "cliques"
_GROWTH: Final = 4

_FEW: Final = 2_000
"""So many points are all looked at, far from each other or not."""

_MOST_NEAR: Final = 40_000_000
"""Pairs of near points that fit into memory."""

_SAMPLE: Final = 100
"""Points whose neighbours are counted before all are listed."""

_ROOM: Final = 2_000_000
"""Points of all cliques that can be decided about."""

_WORK: Final = 1_000_000_000
"""Words that are looked at in listing cliques: a second."""


def solve_anywhere(search: Search[RGather]) -> None:
    """Gather all points at the least diameter, as far as the budget goes."""
    if not begin(search, _SOURCE):
        return
    search.raise_bound(0, "distances")
    _raise_by_lonely_points(search)
    instance = search.instance
    limited = instance.most_clusters < instance.n // instance.r
    if not search.done and (limited or instance.n <= _FEW):
        _raise_by_scattered_points(search)
    if not search.closed:
        _begin(search)
    climb = _Climb(search)
    effort = 0
    while not search.done and climb.ask_all(effort):
        effort += 1


def _raise_by_lonely_points(search: Search[RGather]) -> None:
    """Raise the bound by the points whose r - 1 nearest are furthest away."""
    instance = search.instance
    reach = nearest(instance.space, instance.r)
    points = np.argsort(-reach, kind="stable")[: instance.max_outliers + 1]
    _raise(search, int(reach[points[-1]]), points, 0, "lonely points")


def _raise_by_scattered_points(search: Search[RGather]) -> None:
    """Raise the bound by points that are far from each other, chosen greedily."""
    instance = search.instance
    count = instance.most_clusters + instance.max_outliers + 1
    if count > instance.n:
        return
    apart = np.full(instance.n, FAR, dtype=np.int64)
    chosen = [int(instance.space.row(0).argmax())]
    least = FAR
    while len(chosen) < count:
        if search.budget.spent:
            return
        np.minimum(apart, instance.space.row(chosen[-1]), out=apart)
        apart[chosen] = -1
        chosen.append(int(apart.argmax()))
        least = min(least, int(apart[chosen[-1]]))
    _raise(search, least, np.array(chosen, dtype=np.int64), 1, "scattered points")


def _raise(
    search: Search[RGather], bound: int, points: IntArray, most: int, source: str
) -> None:
    """Report what weights of 1 on some points prove, `most` of them in a cluster."""
    proof = {
        "kind": "weights",
        "radius": bound - 1,
        "weights": [[p, 1] for p in sorted(points.tolist())],
        "most": most,
    }
    if bound >= FAR:
        search.close_infeasible(source, proof)
    elif bound > (search.bound or 0):
        search.raise_bound(bound, source, proof)


def _begin(search: Search[RGather]) -> None:
    """Offer the clusters of a greedy solution whose centres are points.

    In a metric space their diameter is at most four times the least radius. All points
    in one cluster are the last resort.
    """
    instance = search.instance
    among = replace(instance, centres="input")
    twin = Search(among, check, search.budget)
    beginnings.begin(twin, nearest(instance.space, instance.r))
    every = tuple(range(instance.n))
    offers = [] if twin.solution is None else [twin.solution.groups]
    offers += [(every,)] if instance.n <= _FEW else []
    for groups in offers:
        left = set(every).difference(*groups)
        solution = solution_of(groups, (), left)
        if check(instance, solution).feasible:
            search.offer(solution, "greedy")


class _Question:
    """Whether all points can be gathered in cliques of a diameter.

    Attributes
    ----------
    complete
        Whether all maximal cliques are known.
    """

    def __init__(self, instance: RGather, near: Balls, budget: Budget) -> None:
        self._instance = instance
        cliques = maximal_cliques(near, instance.r, budget, _ROOM, _WORK)
        self.complete = cliques is not None
        if cliques is None:
            cliques = greedy_cliques(near, instance.r)
        whole = _ground(instance, cliques)
        separate = [whole] if whole.hopeless else parts(whole)
        self._decisions = [Decision(part) for part in separate]

    def ask(self, effort: int, budget: Budget) -> ClusteringSolution | Status:
        """Return a solution, INFEASIBLE or UNKNOWN."""
        answers = []
        for decision in self._decisions:
            answer = decision.ask(effort, budget)
            if answer is not None and answer.candidates is None:
                return Status.INFEASIBLE if self.complete else Status.UNKNOWN
            answers.append(answer)
        groups: list[IntArray] = []
        for decision, answer in zip(self._decisions, answers, strict=True):
            if answer is None or answer.candidates is None:
                return Status.UNKNOWN
            groups += _clusters(decision.ground, answer.candidates)
        left = set(range(self._instance.n)).difference(*(g.tolist() for g in groups))
        return solution_of([g.tolist() for g in groups], (), left)


def _ground(instance: RGather, cliques: Balls) -> Ground:
    """Return what is to be decided if clusters are within cliques."""
    points = np.arange(instance.n, dtype=np.int64)
    return Ground(
        r=instance.r,
        points=points,
        centres=np.arange(len(cliques), dtype=np.int64),
        balls=cliques,
        holders=cliques.turned(instance.n),
        rows=points,
        own=np.full(len(cliques), -1, dtype=np.int64),
        most=instance.most_clusters,
        outliers=instance.max_outliers,
    )


def _clusters(of: Ground, chosen: IntArray) -> list[IntArray]:
    """Return clusters within the chosen cliques, by their points in the instance."""
    cliques = of.balls.chosen(chosen)
    home = with_rest(cliques, fill(cliques.starts, cliques.points, of.n, of.r).home)
    return [of.points[home == i] for i in range(len(chosen))]


class _Climb:
    """The search for the least diameter: what is known and what stayed open.

    It goes upwards from the bound, in growing steps, and bisects once a diameter
    succeeds. What takes too long is left open, and asked again with more effort when
    all that is left is open.
    """

    def __init__(self, search: Search[RGather]) -> None:
        self._search = search
        self._near: Neighbourhoods | None = None
        self._questions: dict[int, _Question] = {}
        self._succeeded = False

    def ask_all(self, effort: int) -> bool:
        """Ask until all that is left stayed open; tell whether to try harder."""
        search, step = self._search, 1
        stayed: set[int] = set()
        while not search.done:
            diameters = self._diameters()
            asked = self._next(diameters, stayed, step)
            if asked is not None:
                if not self._ask(diameters, asked, effort):
                    stayed.add(int(diameters[asked]))
                step *= _GROWTH
            elif not self._all_known:
                if not self._extend():
                    return False
            elif len(diameters):
                return any(self._questions[D].complete for D in stayed)
            elif search.cost is None:
                search.close_infeasible(_SOURCE)
            else:
                search.raise_bound(search.cost, _SOURCE)
        return False

    @property
    def _last(self) -> int:
        """The greatest diameter that is worth asking about."""
        cost = self._search.cost
        return FAR - 1 if cost is None else cost - 1

    @property
    def _all_known(self) -> bool:
        """Whether all diameters that are left are known."""
        return self._near is not None and self._near.limit >= self._last

    def _diameters(self) -> IntArray:
        """Return the distances from the bound to below the cost that are known."""
        if self._near is None:
            return np.empty(0, dtype=np.int64)
        return self._near.values((self._search.bound or 0) - 1, self._last)

    def _next(self, diameters: IntArray, stayed: set[int], step: int) -> int | None:
        """Return the place of the diameter to ask about, None if there is none."""
        places = np.flatnonzero(np.isin(diameters, list(stayed)))
        above = int(places[-1]) + 1 if len(places) else 0
        if above < len(diameters):
            if self._succeeded and self._all_known:
                return (above + len(diameters) - 1) // 2
            return min(above + step - 1, len(diameters) - 1)
        if self._all_known and len(places) and places[0]:
            return int(places[0]) // 2
        return None

    def _extend(self) -> bool:
        """List further neighbours; tell whether there is room for them."""
        search, instance = self._search, self._search.instance
        limit, n = self._last, instance.n
        if n > _FEW and not self._succeeded:
            known = search.bound or 0 if self._near is None else self._near.limit + 1
            limit = min(limit, known + known // (2 if instance.squared else 4))
        if n**2 > _MOST_NEAR:
            sample = np.linspace(0, n - 1, _SAMPLE).astype(np.int64)
            share = float((instance.space.rows(sample) <= limit).mean())
            if share * n**2 > _MOST_NEAR:
                return False
        self._near = neighbourhoods(instance.space, limit)
        return True

    def _ask(self, diameters: IntArray, asked: int, effort: int) -> bool:
        """Ask about a diameter and report the answer; tell whether there was one."""
        search, near, diameter = self._search, self._near, int(diameters[asked])
        if near is None:
            return False
        if diameter not in self._questions:
            self._questions[diameter] = _Question(
                search.instance, near.balls(diameter), search.budget
            )
        answer = self._questions[diameter].ask(effort, search.budget)
        if answer is Status.UNKNOWN:
            return False
        if isinstance(answer, ClusteringSolution):
            search.offer(answer, _SOURCE)
            self._succeeded = True
        elif asked + 1 < len(diameters):
            search.raise_bound(int(diameters[asked + 1]), _SOURCE)
        else:
            search.raise_bound(diameter + 1, _SOURCE)
        bound, last = search.bound or 0, self._last
        for old in [D for D in self._questions if not bound <= D <= last]:
            del self._questions[old]
        return True
