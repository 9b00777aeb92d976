"""The formulations of a problem: its own, and its groups where they are priced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError, UnknownNameError
from atleastk.instances.instance import Instance
from atleastk.models.deals import in_rows
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.linear import INFINITE, LinearModel, LinearModelBuilder
from atleastk.models.results.solution import Solution
from atleastk.packages import sparse
from atleastk.runs.registry import method_named, problem_of
from atleastk.solvers.engine.stages import SOURCE
from atleastk.solvers.engine.subsets import MOST_ITEMS, Priced
from atleastk.solvers.problem import Problem

COMPACT: Final = "compact"
"""The usual formulation of an instance that is not the configuration program."""


def formulations_of(problem: Problem[Any]) -> Sequence[Formulation[Any]]:
    """Return the formulations of a problem, the usual ones first."""
    priced = () if problem.priced is None else (CONFIGURATION,)
    return (*(problem.formulations or ()), *priced)


def formulation_of(instance: Instance, name: str | None = None) -> Formulation[Any]:
    """Return a formulation by its name; `COMPACT` or None is the usual one.

    Raise `NotApplicableError` if there is none.
    """
    problem = problem_of(instance)
    known = formulations_of(problem)
    if name not in (None, COMPACT):
        return formulation_named(problem, name)
    if not problem.formulations:
        raise NotApplicableError(f"there is no linear model of {problem.name}")
    taking = (each for each in known if each.refuses(instance) is None)
    return next(taking, known[0])


def formulation_named(problem: Problem[Any], name: str) -> Formulation[Any]:
    """Return a formulation of a problem by its name."""
    known = formulations_of(problem)
    for formulation in known:
        if formulation.name == name:
            return formulation
    names = ", ".join(each.name for each in known) or "none"
    raise UnknownNameError(
        f'no formulation of {problem.name} is called "{name}"; known: {names}'
    )


def priced_groups(instance: Instance) -> tuple[Priced, IntArray, IntArray]:
    """Return what all sets of items cost, the admissible ones as bits, and theirs.

    Raise `NotApplicableError` if costs are beyond 64 bits.
    """
    price = problem_of(instance).priced
    if price is None:
        raise NotApplicableError(f"the groups of {instance.problem} are not listed")
    priced: Priced = price(instance)
    if isinstance(priced.prices, list) and max(map(abs, priced.prices)) >= INFINITE:
        raise NotApplicableError("its costs are beyond 64 bits")
    prices = np.array(priced.prices, dtype=object)
    groups = np.flatnonzero(prices != priced.never)
    groups = groups[groups > 0]
    return priced, groups, prices[groups].astype(np.int64)


def members(groups: IntArray) -> list[tuple[int, ...]]:
    """Return the items of groups that are bits."""
    return [
        tuple(i for i in range(group.bit_length()) if group >> i & 1)
        for group in groups.tolist()
    ]


def partition_model(priced: Priced, groups: IntArray, costs: IntArray) -> LinearModel:
    """Return the model of the shares of groups."""
    n = priced.n
    entries = [(groups >> i) & 1 for i in range(n)]
    lower, upper = [0 if priced.most_left else 1] * n, [1] * n
    # How many groups there are, and how many items are in one.
    entries.append(np.ones_like(groups))
    lower.append(priced.fewest_groups)
    upper.append(priced.most_groups)
    if priced.most_left:
        entries.append(np.array([int(group).bit_count() for group in groups]))
        lower.append(n - priced.most_left)
        upper.append(n)
    return LinearModel(
        costs,
        np.zeros_like(groups),
        np.ones_like(groups),
        sparse.csr_array(np.array(entries, dtype=np.int64)),
        np.array(lower),
        np.array(upper),
    )


def configuration(instance: Instance) -> Encoding:
    """All admissible groups of few items are listed.

    Variables: x_i_j_.., the items i, j, .. are a group; K, the dearest group, if that
    is what counts.

    minimise    sum_S c(S) x_S,  or K
    subject to  sum_{S holds i} x_S = 1                for every item i,
                sum_{S holds i} c(S) x_S <= K          for every item i,
                fewest <= sum_S x_S <= most,

    where an item that may be left over has <= 1, and so many items are in a group.
    """
    priced, groups, costs = priced_groups(instance)
    named, greatest = members(groups), priced.greatest
    model = partition_model(priced, groups, np.zeros_like(costs) if greatest else costs)
    model = replace(model, labels=[("x", *group) for group in named])
    if greatest:
        builder = LinearModelBuilder.of(model)
        ends = int(costs.min(initial=0)), int(costs.max(initial=0))
        dearest = builder.variable(*ends, 1, "K")
        for item in range(priced.n):
            holding = np.flatnonzero((groups >> item) & 1)
            factors = [*costs[holding].tolist(), -1]
            builder.row([*holding.tolist(), dearest], factors, at_most=0)
        model = builder.build()
    place = {group: column for column, group in enumerate(named)}

    def decode(values: IntArray) -> list[list[int]]:
        return [list(group) for group, column in place.items() if values[column]]

    def encode(solution: Solution) -> IntArray | None:
        chosen = in_rows(instance, solution).groups
        found = [tuple(sorted(group)) for group in chosen]
        if not all(group in place for group in found):
            return None
        entries = [(place[group], 1) for group in found]
        if greatest:
            most = max((int(costs[column]) for column, _ in entries), default=0)
            entries.append((len(place), most))
        return point(model.columns, entries)

    return Encoding(model, lambda values: Solution.of(decode(values)), encode)


def _refuses(instance: Instance) -> str | None:
    """Say why sets of items have no costs of their own, or None."""
    reason = method_named(problem_of(instance), SOURCE).refuses(instance)
    return None if reason is None else f"configuration: {reason}"


CONFIGURATION: Final = Formulation("configuration", configuration, _refuses, MOST_ITEMS)
"""What every problem has whose groups are priced."""
