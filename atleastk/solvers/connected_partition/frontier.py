"""Frontier-based dynamic programming (as of ZDDs) over the nodes of a map.

Nodes are taken one by one. The frontier are the nodes taken that have neighbours still
to come; a state says which of them are in the same piece of a part so far, and what
every piece weighs. A new node joins any of the pieces beside it, which makes them one.
A piece without a node in the frontier is a part. Of each state only the predecessor
with the lightest heaviest part is stored, hence the optimum.

Two pieces that touch and are not joined may be joined later: that repeats partitions
but adds none that is not connected. Components, zero weights and heavy nodes need no
care. Nothing is heavier than a cap, which leaves few states if it is low; it is raised
until there is a solution, twice as far every time.

The states are at most exponential in the frontier, and as many as pieces have weights:
trees, paths, small grids and narrow maps. Shares nothing with the other methods.

References
----------
[Kawahara19] J. Kawahara, T. Horiyama, K. Hotta, S. Minato, "Generating all patterns of
graph partitions within a disparity bound", WALCOM 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.boundary import Step
from atleastk.solvers.engine.decision import Decision

_MOST_STATES: Final = 600_000
"""States of one step: some hundred megabytes."""

_BYTES: Final = 500
"""Bytes of a state, about."""

_CHUNK: Final = 256
"""States that are expanded between two checks of the clock."""

State = tuple[tuple[int, ...], tuple[int, ...]]
"""The piece of every node of the frontier, numbered as they come, and their weights."""

Layer = dict[State, tuple[int, State, tuple[int, ...]]]
"""By states: the heaviest part so far, the state before and the pieces joined."""


def decide_by_frontier(
    weights: Sequence[int],
    steps: Sequence[Step],
    least: int,
    most: int,
    budget: Budget,
) -> Decision[list[list[int]]]:
    """Return connected parts from `least` to `most`, the heaviest as light as possible.

    UNKNOWN if there are too many states for the budget.
    """
    room = min(_MOST_STATES, budget.memory / _BYTES)
    nothing: State = ((), ())
    layers: list[Layer] = [{nothing: (0, nothing, ())}]
    for step in steps:
        layer: Layer = {}
        for number, (state, (cost, *_)) in enumerate(layers[-1].items()):
            if number % _CHUNK == 0 and (budget.spent or len(layer) > room):
                return Decision.unknown(f"there are more than {room:.0f} states")
            for joined in _choices(state, step):
                reached = _after(state, step, joined, weights[step.node], least, most)
                if reached is None:
                    continue
                after, part = reached
                known = layer.get(after)
                if known is None or max(cost, part) < known[0]:
                    layer[after] = max(cost, part), state, joined
        room -= len(layer)
        layers.append(layer)
    if nothing not in layers[-1]:
        return Decision.impossible()
    return Decision.of(_parts(steps, layers))


def _choices(state: State, step: Step) -> Iterator[tuple[int, ...]]:
    """Yield all sets of pieces that the node may join."""
    beside = sorted({state[0][place] for place in step.beside})
    for size in range(len(beside) + 1):
        yield from combinations(beside, size)


def _after(
    state: State,
    step: Step,
    joined: tuple[int, ...],
    weight: int,
    least: int,
    most: int,
) -> tuple[State, int] | None:
    """Return the state after a step and the weight of the heaviest part that it ends.

    The weight is 0 if none ends; None if a piece or a part weighs what it must not.
    """
    pieces, weights = state
    new = len(weights)
    total = weight + sum(weights[piece] for piece in joined)
    if total > most:
        return None
    wider = [*(new if piece in joined else piece for piece in pieces), new]
    number: dict[int, int] = {}
    after = tuple(number.setdefault(wider[place], len(number)) for place in step.stay)
    heaviest = 0
    for piece in {*wider} - number.keys():
        weighs = total if piece == new else weights[piece]
        if weighs < least:
            return None
        heaviest = max(heaviest, weighs)
    sums = tuple(total if piece == new else weights[piece] for piece in number)
    return (after, sums), heaviest


def _parts(steps: Sequence[Step], layers: Sequence[Layer]) -> list[list[int]]:
    """Trace the best states back and return their parts."""
    trace: list[tuple[State, tuple[int, ...]]] = []
    state: State = ((), ())
    for layer in reversed(layers[1:]):
        _, state, joined = layer[state]
        trace.append((state, joined))
    parts: list[list[int]] = []
    home: dict[int, int] = {}
    frontier: list[int] = []
    for step, (before, joined) in zip(steps, reversed(trace), strict=True):
        of_piece = dict(zip(before[0], frontier, strict=True))
        merged = {home[of_piece[piece]] for piece in joined}
        parts.append([step.node, *(v for part in merged for v in parts[part])])
        for part in merged:
            parts[part] = []
        home.update(dict.fromkeys(parts[-1], len(parts) - 1))
        wider = [*frontier, step.node]
        frontier = [wider[place] for place in step.stay]
    return [sorted(part) for part in parts if part]
