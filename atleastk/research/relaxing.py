"""Exact values of linear relaxations: how much of a cost a formulation proves.

Two formulations of every instance are relaxed, first of all:

- ``configuration``: all admissible groups S of few items, a share x_S >= 0 of each, and
  shares of the groups with an item add up to 1 (of an item that may be left over to at
  most 1). If groups add up their costs the value is the least sum c(S) x_S, if the
  dearest counts it is the least K for which groups of cost <= K have such shares.
- ``compact``: the linear model that is exported (`atleastk models export`), whose
  variables may take any value between their bounds.

So is any other formulation by its name (`atleastk models`).

HiGHS finds the shares x and the duals y in floating point. Both are then rounded to
fractions of small denominators, and a value is given only if the rational x satisfies
every row and the rational y proves, by weak duality, that nothing costs less:

    c x >= sum of y_i b_i + sum over j of the least (c_j - (y A)_j) x_j

for all x with A x >= b between their bounds, which decide the last sum. If that fails
the right side is a lower bound all the same, and is what is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    NotApplicableError,
    UnknownNameError,
    placed,
)
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.instance import Instance
from atleastk.models.linear import INFINITE, LinearModel, exact_product
from atleastk.packages import sparse
from atleastk.research.formulating import (
    COMPACT,
    CONFIGURATION,
    formulation_of,
    formulations_of,
    members,
    partition_model,
    priced_groups,
)
from atleastk.runs.registry import problem_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.engine.subsets import Priced

FORMULATIONS: Final = ("configuration", COMPACT)
"""The formulations that most problems have."""

_DENOMINATORS: Final = (1, 12, 60, 840, 10**4, 10**6)
"""The greatest denominators that floating point values are rounded to, one by one."""
Name = tuple[int, ...]
"""The items of a group, or the number of a variable."""

Shares = tuple[tuple[Name, Fraction], ...]
"""Groups or variables with what they have at a point."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The value of a linear relaxation of an instance, proved in rational numbers."""

    instance: Instance
    """The instance."""
    formulation: str
    """One of `FORMULATIONS`, or a name."""
    value: Fraction | None
    """The value; None if no rational optimum was found, or it has no solution."""
    bound: Fraction | None
    """A proved lower bound on the value; None: the relaxation has no solution."""
    primal: Shares
    """The groups, or variables, of a best point that are not 0, with their shares."""
    dual: tuple[Fraction, ...]
    """The multiplier of each item, or row, that proves the bound."""

    __repr__ = brief

    @property
    def is_integral(self) -> bool:
        """Whether all shares of the best point are integers."""
        return self.value is not None and all(
            share.denominator == 1 for _, share in self.primal
        )

    @property
    def least_cost(self) -> int | None:
        """The least integer that a cost can be, as far as the relaxation tells."""
        return None if self.bound is None else ceil(self.bound)

    def gap(self, optimum: int) -> Fraction | None:
        """Return an optimum over the bound, the integrality gap; None over 0."""
        return optimum / self.bound if self.bound else None

    def __str__(self) -> str:
        if self.bound is None:
            return f"{self.formulation}: no solution"
        if self.value is None:
            return f"{self.formulation}: at least {self.bound}"
        shares = "all whole" if self.is_integral else f"{len(self.primal)} shares"
        return f"{self.formulation}: {self.value}, {shares}"

    def _repr_html_(self) -> str:
        named = "items" if self.formulation == "configuration" else "variable>"
        rows = [(", ".join(map(str, name)), share) for name, share in self.primal]
        return notebook(str(self), (named, "share>"), rows)


def relax(instance: Instance, formulation: str = "configuration") -> Relaxation:
    """Return the exact value of a linear relaxation.

    Raises
    ------
    UnknownNameError
        If there is no such formulation.
    NotApplicableError
        If it would be too large, or the problem has none of this kind.

    Examples
    --------
    >>> bins = atleastk.BinCovering(sizes=[2, 2, 2], k=3, objective="excess")
    >>> print(atleastk.relax(bins).value)
    3/2
    """
    own = (each.name for each in formulations_of(problem_of(instance)))
    known = dict.fromkeys((*FORMULATIONS, *own))
    if formulation not in known:
        raise UnknownNameError(
            f'no formulation is called "{formulation}"; known: {", ".join(known)}'
        )
    items: Any = instance
    if not items.n:
        raise NotApplicableError("without items there is nothing to relax")
    if formulation == "configuration":
        return _of_groups(instance)
    model = formulation_of(instance, formulation).encoded(instance).model
    return _relaxed(instance, formulation, model, [(j,) for j in range(model.columns)])


@dataclass(frozen=True, slots=True)
class _Solved:
    """A rational point and multipliers, and what they prove."""

    point: Sequence[Fraction]
    duals: Sequence[Fraction]
    bound: Fraction
    is_exact: bool

    def shares(self, names: Sequence[Name]) -> Shares:
        """Return the variables that have names and are not 0."""
        named = zip(names, self.point, strict=False)
        return tuple((name, share) for name, share in named if share)


def _of_groups(instance: Any) -> Relaxation:
    problem = problem_of(instance)
    if problem.priced is None:
        raise NotApplicableError(
            f"the groups of {instance.problem} are not listed; relax its compact model"
        )
    reason = CONFIGURATION.refuses(instance)
    if reason is not None:
        raise NotApplicableError(reason)
    with placed("configuration"):
        priced, groups, costs = priced_groups(instance)
    if priced.greatest:
        return _of_levels(instance, priced, groups, costs)
    model = partition_model(priced, groups, costs)
    return _relaxed(instance, "configuration", model, members(groups))


def _relaxed(
    instance: Instance, formulation: str, model: LinearModel, names: Sequence[Name]
) -> Relaxation:
    """Relax a model, whose variables have names.

    It has no solution if its rows lack more than 0, which is proved.
    """
    solved = _solved(model)
    if solved is None:
        lack = _solved(_lacking(model))
        if lack is not None and lack.bound > 0:
            return Relaxation(instance, formulation, None, None, (), tuple(lack.duals))
        nothing = [Fraction(0)] * len(model.row_lower)
        solved = _Solved((), nothing, _proved(model, nothing), is_exact=False)
    return Relaxation(
        instance,
        formulation,
        solved.bound if solved.is_exact else None,
        solved.bound,
        solved.shares(names),
        tuple(solved.duals),
    )


def _of_levels(
    instance: Instance, priced: Priced, groups: IntArray, costs: IntArray
) -> Relaxation:
    """Bisect the least cost that groups with shares may have.

    The groups up to a cost either have shares, or what they lack is proved to be more
    than 0. Where all items may be left over, no group at all costs 0.
    """
    if priced.most_left >= priced.n and not priced.fewest_groups:
        nothing = Fraction(0)
        return Relaxation(instance, "configuration", nothing, nothing, (), ())
    levels = np.unique(costs)
    low, high = 0, len(levels)
    shares: Shares | None = None
    refuted: _Solved | None = None
    while low < high:
        middle = (low + high) // 2
        some = groups[costs <= levels[middle]]
        model = partition_model(priced, some, np.zeros_like(some))
        solved = _solved(_lacking(model))
        if solved is not None and solved.is_exact and solved.bound == 0:
            shares, high = solved.shares(members(some)), middle
        else:
            low, refuted = middle + 1, solved
    duals = () if refuted is None else tuple(refuted.duals)
    proved = low == 0 or (refuted is not None and refuted.bound > 0)
    if shares is not None and proved:
        value = Fraction(int(levels[low]))
        return Relaxation(instance, "configuration", value, value, shares, duals)
    bound = None if proved or not len(levels) else Fraction(int(levels[0]))
    return Relaxation(instance, "configuration", None, bound, shares or (), duals)


def _lacking(model: LinearModel) -> LinearModel:
    """Return the model of the least lack: rows may miss their sides by so much."""
    count = len(model.row_lower)
    each = sparse.csr_array(sparse.identity(count, dtype=np.int64))
    greatest = np.maximum(abs(model.lower), abs(model.upper))
    needed = exact_product(abs(model.rows), greatest).astype(object)
    for sides in (model.row_lower, model.row_upper):
        needed += np.where(np.abs(sides) < INFINITE, np.abs(sides), 0)
    reach = np.minimum(needed, INFINITE).astype(np.int64)
    none = np.zeros_like(reach)
    return LinearModel(
        np.repeat([0, 1], [model.columns, 2 * count]),
        np.concatenate((model.lower, none, none)),
        np.concatenate((model.upper, reach, reach)),
        sparse.csr_array(sparse.hstack((model.rows, each, -each))),
        model.row_lower,
        model.row_upper,
    )


def _solved(model: LinearModel) -> _Solved | None:
    """Return a rational optimum, or the best bound found; None if there is no point."""
    shift = model.rows @ model.lower
    lp = GrowingLp(_sides(model.row_lower) - shift, _sides(model.row_upper) - shift)
    lp.add_columns(
        model.rows.T, model.objective, (model.upper - model.lower).astype(np.float64)
    )
    found = lp.solve(Budget())
    if found is None:
        return None
    best: _Solved | None = None
    for most in _DENOMINATORS:
        duals = _rational(found.duals, most)
        bound = _proved(model, duals)
        above = zip(_rational(found.primal, most), model.lower.tolist(), strict=True)
        point = [share + low for share, low in above]
        exact = _cost(model, point) == bound and _holds(model, point)
        if best is None or exact or bound > best.bound:
            best = _Solved(point, duals, bound, exact)
        if exact:
            break
    return best


def _sides(sides: IntArray) -> FloatArray:
    found = sides.astype(np.float64)
    found[sides >= INFINITE] = np.inf
    found[sides <= -INFINITE] = -np.inf
    return found


def _rational(values: FloatArray, most: int) -> list[Fraction]:
    return [Fraction(value).limit_denominator(most) for value in values.tolist()]


def _scaled(values: Sequence[Fraction]) -> tuple[NDArray[Any], int]:
    """Return integers and the denominator that they have in common."""
    scale = lcm(*(value.denominator for value in values)) if values else 1
    return np.array([int(value * scale) for value in values], dtype=object), scale


def _cost(model: LinearModel, point: Sequence[Fraction]) -> Fraction:
    pairs = zip(model.objective.tolist(), point, strict=True)
    return sum((cost * share for cost, share in pairs if share), Fraction(0))


def _holds(model: LinearModel, point: Sequence[Fraction]) -> bool:
    """Tell whether a point satisfies every row and bound, exactly."""
    values, scale = _scaled(point)
    rows = zip(
        exact_product(model.rows, values).tolist(),
        model.row_lower.tolist(),
        model.row_upper.tolist(),
        strict=True,
    )
    bounds = zip(values, model.lower.tolist(), model.upper.tolist(), strict=True)
    return all(
        (low <= -INFINITE or total >= low * scale)
        and (high >= INFINITE or total <= high * scale)
        for total, low, high in rows
    ) and all(low * scale <= value <= high * scale for value, low, high in bounds)


def _proved(model: LinearModel, duals: list[Fraction]) -> Fraction:
    """Return what multipliers prove; those of sides that are none are set to 0."""
    total = Fraction(0)
    sides = zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for i, (low, high) in enumerate(sides):
        side = low if duals[i] > 0 else high
        if abs(side) >= INFINITE:
            duals[i] = Fraction(0)
        total += duals[i] * side
    values, scale = _scaled(duals)
    columns = sparse.csr_array(model.rows.T)
    reduced = model.objective.astype(object) * scale - exact_product(columns, values)
    bounds = zip(reduced, model.lower.tolist(), model.upper.tolist(), strict=True)
    least = sum(cost * (high if cost < 0 else low) for cost, low, high in bounds)
    return total + Fraction(least, scale)
