"""Pair partition: a variable for every pair, and triangles as they are violated.

The linear program over z_ij, whether i and j are in one group, begins without the
3 (n choose 3) rows z_ij + z_jh - z_ih <= 1, and takes those that its points violate
most [GroetschelWakabayashi89]. Its duals, rounded, are a certificate
(:mod:`atleastk.models.certificates.pair_triangles`), whose bound alone is reported.
Then the integer program over the same rows is solved, and takes more, until its optimum
is a partition. It is strong where costs are of both signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_triangles import proved_by_triangles
from atleastk.models.encodings.pair_partition import pair_model
from atleastk.models.linear import LinearModel
from atleastk.models.results.solution import Solution
from atleastk.packages import csgraph, sparse
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs, refuse_beyond_doubles
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.engine.modelled import at_most
from atleastk.solvers.search import Search

MOST_ITEMS: Final = 200
"""Items of the program: all triangles of more are 8 million numbers. Not tuned."""

_MOST_TOTAL: Final = 2**50
"""The most that all pairs cost, in doubles."""

_ADDED: Final = 100
"""Triangles that are added in a round, for every item: with 20 of them 100 items took
7 s, with 50 they took 2.1 s, with 100 they took 1.3 s."""

_SCALE: Final = 2**8 * 2520
"""Multipliers are in units of 1 over this: duals are often small fractions."""

_VIOLATED: Final = 1e-6
"""Rows that are violated by less are not added."""


def refuses(instance: PairPartition) -> str | None:
    """Say why an instance cannot be taken, or None if it can."""
    if instance.objective != "sum" or instance.connected:
        return "pairs alone know neither sizes nor connected groups"
    if instance.total > _MOST_TOTAL:
        return "all pairs cost more than 2**50 in all"
    return at_most(MOST_ITEMS, "items")(instance)


class PairProgram:
    """The linear program of an instance, with the triangles so far.

    Attributes
    ----------
    triangles
        By row: i, j, h, of z_ij + z_jh - z_ih <= 1.
    """

    def __init__(self, instance: PairPartition) -> None:
        n = instance.n
        self._instance = instance
        self._first, self._second = np.triu_indices(n, 1)
        self._place = np.zeros((n, n), dtype=np.int64)  # of a pair among the columns
        self._place[self._first, self._second] = np.arange(len(self._first))
        self._place += self._place.T
        self.triangles = np.zeros((0, 3), dtype=np.int64)
        costs = instance.matrix[self._first, self._second].astype(np.float64)
        self._unit = max(1.0, float(np.abs(costs).mean()) if len(costs) else 1.0)
        self._program = self._begun(costs / self._unit)

    def _begun(self, costs: FloatArray) -> GrowingLp:
        """Return the program without triangles: every item has k - 1 others."""
        n, pairs = self._instance.n, len(costs)
        program = GrowingLp(np.full(n, self._instance.k - 1.0), np.inf)
        ends = np.stack((self._first, self._second), axis=1).ravel()
        starts = 2 * np.arange(pairs + 1)
        holds = sparse.csr_array((np.ones(2 * pairs), ends, starts), shape=(pairs, n))
        program.add_columns(holds, costs, 1.0)
        for some in self._instance.apart or ():
            for column in self._columns(some):
                program.cap(column, np.zeros(1))
        joined = [
            column
            for some in self._instance.together or ()
            for column in self._columns(some)
        ]
        if joined:
            entries = np.ones(len(joined)), (range(len(joined)), joined)
            rows = sparse.csr_array(entries, shape=(len(joined), pairs))
            program.add_rows(rows, 1.0, np.inf)
        self._others = n + len(joined)
        return program

    def _columns(self, items: Any) -> list[int]:
        """Return the columns of the pairs of some items."""
        some = list(items)
        return [
            int(self._place[i, j]) for p, i in enumerate(some) for j in some[p + 1 :]
        ]

    def proofs(self, budget: Budget) -> Iterator[Mapping[str, Any]]:
        """Solve it, and again with what is violated; yield certificates of each."""
        while not budget.spent:
            optimum = self._program.solve(budget, apart=True)
            if optimum is None:
                return
            yield self._certificate(optimum.duals)
            if not self.add(violated(self._matrix(optimum.primal))):
                return

    def _matrix(self, point: FloatArray) -> FloatArray:
        found: FloatArray = point[self._place]
        np.fill_diagonal(found, 0.0)
        return found

    def _certificate(self, duals: FloatArray) -> Mapping[str, Any]:
        n = self._instance.n
        whole = np.rint(np.abs(duals) * self._unit * _SCALE)
        paid = [int(multiplier) for multiplier in whole[self._others :].tolist()]
        triangles = self.triangles.tolist()
        return {
            "kind": "triangles",
            "scale": _SCALE,
            "items": [int(multiplier) for multiplier in whole[:n].tolist()],
            "triangles": [
                [*three, multiplier]
                for three, multiplier in zip(triangles, paid, strict=True)
                if multiplier
            ],
        }

    def add(self, triangles: IntArray) -> bool:
        """Add triangles, the first of many; return whether there are any."""
        triangles = triangles[: _ADDED * self._instance.n]
        i, j, h = triangles.T
        count, place = len(triangles), self._place
        columns = np.stack((place[i, j], place[j, h], place[i, h]), axis=1).ravel()
        signs = np.tile([1.0, 1.0, -1.0], count)
        shape = count, len(self._first)
        rows = sparse.csr_array((signs, columns, 3 * np.arange(count + 1)), shape=shape)
        if count:
            self._program.add_rows(rows, -np.inf, 1.0)
            self.triangles = np.concatenate((self.triangles, triangles))
        return count > 0


def violated(together: FloatArray) -> IntArray:
    """Return the triangles that a point violates, the most violated ones first.

    `together` is the point as a symmetric matrix, 0 on the diagonal.
    """
    n = len(together)
    excess = together[:, :, None] + together[:, None, :] - together - 1.0
    itself = np.arange(n)
    excess[itself, itself, :] = excess[itself, :, itself] = 0.0
    excess[:, *np.tril_indices(n)] = 0.0
    flat = excess.ravel()
    found = np.flatnonzero(flat > _VIOLATED)
    found = found[np.argsort(-flat[found], kind="stable")]
    j, i, h = np.unravel_index(found, excess.shape)
    return np.stack((i, j, h), axis=1).astype(np.int64)


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
        model = pair_model(instance, program.triangles.tolist()).model

        def offer(values: IntArray) -> None:
            search.offer_if_feasible(_components(instance, values), "pairs")

        answer = _backend_of(model).minimise(
            model,
            budget,
            on_answer=offer,
            on_bound=lambda bound: search.raise_bound(bound, "pairs"),
        )
        if answer.bound is not None:
            search.raise_bound(answer.bound, "pairs")
        if answer.values is None or not program.add(
            violated(_symmetric(instance.n, answer.values))
        ):
            return


def _backend_of(model: LinearModel) -> Backend:
    """Return HiGHS, or CP-SAT for numbers beyond doubles."""
    try:
        refuse_beyond_doubles(model, Highs.name)
    except NotApplicableError:
        return CpSat()
    return Highs()


def _symmetric(n: int, values: IntArray) -> FloatArray:
    """Return the pairs of a point of the model as a matrix."""
    found = np.zeros((n, n))
    found[np.triu_indices(n, 1)] = values[: n * (n - 1) // 2]
    return found + found.T


def _components(instance: PairPartition, values: IntArray) -> Solution:
    """Return the components of the pairs that are together in a point of the model."""
    graph = sparse.csr_array(_symmetric(instance.n, values))
    _, labels = csgraph.connected_components(graph, directed=False)
    return Solution.of(np.flatnonzero(labels == c).tolist() for c in np.unique(labels))
