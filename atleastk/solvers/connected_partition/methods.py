"""Connected partition: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.connected_partition.auto`. The methods
here take the whole graph as it is, and share nothing with it: neither bounds, numbers
of parts, reductions nor lists. They begin with the components as parts, and decide
about levels between the bound and the cost, by models of
:mod:`atleastk.models.encodings.connected_partition` in general solvers or by a dynamic
program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.certificates.connected_partition import COUNT
from atleastk.models.connected_partition import components
from atleastk.models.encodings.connected_partition import (
    connected_sets,
    flow_model,
    listed_model,
    rooted_model,
)
from atleastk.models.encodings.encoding import Encoding
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import GREATEST, Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.connected_partition.auto import solve
from atleastk.solvers.connected_partition.frontier import decide_by_frontier
from atleastk.solvers.connected_partition.subset_dp import priced
from atleastk.solvers.engine.boundary import order_of, steps_of, width
from atleastk.solvers.engine.decision import Decision, decided_by
from atleastk.solvers.engine.levels import Walk, below, minimise_by_levels
from atleastk.solvers.engine.modelled import Methods, Stated, at_most
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]

_MOST_ROOTED: Final = 150
"""Nodes for the model of roots: it has a variable for every two of them."""

_MOST_FLOWING: Final = 40
"""Nodes for the model of flows, the weakest: it loses from 30 nodes on."""

_GREATEST: Final = 2**30
"""The greatest weight of all nodes for the model of roots.

Rows reach twice that, and CP-SAT is to be believed below 2^32.
"""

_PLAIN: Final = {"presolve": "off"}
"""The presolve of HiGHS 1.14 ends some exact covers with an error, unanswered."""

_MOST_LISTED: Final = 300
"""Nodes of a graph whose connected sets may be few enough to be listed."""

_MOST_SETS: Final = 200_000
"""Connected sets of a model: solvers hardly solve larger ones."""

_WIDEST: Final = 12
"""Nodes of a frontier: the states grow as its partitions do."""

Groups = list[list[int]]


def begin(search: Search[ConnectedPartition], source: str) -> bool:
    """Report trivial answers; return whether work is left."""
    instance = search.instance
    parts = components(instance)
    if any(sum(instance.weights[v] for v in part) < instance.k for part in parts):
        search.close_infeasible(source, COUNT)
    elif not search.done:
        search.offer(parts, source)
        search.raise_bound(max(instance.k, *instance.weights) if parts else 0, source)
    return not search.done


def climb(search: Search[ConnectedPartition]) -> Walk:
    """Return a walk up from the bound, for methods slow at high levels."""
    return Walk(step=1 + (search.bound or 0) // 32)


def _by_roots(
    encode: Callable[..., Encoding],
) -> Callable[[Search[ConnectedPartition]], Stated]:
    """Return what states a model of roots for every level."""

    def stated(search: Search[ConnectedPartition]) -> Stated:
        instance = search.instance
        given = instance.weights, instance.neighbours, instance.k
        return below, partial(encode, *given)

    return stated


def minimise_sets(
    search: Search[ConnectedPartition], backend: Backend, source: str
) -> None:
    """Decide about levels by partitions into listed connected sets."""
    instance, budget = search.instance, search.budget
    given = instance.weights, instance.neighbours, instance.k

    def decide(level: int) -> Decision[Groups]:
        sets = connected_sets(*given, level, _MOST_SETS)
        if sets is None:
            return Decision.unknown(f"it has more than {_MOST_SETS} connected sets")
        encoding = listed_model(instance.n, sets)
        return decided_by(backend, encoding.model, encoding.groups_at, budget)

    minimise_by_levels(search, below, decide, source, climb(search))


def minimise_by_frontier(search: Search[ConnectedPartition], source: str) -> None:
    """Run the dynamic program under caps that go up from the bound."""
    instance = search.instance
    steps = list(steps_of(instance.neighbours, order_of(instance.neighbours)))

    def decide(level: int) -> Decision[Groups]:
        decision = decide_by_frontier(
            instance.weights, steps, instance.k, level, search.budget
        )
        if decision.found is not None and search.offer(decision.found, source):
            search.raise_bound(search.cost or 0, source)  # the best of this level
        return decision

    minimise_by_levels(search, below, decide, source, climb(search))


def _refuses_roots(
    most: int, greatest: int, instance: ConnectedPartition
) -> str | None:
    if instance.total > greatest:
        return f"weights of {instance.total} in all are too large; it takes {greatest}"
    return at_most(most, "nodes")(instance)


def _refuses_frontier(instance: ConnectedPartition) -> str | None:
    neighbours = instance.neighbours
    widest = width(neighbours, order_of(neighbours))
    if widest > _WIDEST:
        return f"the frontier has up to {widest} nodes; it takes {_WIDEST}"
    return None


_EXACT: Final = Methods(begin)

METHODS: Sequence[Method[ConnectedPartition]] = (
    *_EXACT.decided(
        "nodes to the roots of their parts",
        _by_roots(rooted_model),
        {"rooted": CpSat()},
        partial(_refuses_roots, _MOST_ROOTED, _GREATEST),
        lambda _: Walk(climbing=False),
    ),
    *_EXACT.decided(
        "nodes to the roots of their parts, joined by flows",
        _by_roots(flow_model),
        {"rooted-flow": Highs()},
        partial(_refuses_roots, _MOST_FLOWING, GREATEST),
        climb,
    ),
    *_EXACT.each(
        "exact covers by listed connected sets, level by level",
        minimise_sets,
        {
            "connected-sets": CpSat(),
            "connected-sets-highs": Highs(_PLAIN),
            "connected-sets-sat": Sat(),
        },
        at_most(_MOST_LISTED, "nodes"),
    ),
    _EXACT.one(
        "frontier",
        "dynamic program over a frontier that moves through the graph",
        "combinatorial",
        minimise_by_frontier,
        _refuses_frontier,
    ),
    by_subsets("a dynamic program over all subsets of nodes", begin, cheapest(priced)),
)
