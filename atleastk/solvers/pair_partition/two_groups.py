"""Pair partition in at most two groups: trees of semidefinite programs.

With x_i = 1 or -1 for the side of an item, pairs together are (1 + x_i x_j) / 2, and a
least cost is a maximum cut. It is relaxed to unit vectors in place of the x_i; rows of
:mod:`~atleastk.models.certificates.pair_halves` are added as they are violated, and
their multipliers are found by a quasi-Newton method: for given ones the vectors are
optimal after some sweeps, each of which turns every vector against the sum that it is
multiplied by [WangChangKolter17]. Multipliers and the slack matrix are rounded, and
only what the checker makes of them counts.

Where that is less than the best cost known, two blocks of items whose vectors are most
nearly orthogonal are joined: on one side, or on two.

References
----------
[WangChangKolter17] P. Wang, W. Chang, J. Z. Kolter, "The mixing method: low-rank
coordinate descent for semidefinite programming with diagonal constraints", 2017.
F. Rendl, G. Rinaldi, A. Wiegele, "Solving max-cut to optimality by intersecting
semidefinite and polyhedral relaxations", Mathematical Programming 121, 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates import pair_halves
from atleastk.models.certificates.pair_halves import (
    NOTHING,
    halves,
    leaf_bound,
    may_leave,
    sides_of,
)
from atleastk.models.pair_partition import check
from atleastk.packages import csgraph, optimize, sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.modelled import at_most
from atleastk.solvers.engine.refutation_tree import Found, OpenError, Split, refutation
from atleastk.solvers.pair_partition.triangles import items_of, too_dear, violated
from atleastk.solvers.precision import TOLERANCE
from atleastk.solvers.search import Search

MOST_ITEMS: Final = 100
"""Items whose leaves are checked in a fifth of a second."""

_ADDED: Final = 4
"""Rows of a sort that are added in a round, for every item. Not tuned."""

_ROUNDS: Final = (12, 5)
"""Rounds of rows at the root, and at other nodes. Not tuned."""

_STEPS: Final = (100, 30)
"""Steps of the quasi-Newton method in a round, the same."""

_GAIN: Final = 0.04
"""Rounds that close a smaller share of what is left are the last. Not tuned."""

_SWEEPS: Final = 300
"""Sweeps of the vectors, at most, for given multipliers: most need a tenth."""

_POLISH: Final = 10
"""By what there are more of these sweeps, and stiller ones, before vectors are used."""

_SPARED: Final = 0.05
"""What is proved beyond the need, in units of cost, so that leaves have few digits."""

_THRESHOLDS: Final = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
"""Shares above which pairs join pieces that too little leaves."""

_DIGITS: Final = (20, 28, 36, 44)
"""Binary digits of multipliers, one after the other, until they prove enough."""


def refuses(instance: PairPartition) -> str | None:
    """Say why an instance cannot be taken, or None if it can."""
    reason = pair_halves.refuses(instance) or too_dear(instance)
    return reason or at_most(MOST_ITEMS, "items")(instance)


def close(search: Search[PairPartition], budget: Budget) -> None:
    """Refute all that costs less than the best solution, or find it."""
    source = "two groups"

    def told(bound: int, certificate: Mapping[str, Any]) -> None:
        if search.cost is not None:
            search.raise_bound(bound, source, certificate)

    while not (search.done or budget.spent):
        cost = search.instance.total + 1 if search.cost is None else search.cost
        tree = refuted(
            search.instance,
            cost,
            budget,
            told,
            lambda side: search.offer(halves(side), source),
        )
        if tree is not None and search.cost is None:
            search.close_infeasible(source)
        elif tree is not None:
            told(cost, tree)
        elif search.cost in (None, cost):
            return


def refuted(
    instance: PairPartition,
    cost: int,
    budget: Budget,
    told: Callable[[int, Mapping[str, Any]], object] = lambda *_: None,
    offer: Callable[[IntArray], object] = lambda _: None,
) -> Mapping[str, Any] | None:
    """Return a certificate that nothing costs less, None if there was none in time.

    What the root proves is told, and the sides of a cheaper solution are offered.
    """
    sides = sides_of(instance, Decided.nothing(instance.n))
    if sides is None:
        return {"kind": "tree", "tree": {**NOTHING, "items": [0] * instance.n}}
    nodes = _Nodes(instance, cost, budget, told, offer)
    try:
        tree = refutation(nodes.root(sides), nodes.visit)
    except OpenError:
        return None
    return {"kind": "tree", "tree": tree}


class _Rows(NamedTuple):
    """Rows that solutions satisfy: at least so much of pairs that are together."""

    names: tuple[tuple[str, tuple[int, ...]], ...]  # the sort and the items
    matrix: Any  # [row, pair], sparse
    least: FloatArray  # [row]

    def only(self, kept: Any) -> _Rows:
        """Return the rows that are kept."""
        names = tuple(name for name, keep in zip(self.names, kept, strict=True) if keep)
        return _Rows(names, self.matrix[kept], self.least[kept])


class _Node(NamedTuple):
    """Items in blocks, and where the multipliers and vectors begin."""

    sides: IntArray  # [item, block]
    rows: _Rows
    prices: FloatArray  # [row]
    vectors: FloatArray  # [block, dimension]


class _Relaxed(NamedTuple):
    """The relaxation at some prices, in mean costs."""

    matrix: FloatArray  # [block, block]
    value: float
    together: FloatArray  # [pair]


class _Nodes:
    """The nodes of a tree that refutes solutions below a cost."""

    def __init__(
        self,
        instance: PairPartition,
        cost: int,
        budget: Budget,
        told: Callable[[int, Mapping[str, Any]], object],
        offer: Callable[[IntArray], object],
    ) -> None:
        n = instance.n
        self._instance, self._cost, self._budget = instance, cost, budget
        self._told, self._offer = told, offer
        self._pairs = np.triu_indices(n, 1)
        self._place = np.zeros((n, n), dtype=np.int64)
        self._place[self._pairs] = np.arange(len(self._pairs[0]))
        self._place += self._place.T
        costs = instance.matrix[self._pairs].astype(np.float64)
        self._unit = max(1.0, float(np.abs(costs).mean()) if n > 1 else 1.0)
        self._costs = costs / self._unit
        self._enough = (cost - 1 + _SPARED) / self._unit

    def root(self, sides: IntArray) -> _Node:
        """Return the first node, with the rows of single items."""
        n, blocks = sides.shape
        none = sparse.csr_array((0, len(self._costs)))
        rows = _Rows((), none, np.zeros(0))
        names: list[tuple[str, tuple[int, ...]]] = []
        if self._instance.k > 1:
            names += [("items", (i,)) for i in range(n)]
        if self._instance.largest < n:
            names += [("most", (i,)) for i in range(n)]
        if self._instance.connected:
            names += self._leaving((i,) for i in range(n))
        rows = self._with(rows, names)
        rng = np.random.default_rng(self._budget.seed)
        vectors = rng.normal(size=(blocks, int((2 * blocks) ** 0.5) + 2))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return _Node(sides, rows, np.zeros(len(rows.names)), vectors)

    def visit(self, node: _Node) -> Found[_Node]:
        """Return a leaf that refutes a node, or else its split."""
        sides = node.sides
        if sides.shape[1] == 1:
            verdict = check(self._instance, halves(sides[:, 0]))
            assert verdict.cost is not None
            if not verdict.violations and verdict.cost < self._cost:
                self._offer(sides[:, 0])
                raise OpenError
            return {**NOTHING, "items": [0] * len(sides)}
        node, relaxed = self._ascended(node)
        return self._leaf(node, relaxed, self._cost) or iter([self._split(node)])

    def _split(self, node: _Node) -> Split[_Node]:
        sides, rows, prices, vectors = node
        blocks = len(vectors)
        apart = np.abs(vectors @ vectors.T) + 2.0 * np.tri(blocks)
        a, b = divmod(int(apart.argmin()), blocks)
        found = {}
        for name, side in (("together", 1), ("apart", -1)):
            joined = sides.copy()
            joined[:, a] += side * sides[:, b]
            left = np.delete(vectors, b, axis=0)
            found[name] = _Node(np.delete(joined, b, axis=1), rows, prices, left)
        first = (sides != 0).argmax(axis=0)
        return Split({"pair": [int(first[a]), int(first[b])]}, found, 0.0)

    def _ascended(self, node: _Node) -> tuple[_Node, _Relaxed]:
        """Return better multipliers, of more rows."""
        later = node.sides.shape[1] < len(node.sides)
        last = -np.inf
        for _ in range(_ROUNDS[later]):
            node, relaxed = self._climbed(node, _STEPS[later])
            missing = self._enough - relaxed.value
            if missing <= 0.0 or relaxed.value - last < _GAIN * missing:
                break
            last = relaxed.value
            few = [sort not in ("triangles", "meeting") for sort, _ in node.rows.names]
            kept = (node.prices > TOLERANCE) | np.array(few, dtype=np.bool_)
            rows = node.rows.only(kept)
            more = self._with(rows, self._violated(relaxed.together))
            if len(more.names) == len(rows.names):
                break
            prices = np.zeros(len(more.names))
            prices[: len(rows.names)] = node.prices[kept]
            node = node._replace(rows=more, prices=prices)
        if not later:
            self._tell(node, relaxed)
        return node, relaxed

    def _climbed(self, node: _Node, steps: int) -> tuple[_Node, _Relaxed]:
        """Return better multipliers of the same rows."""
        vectors = node.vectors.copy()

        def downhill(prices: FloatArray) -> tuple[float, FloatArray]:
            if self._budget.spent:
                raise OpenError
            relaxed = self._relaxed(node, prices, vectors)
            return -relaxed.value, node.rows.matrix @ relaxed.together - node.rows.least

        def stop(intermediate_result: Any) -> None:
            if -intermediate_result.fun >= self._enough:
                raise StopIteration

        prices = node.prices
        if len(prices):
            prices = optimize.minimize(
                downhill,
                prices,
                jac=True,
                method="L-BFGS-B",
                bounds=optimize.Bounds(0.0, np.inf),
                callback=stop,
                options={"maxiter": steps, "maxcor": 20},
            ).x
        node = node._replace(prices=prices, vectors=vectors)
        relaxed = self._relaxed(node, prices, vectors, _POLISH)
        least = float(_slack(relaxed, vectors)[0][0])
        value = relaxed.value + len(vectors) * min(0.0, least)
        return node, relaxed._replace(value=value)

    def _relaxed(
        self, node: _Node, prices: FloatArray, vectors: FloatArray, longer: int = 1
    ) -> _Relaxed:
        """Return the relaxation at some prices, and turn the vectors to its optimum."""
        sides, n = node.sides, len(node.sides)
        left = self._costs - node.rows.matrix.T @ prices
        full = np.zeros((n, n))
        full[self._pairs] = left / 4.0
        matrix = sides.T @ (full + full.T) @ sides
        constant = left.sum() / 2.0 + np.trace(matrix) + node.rows.least @ prices
        np.fill_diagonal(matrix, 0.0)
        _turn(matrix, vectors, longer * _SWEEPS, TOLERANCE / longer)
        value = float(constant + np.vdot(matrix @ vectors, vectors))
        of_items = sides @ vectors
        dots = (of_items @ of_items.T)[self._pairs]
        return _Relaxed(matrix, value, (1.0 + dots) / 2.0)

    def _tell(self, node: _Node, relaxed: _Relaxed) -> None:
        """Tell what the root proves."""
        bound = min(self._cost, int(np.ceil(relaxed.value * self._unit - _SPARED)))
        leaf = self._leaf(node, relaxed, bound)
        if leaf is not None:
            self._told(bound, {"kind": "tree", "tree": leaf})

    def _leaf(
        self, node: _Node, relaxed: _Relaxed, bound: int
    ) -> Mapping[str, Any] | None:
        """Return what proves a bound of a node, None if it proves less."""
        if relaxed.value * self._unit <= bound - 1:
            return None
        values, axes = _slack(relaxed, node.vectors)
        factors = (axes * np.sqrt(np.maximum(values, 0.0))).T
        for digits in _DIGITS:
            scale = max(1, int(2.0**digits / self._unit))
            unit = scale * self._unit
            whole = np.rint(np.sqrt(unit) * factors).astype(np.int64)
            leaf: dict[str, Any] = {
                **NOTHING,
                "scale": scale,
                "items": [0] * len(node.sides),
                "vectors": whole[whole.any(axis=1)].tolist(),
            }
            paid = map(int, np.rint(unit * node.prices).tolist())
            for (sort, items), multiplier in zip(node.rows.names, paid, strict=True):
                if sort in ("items", "most"):
                    leaf["items"][items[0]] += multiplier * (-1) ** (sort == "most")
                elif multiplier:
                    first = sort == "leaving"
                    row = [multiplier, *items] if first else [*items, multiplier]
                    leaf[sort] = [*leaf[sort], row]
            proved = leaf_bound(self._instance, leaf, node.sides, bound)
            if proved is None or proved >= bound:
                return leaf
        return None

    def _violated(self, point: FloatArray) -> list[tuple[str, tuple[int, ...]]]:
        """Return rows that a point violates, of each sort those most violated."""
        together = point[self._place]
        np.fill_diagonal(together, 0.0)
        n, pairs = len(together), np.stack(self._pairs, axis=1)
        most = _ADDED * n
        rows = items_of(pairs, violated(n, pairs, point)[:most])
        names = [("triangles", tuple(row)) for row in rows.tolist()]
        names += [("meeting", row) for row in _unmet(together)[:most]]
        if self._instance.connected:
            names += self._leaving(self._pieces(together))
        return names

    def _pieces(self, together: FloatArray) -> Iterator[tuple[int, ...]]:
        """Yield sets of items of which less than one pair leaves."""
        among = np.where(self._instance.adjacent, together, 0.0)
        found = set()
        for threshold in _THRESHOLDS:
            joined = among > threshold
            count, piece = csgraph.connected_components(joined, directed=False)
            for inside in (piece == p for p in range(count if count > 1 else 0)):
                if among[inside][:, ~inside].sum() < 1.0 - TOLERANCE:
                    found.add(tuple(np.flatnonzero(inside).tolist()))
        yield from sorted(found)

    def _leaving(
        self, pieces: Iterator[tuple[int, ...]]
    ) -> list[tuple[str, tuple[int, ...]]]:
        """Return the rows of sets that are no group of a better solution."""
        cost, instance = self._cost, self._instance
        return [("leaving", of) for of in pieces if may_leave(instance, of, cost)]

    def _with(self, rows: _Rows, names: Sequence[tuple[str, tuple[int, ...]]]) -> _Rows:
        """Return rows with others that are not among them yet."""
        known = set(rows.names)
        new = [name for name in names if name not in known]
        entries = [self._entries(*name) for name in new]
        starts = np.cumsum([0, *(len(columns) for columns, *_ in entries)])
        columns = [c for some, *_ in entries for c in some]
        factors = [f for _, some, _ in entries for f in some]
        shape = len(new), len(self._costs)
        more = sparse.csr_array((factors, columns, starts), shape=shape, dtype=float)
        return _Rows(
            (*rows.names, *new),
            sparse.vstack((rows.matrix, more), format="csr"),
            np.concatenate((rows.least, [float(least) for *_, least in entries])),
        )

    def _entries(
        self, sort: str, items: tuple[int, ...]
    ) -> tuple[list[int], list[int], int]:
        """Return the pairs of a row, their factors, and its right side."""
        place = self._place
        if sort not in ("triangles", "meeting"):
            inside = np.isin(np.arange(len(place)), items)
            leaving = inside[:, None] & ~inside
            factor, least = 1, self._instance.k - 1
            if sort == "leaving":
                leaving, least = leaving & self._instance.adjacent, 1
            if sort == "most":
                factor, least = -1, 1 - self._instance.largest
            columns = place[leaving].tolist()
            return columns, [factor] * len(columns), least
        i, j, h = items
        sides = [int(place[a, b]) for a, b in ((i, j), (j, h), (i, h))]
        return (sides, [-1, -1, 1], -1) if sort == "triangles" else (sides, [1] * 3, 1)


def _slack(relaxed: _Relaxed, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the eigenvalues, ascending, and axes of the slack matrix."""
    dual = np.linalg.norm(relaxed.matrix @ vectors, axis=1)
    found: tuple[FloatArray, FloatArray]
    found = np.linalg.eigh(relaxed.matrix + np.diag(dual))
    return found


def _unmet(together: FloatArray) -> list[tuple[int, ...]]:
    """Return three items of whom too few are together, the worst first."""
    three = np.array([*combinations(range(len(together)), 3)], dtype=np.int64)
    i, j, h = three.reshape(-1, 3).T
    met = together[i, j] + together[j, h] + together[i, h]
    order = np.argsort(met, kind="stable")
    return [tuple(three[t].tolist()) for t in order[: np.sum(met < 1.0 - TOLERANCE)]]


@compiled
def _turn(matrix: FloatArray, vectors: FloatArray, sweeps: int, still: float) -> None:
    """Turn unit vectors to the least sum of matrix[a, b] v_a . v_b, one by one."""
    n, dimension = vectors.shape
    against = np.zeros(dimension)
    for _ in range(sweeps):
        moved = 0.0
        for a in range(n):
            against[:] = 0.0
            for b in range(n):
                factor = matrix[a, b]
                if factor != 0.0:
                    for d in range(dimension):
                        against[d] -= factor * vectors[b, d]
            length = 0.0
            for d in range(dimension):
                length += against[d] * against[d]
            length = np.sqrt(length)
            if length == 0.0:
                continue
            for d in range(dimension):
                turned = against[d] / length
                moved += length * (turned - vectors[a, d]) ** 2
                vectors[a, d] = turned
        if moved < still:
            break
