"""Bin covering with the objective ``quadratic``: the automatic choice.

With m bins the cost is sum L^2 - k S, least if the levels are balanced. A solution
cheaper than a known one of squares Q = sum L^2 has levels near S / m only: if one bin
has level L, the others have squares of at least (S - L)^2 / (m - 1), so that

    (m L - S)^2 < (m - 1) (m Q - S^2).

This *radius* leaves few patterns, once local search and bin completion have found
nearly balanced bins; exact cover by them then proves the optimum. Numbers of bins whose
balanced cost reaches the known one need no search.
"""

from __future__ import annotations

from math import isqrt

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import balanced_cost, most_bins, window
from atleastk.models.groups import Parts
from atleastk.models.kinds import Kinds
from atleastk.models.linear import INFINITE
from atleastk.models.windows import Window
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.bin_covering.bin_completion import MOST_ITEMS, complete_bins
from atleastk.solvers.bin_covering.certify import sum_bound
from atleastk.solvers.bin_covering.decisions import patterns_within
from atleastk.solvers.bin_covering.local_search import settle
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.search import Search

NODES = 20_000
"""Nodes of bin completion at effort 0, four times as many with each further effort."""
ROUNDS = 16
"""The most rounds: the later ones would only repeat what the last left open."""


def near_levels(instance: BinCovering, bins: int, cost: int) -> Window:
    """Return the levels possible with this many bins at less than this cost."""
    total, squares = instance.total, cost + instance.k * instance.total
    spread = (bins - 1) * (bins * squares - total**2)
    if spread <= 0 and (bins > 1 or squares <= total**2):
        return Window(bins, 1, 0)
    radius = isqrt(max(0, spread - 1))
    low = max(instance.k, -((radius - total) // bins))
    return Window(bins, low, (total + radius) // bins)


def solve_squares(search: Search[BinCovering], _: Budget) -> None:
    """Minimise the sum of level * (level - k) as well as the budget allows."""
    instance = search.instance
    for effort in range(ROUNDS):
        for bins in _open(search)[: 1 + effort]:
            _balance(search, bins, effort)
            if search.done:
                return
        if effort == 0:
            summed = sum_bound(instance, search.budget.slice(5.0))
            if summed is not None:
                search.raise_bound(summed[0], "weights", summed[1])
        _cover(search, effort)
        if search.done:
            return


def _open(search: Search[BinCovering]) -> list[int]:
    """Return the numbers of bins that may be cheaper than the best known cost."""
    instance, cost = search.instance, search.cost
    found: list[int] = []
    for bins in range(most_bins(instance), 0, -1):
        if cost is not None and balanced_cost(instance, bins) >= cost:
            break
        found.append(bins)
    return found


def _balance(search: Search[BinCovering], bins: int, effort: int) -> None:
    """Search for levels ever nearer to each other."""
    instance, total = search.instance, search.instance.total
    balanced = window(instance, bins, -(-total // bins))
    settle(search, balanced, effort, search.budget.slice(2.0**effort))
    if instance.n > MOST_ITEMS or search.done or search.cost is None:
        return
    level = total // bins
    nearest, furthest = 0, near_levels(instance, bins, search.cost).most - level
    while nearest < furthest and not search.done:
        radius = (nearest + furthest) // 2
        near = Window(bins, max(instance.k, level - radius), level + 1 + radius)
        nodes = NODES * 4**effort
        answer = complete_bins(instance.sizes, near, search.budget, most_nodes=nodes)
        if answer.found is not None:
            search.offer(answer.found, "completion")
            furthest = radius
        else:
            nearest = radius + 1


def _cover(search: Search[BinCovering], effort: int) -> None:
    """Minimise over the patterns that a cheaper solution can have."""
    instance, cost = search.instance, search.cost
    possible = _open(search)
    if cost is None or not possible:
        search.raise_bound(cost or 0, "counting")
        return
    windows = [near_levels(instance, bins, cost) for bins in possible]
    low, high = min(w.least for w in windows), max(w.most for w in windows)
    parts = Parts(possible[-1], possible[0])
    kinds, levels = Kinds.of(instance.sizes), Window(parts.most, low, high)
    groups = BinGroups(kinds, instance.k, levels, "quadratic", parts)
    if high**2 * instance.n >= INFINITE:
        return
    encoding = patterns_within(groups, search.budget)
    if encoding is None:
        return
    for backend, source in ((CpSat(), "patterns-cp-sat"), (Highs(), "patterns")):
        if search.done:
            return
        try:
            part = search.budget.slice(2.0 * 2**effort)
            minimise_encoded(search, encoding, backend, source, part, below=cost)
        except NotApplicableError:
            continue
