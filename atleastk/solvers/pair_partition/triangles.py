"""Pair partition: a variable for every pair, and triangles as they are violated.

The linear program over z_ij, whether i and j are in one group, begins without the
3 (n choose 3) rows z_ij + z_jh - z_ih <= 1, and takes those that its points violate
most [GroetschelWakabayashi89]. Its duals, rounded, are a certificate
(:mod:`atleastk.models.certificates.pair_triangles`), whose bound alone is reported.
Then the integer program over the same rows is solved, and takes more, until its optimum
is a partition. It is strong where costs are of both signs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, starmap
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_triangles import proved_by_triangles
from atleastk.models.encodings.pair_partition import pair_model
from atleastk.models.results.solution import Solution
from atleastk.packages import csgraph, sparse
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.engine.modelled import at_most
from atleastk.solvers.engine.set_partition.listed import suits_doubles
from atleastk.solvers.precision import NOTHING
from atleastk.solvers.search import Search

MOST_ITEMS: Final = 200
"""Items of the program: all triangles of more are 8 million numbers. Not tuned."""

_MOST_TOTAL: Final = 2**50
"""The most that all pairs cost, in doubles and in scaled 64-bit integers."""

_ADDED: Final = 100
"""Triangles that are added in a round, for every item: with 20 of them 100 items took
7 s, with 50 they took 2.1 s, with 100 they took 1.3 s."""

_SCALE: Final = 2**8 * 2520
"""Multipliers are in units of 1 over this: duals are often small fractions."""


def refuses(instance: PairPartition) -> str | None:
    """Say why an instance cannot be taken, or None if it can."""
    if instance.objective != "sum" or instance.connected:
        return "pairs alone know neither sizes nor connected groups"
    return too_dear(instance) or at_most(MOST_ITEMS, "items")(instance)


def too_dear(instance: PairPartition) -> str | None:
    """Say if pairs cost more in all than doubles, or scaled integers, are safe for."""
    if instance.total > _MOST_TOTAL:
        return "all pairs cost more than 2**50 in all"
    return None


class TriangleProgram:
    """The linear program over listed pairs, with the triangles so far.

    Attributes
    ----------
    triangles
        By row: places of the pairs ij, jh, ih in the list, of z_ij + z_jh - z_ih <= 1.
    added, least
        How many triangles a round adds for every item, violated by how much at least.
    """

    added, least = _ADDED, NOTHING

    def __init__(self, n: int, k: int, pairs: IntArray, costs: IntArray) -> None:
        self.n, self.pairs = n, pairs  # [pair, end], in order
        self.triangles = np.zeros((0, 3), dtype=np.int64)
        self.unit = max(1.0, float(np.abs(costs).mean()) if len(costs) else 1.0)
        entries = np.ones(pairs.size), pairs.ravel(), 2 * np.arange(len(pairs) + 1)
        holds = sparse.csr_array(entries, shape=(len(pairs), n))
        self.program = GrowingLp(np.full(n, k - 1.0), np.inf)
        self.program.add_columns(holds, costs / self.unit, 1.0)

    def add(self, point: FloatArray) -> bool:
        """Add triangles that a point violates; return whether there are any."""
        found = violated(self.n, self.pairs, point, self.least)
        fresh = found[: self.added * self.n]
        if len(fresh):
            signs = np.tile([1.0, 1.0, -1.0], len(fresh))
            entries = signs, fresh.ravel(), 3 * np.arange(len(fresh) + 1)
            rows = sparse.csr_array(entries, shape=(len(fresh), len(self.pairs)))
            self.program.add_rows(rows, -np.inf, 1.0)
            self.triangles = np.concatenate((self.triangles, fresh))
        return len(fresh) > 0


def violated(
    n: int, pairs: IntArray, point: FloatArray, least: float = NOTHING
) -> IntArray:
    """Return triangles of listed pairs that a point violates, the most violated first.

    Of every one the places of ij, jh and ih, i < h.
    """
    used = np.flatnonzero(point > least)
    first, second = pairs[used].T
    ends = np.concatenate((first, second)), np.concatenate((second, first))
    beside = sparse.csr_array((np.tile(used, 2), ends), shape=(n, n))
    beside.sort_indices()
    names, found, by = _names(n, pairs), [np.zeros((3, 0), np.int64)], [np.zeros(0)]
    for inside in starmap(slice, pairwise(beside.indptr)):
        around, place = beside.indices[inside].astype(np.int64), beside.data[inside]
        i, h = np.triu_indices(len(around), 1)
        name = n * around[i] + around[h]
        third = np.minimum(np.searchsorted(names, name), len(names) - 1)
        excess = point[place[i]] + point[place[h]] - point[third] - 1.0
        broken = (names[third] == name) & (excess > least)
        found.append(np.stack((place[i], place[h], third))[:, broken])
        by.append(excess[broken])
    order = np.argsort(-np.concatenate(by), kind="stable")
    worst: IntArray = np.concatenate(found, axis=1)[:, order].T
    return worst


def items_of(pairs: IntArray, triangles: IntArray) -> IntArray:
    """Return the items i, j, h of triangles."""
    ij, jh, ih = pairs[triangles.T].sum(axis=2)
    j = (ij + jh - ih) // 2
    return np.stack((ij - j, j, jh - j), axis=1)


def _names(n: int, pairs: IntArray) -> IntArray:
    """Return a number for every pair, increasing."""
    return n * pairs[:, 0] + pairs[:, 1]


class PairProgram(TriangleProgram):
    """The linear program over all pairs of an instance."""

    def __init__(self, instance: PairPartition) -> None:
        n = instance.n
        pairs = np.stack(np.triu_indices(n, 1), axis=1)
        super().__init__(n, instance.k, pairs, instance.matrix[*pairs.T])
        for column in self._columns(instance.apart):
            self.program.cap(column, np.zeros(1))
        joined = self._columns(instance.together)
        if joined:
            entries = np.ones(len(joined)), (range(len(joined)), joined)
            rows = sparse.csr_array(entries, shape=(len(joined), len(pairs)))
            self.program.add_rows(rows, 1.0, np.inf)
        self._others = n + len(joined)

    def _columns(self, lists: Iterable[Sequence[int]] | None) -> list[int]:
        """Return the places of the pairs of items of each list."""
        both = [two for some in lists or () for two in combinations(sorted(some), 2)]
        wanted = np.array(both, dtype=np.int64).reshape(-1, 2)
        names = _names(self.n, self.pairs)
        places: list[int] = np.searchsorted(names, _names(self.n, wanted)).tolist()
        return places

    @property
    def rows(self) -> list[list[int]]:
        """The items i, j, h of every triangle."""
        rows: list[list[int]] = items_of(self.pairs, self.triangles).tolist()
        return rows

    def proofs(self, budget: Budget) -> Iterator[Mapping[str, Any]]:
        """Solve it, and again with what is violated; yield certificates of each."""
        while not budget.spent:
            optimum = self.program.solve(budget, apart=True)
            if optimum is None:
                return
            yield self._certificate(optimum.duals)
            if not self.add(optimum.primal):
                return

    def _certificate(self, duals: FloatArray) -> Mapping[str, Any]:
        whole = np.rint(np.abs(duals) * self.unit * _SCALE).tolist()
        paid = map(int, whole[self._others :])
        return {
            "kind": "triangles",
            "scale": _SCALE,
            "items": [*map(int, whole[: self.n])],
            "triangles": [
                [*three, multiplier]
                for three, multiplier in zip(self.rows, paid, strict=True)
                if multiplier
            ],
        }


def certificate_of(
    instance: PairPartition, bound: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate for a bound, or None if the program proves less."""
    for certificate in PairProgram(instance).proofs(budget):
        if proved_by_triangles(instance, certificate) >= bound:
            return certificate
    return None


def bound(search: Search[PairPartition], budget: Budget) -> PairProgram:
    """Report what the linear program proves, round by round; return it."""
    program = PairProgram(search.instance)
    for certificate in program.proofs(budget):
        proved = proved_by_triangles(search.instance, certificate)
        search.raise_bound(proved, "triangles", certificate)
        if search.done:
            break
    return program


def close(search: Search[PairPartition], program: PairProgram, budget: Budget) -> None:
    """Solve the integer program of these triangles, and again with what it lacks."""
    instance = search.instance
    while not (budget.spent or search.done):
        model = pair_model(instance, program.rows).model

        def offer(values: IntArray) -> None:
            search.offer_if_feasible(_components(program, values), "pairs")

        backend = Highs() if suits_doubles(model) else CpSat()
        answer = backend.minimise(
            model,
            budget,
            on_answer=offer,
            on_bound=lambda bound: search.raise_bound(bound, "pairs"),
        )
        if answer.bound is not None:
            search.raise_bound(answer.bound, "pairs")
        if answer.values is None or not program.add(
            answer.values[: len(program.pairs)].astype(np.float64)
        ):
            return


def _components(program: PairProgram, values: IntArray) -> Solution:
    """Return the components of the pairs that are together in a point of the model."""
    joined = program.pairs[values[: len(program.pairs)] > 0]
    shape = program.n, program.n
    graph = sparse.coo_matrix((np.ones(len(joined)), joined.T), shape=shape)
    _, labels = csgraph.connected_components(graph, directed=False)
    return Solution.labelled(labels.astype(np.int64))
