"""Deciding about a window by roots: for loose windows, and parts of many nodes.

The model of :func:`~atleastk.models.encodings.connected_partition.rooted_model`,
written for CP-SAT: every node is in the part of one root, the heaviest node of the
part, and has a parent there at a lower level. Implied clauses help it along. In the
part of root j

- node i has a neighbour, unless it is next to the root;
- node i comes with its *dominator*, the last node that no way from j to i avoids
  through nodes that the part may have;
- nodes i and h are not together if the lightest path between them is too heavy.

Two settings take turns, each time with four times the effort: clauses alone find parts
and refute what is a matter of connection, a linear relaxation at every node of the
search refutes what is a matter of weights, sometimes in no time. Effort is counted in
CP-SAT's deterministic time, so that one worker gives the same answer again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import Any, Final

import numpy as np

from atleastk.instances.errors import NotApplicableError
from atleastk.models.encodings.connected_partition import root_of, roots
from atleastk.models.status import Status
from atleastk.models.windows import Window
from atleastk.packages import cp_model, csgraph, nx, sparse
from atleastk.solvers.backends.cp_sat import solve_cp_model
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.engine.decision import Decision

__all__ = ["GREATEST", "decide_by_roots"]

GREATEST: Final = 2**30
"""The greatest weight of all nodes.

Rows reach twice that, and CP-SAT is to be believed below 2^32.
"""

_EFFORT: Final = 0.5
_MORE: Final = 4
_TURNS: Final = (
    {"linearization_level": 0},
    {"linearization_level": 2},
)
_MOST_PAIRS: Final = 100_000

Groups = Sequence[Sequence[int]]
Literals = Mapping[tuple[int, int], "cp_model.IntVar"]


def decide_by_roots(
    component: Component, window: Window, budget: Budget, hint: Groups | None = None
) -> Decision[list[list[int]]]:
    """Find a partition of a component within a window, or refute that there is one.

    Parameters
    ----------
    hint
        Parts that are nearly within the window.

    Raises
    ------
    NotApplicableError
        If the weights add up to more than `GREATEST`.
    """
    if component.total > GREATEST:
        message = (
            f"weights of {component.total} in all are too large for the model of "
            f"roots; it takes {GREATEST}"
        )
        raise NotApplicableError(message)
    weights = component.weights.tolist()
    within = roots(weights, component.neighbours, window.least, window.most)
    if budget.spent:
        return Decision.unknown()
    if len(within) < window.parts or len(set().union(*within.values())) < component.n:
        return Decision.impossible()
    made = _model(component, window, within, budget)
    if made is None:
        return Decision.unknown()
    model, x = made
    if hint is not None:
        chosen = {(i, root_of(weights, group)) for group in hint for i in group}
        for pair, literal in x.items():
            model.add_hint(literal, pair in chosen)
    effort = _EFFORT
    for turn in count():
        setting = _TURNS[turn % len(_TURNS)]
        parameters: dict[str, Any] = {**setting, "max_deterministic_time": effort}
        answer = solve_cp_model(model, budget, parameters=parameters)
        if answer.status is Status.INFEASIBLE:
            return Decision.impossible()
        if answer.values is not None:
            parts: dict[int, list[int]] = {}
            for (i, j), literal in x.items():
                if answer.values[literal.index]:
                    parts.setdefault(j, []).append(i)
            return Decision.of(list(parts.values()))
        if budget.spent:
            break
        effort *= _MORE if setting is _TURNS[-1] else 1
    return Decision.unknown()


def _model(
    component: Component,
    window: Window,
    within: Mapping[int, Sequence[int]],
    budget: Budget,
) -> tuple[cp_model.CpModel, Literals] | None:
    """Return the model and the literals of nodes and roots; None if that is long."""
    model = cp_model.CpModel()
    weights = component.weights.tolist()
    x = {(i, j): model.new_bool_var("") for j, found in within.items() for i in found}
    for i in range(component.n):
        model.add_exactly_one(x[i, j] for j in within if (i, j) in x)
    for j, found in within.items():
        if budget.spent:
            return None
        for i in found:
            if i != j:
                model.add_implication(x[i, j], x[j, j])
        weight = sum(weights[i] * x[i, j] for i in found)
        model.add(weight >= window.least * x[j, j])
        model.add(weight <= window.most * x[j, j])
    model.add(sum(x[j, j] for j in within) == window.parts)
    _add_parents(model, component, x)
    for j, found in within.items():
        if budget.spent:
            return None
        _add_ways(model, component, x, j, found)
    for i, h, j in _too_heavy(component, window, within):
        if budget.spent:
            return None
        model.add_bool_or(~x[i, j], ~x[h, j])
    return model, x


def _add_parents(model: cp_model.CpModel, component: Component, x: Literals) -> None:
    """Let every node be a root or have a parent in its part, at a lower level."""
    n = component.n
    level = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    homes: list[list[int]] = [[] for _ in range(n)]
    for i, j in x:
        if i != j:
            homes[i].append(j)
    for i in range(n):
        above = [x[i, i]] if (i, i) in x else []
        for u in component.neighbours[i]:
            if all((u, j) not in x for j in homes[i]):
                continue
            parent = model.new_bool_var("")
            above.append(parent)
            for j in homes[i]:
                together = [x[u, j]] if (u, j) in x else []
                model.add_bool_or(~parent, ~x[i, j], *together)
            model.add(level[i] >= level[u] + 1).only_enforce_if(parent)
        model.add_exactly_one(above)
        if (i, i) in x:
            model.add(level[i] == 0).only_enforce_if(x[i, i])


def _add_ways(
    model: cp_model.CpModel,
    component: Component,
    x: Literals,
    j: int,
    within: Sequence[int],
) -> None:
    """Give the nodes of the part of a root a neighbour and their dominator."""
    around = component.neighbours
    ways: nx.DiGraph[int] = nx.DiGraph()
    ways.add_nodes_from(within)
    ways.add_edges_from((u, v) for u in within for v in around[u] if (v, j) in x)
    dominators = nx.immediate_dominators(ways, j)
    for i in within:
        if i != j and i not in around[j]:
            beside = [x[u, j] for u in around[i] if (u, j) in x]
            model.add_bool_or(~x[i, j], *beside)
            if dominators[i] != j:
                model.add_implication(x[i, j], x[dominators[i], j])


def _too_heavy(
    component: Component, window: Window, within: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int, int]]:
    """Yield nodes i, h and a root, not all together; none if they are too many."""
    n = component.n
    # No edge may have the length 0, so that paths count their nodes, too.
    lengths = (component.weights[component.ends] * (n + 1) + 1).astype(np.float64)
    graph: Any = sparse.csr_array(
        (lengths, component.ends, component.starts), shape=(n, n)
    )
    longest = component.weights[:, None] * (n + 1) + csgraph.dijkstra(graph)
    apart = longest >= (window.most + 1) * (n + 1)
    pairs = {j: apart[np.ix_(found, found)] for j, found in within.items()}
    if sum(int(found.sum()) for found in pairs.values()) > 2 * _MOST_PAIRS:
        return
    for j, found in within.items():
        for a, b in combinations(range(len(found)), 2):
            if pairs[j][a, b]:
                yield found[a], found[b], j
