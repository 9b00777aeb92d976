"""Exact values of linear relaxations: how much of a cost a formulation proves.

Two formulations of every instance are relaxed:

- ``configuration``: all admissible groups S of few items, a share x_S >= 0 of each, and
  shares of the groups with an item add up to 1 (of an item that may be left over to at
  most 1). If groups add up their costs the value is the least sum c(S) x_S, if the
  dearest counts it is the least K for which groups of cost <= K have such shares.
- ``compact``: the linear model that is exported (`atleastk library export`), whose
  variables may take any value between their bounds.

HiGHS finds the shares x and the duals y in floating point. Both are then rounded to
fractions of small denominators, and a value is given only if the rational x satisfies
every row and the rational y proves, by weak duality, that nothing costs less:

    c x >= sum of y_i b_i + sum over j of min(0, c_j - (y A)_j) u_j

for all x with A x >= b and 0 <= x <= u. If that fails the right side is a lower bound
all the same, and is what is given.
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
from atleastk.instances.fields.errors import NotApplicableError, UnknownNameError
from atleastk.instances.instance import Instance
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.packages import sparse
from atleastk.research.collecting.whole_models import whole_model
from atleastk.runs.registry import problem_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.engine.stages import SOURCE
from atleastk.solvers.engine.subsets import Priced

FORMULATIONS: Final = ("configuration", "compact")
"""The formulations that are relaxed."""

_DENOMINATORS: Final = (1, 12, 60, 840, 10**4, 10**6)
"""The greatest denominators that floating point values are rounded to, one by one."""
_WORD: Final = 2**62
"""Sums of integers stay below this, or Python's integers add them up."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The value of a linear relaxation of an instance, proved in rational numbers."""

    instance: Instance
    """The instance."""
    formulation: str
    """One of `FORMULATIONS`."""
    value: Fraction | None
    """The value; None if no rational optimum was found, or it has no solution."""
    bound: Fraction | None
    """A proved lower bound on the value; None: the relaxation has no solution."""
    primal: tuple[tuple[tuple[int, ...], Fraction], ...]
    """The groups, or variables, of a best point that are not 0, with their shares."""
    dual: tuple[Fraction, ...]
    """The multiplier of each item, or row, that proves the bound."""

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


def relax(instance: Instance, formulation: str = "configuration") -> Relaxation:
    """Return the exact value of a linear relaxation.

    Raises
    ------
    UnknownNameError
        If there is no such formulation.
    NotApplicableError
        If it would be too large, or the problem has none of this kind.
    """
    if formulation == "compact":
        return _of_model(instance, whole_model(instance))
    if formulation == "configuration":
        return _of_groups(instance)
    known = ", ".join(FORMULATIONS)
    raise UnknownNameError(f'no formulation is called "{formulation}"; known: {known}')


@dataclass(frozen=True, slots=True)
class _Program:
    """minimise costs . x  subject to  lower <= A x <= upper,  0 <= x <= most.

    Sides of magnitude `INFINITE` are none.
    """

    costs: IntArray  # [variable]
    rows: sparse.csr_array[Any]  # [row, variable]
    lower: IntArray  # [row]
    upper: IntArray  # [row]
    most: IntArray  # [variable]


@dataclass(frozen=True, slots=True)
class _Solved:
    """A rational point and multipliers, and what they prove."""

    point: Sequence[Fraction]
    duals: Sequence[Fraction]
    bound: Fraction
    is_exact: bool


def _of_model(instance: Instance, model: LinearModel) -> Relaxation:
    shift = model.rows @ model.lower
    program = _Program(
        model.objective,
        model.rows,
        _moved(model.row_lower, shift),
        _moved(model.row_upper, shift),
        model.upper - model.lower,
    )
    solved, constant = _solved(program), model.cost(model.lower)
    if solved is None:
        return _without_point(instance, "compact", program, constant)
    point = [
        value + int(low) for value, low in zip(solved.point, model.lower, strict=True)
    ]
    bound = solved.bound + constant
    return Relaxation(
        instance,
        "compact",
        bound if solved.is_exact else None,
        bound,
        tuple(((j,), share) for j, share in enumerate(point) if share),
        tuple(solved.duals),
    )


def _moved(sides: IntArray, shift: IntArray) -> IntArray:
    return np.where(np.abs(sides) < INFINITE, sides - shift, sides)


def _without_point(
    instance: Instance, formulation: str, program: _Program, constant: int = 0
) -> Relaxation:
    """Return that there is no solution, if a lack above 0 is proved; else a bound."""
    lack = _solved(_lacking(program))
    if lack is not None and lack.bound > 0:
        return Relaxation(instance, formulation, None, None, (), tuple(lack.duals))
    nothing = [Fraction(0)] * len(program.lower)
    bound = _proved(program, nothing) + constant
    return Relaxation(instance, formulation, None, bound, (), tuple(nothing))


def _of_groups(instance: Any) -> Relaxation:
    problem = problem_of(instance)
    price = problem.priced
    if price is None:
        raise NotApplicableError(
            f"the groups of {instance.problem} are not listed; relax its compact model"
        )
    reason = next(one for one in problem.methods if one.name == SOURCE).refuses(
        instance
    )
    if reason is not None:
        raise NotApplicableError(f"configuration: {reason}")
    priced: Priced = price(instance)
    prices = np.array(priced.prices, dtype=object)
    groups = np.flatnonzero(prices != priced.never)
    groups = groups[groups > 0]
    costs = prices[groups].astype(np.int64)
    if priced.greatest:
        return _of_levels(instance, priced, groups, costs)
    program = _partition(priced, groups, costs)
    solved = _solved(program)
    if solved is None:
        return _without_point(instance, "configuration", program)
    return Relaxation(
        instance,
        "configuration",
        solved.bound if solved.is_exact else None,
        solved.bound,
        _shares(groups, solved),
        tuple(solved.duals),
    )


def _of_levels(
    instance: Instance, priced: Priced, groups: IntArray, costs: IntArray
) -> Relaxation:
    """Bisect the least cost that groups with shares may have.

    The groups up to a cost either have shares, or what they lack is proved to be more
    than 0.
    """
    levels = np.unique(costs)
    low, high = 0, len(levels)
    shares: tuple[tuple[tuple[int, ...], Fraction], ...] | None = None
    refuted: _Solved | None = None
    while low < high:
        middle = (low + high) // 2
        some = groups[costs <= levels[middle]]
        program = _partition(priced, some, np.zeros_like(some))
        solved = _solved(_lacking(program))
        if solved is not None and solved.is_exact and solved.bound == 0:
            shares, high = _shares(some, solved), middle
        else:
            low, refuted = middle + 1, solved
    duals = () if refuted is None else tuple(refuted.duals)
    proved = low == 0 or (refuted is not None and refuted.bound > 0)
    if shares is not None and proved:
        value = Fraction(int(levels[low]))
        return Relaxation(instance, "configuration", value, value, shares, duals)
    bound = None if proved or not len(levels) else Fraction(int(levels[0]))
    return Relaxation(instance, "configuration", None, bound, shares or (), duals)


def _shares(
    groups: IntArray, solved: _Solved
) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Return the groups that have a share, by their items."""
    return tuple(
        (tuple(i for i in range(group.bit_length()) if group >> i & 1), share)
        for group, share in zip(groups.tolist(), solved.point, strict=False)
        if share
    )


def _partition(priced: Priced, groups: IntArray, costs: IntArray) -> _Program:
    """Return the program of the shares of groups."""
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
    matrix = sparse.csr_array(np.array(entries, dtype=np.int64))
    most = np.full(len(groups), priced.most_groups, dtype=np.int64)
    return _Program(costs, matrix, np.array(lower), np.array(upper), most)


def _lacking(program: _Program) -> _Program:
    """Return the program of the least lack: rows may miss their sides by so much."""
    count = len(program.lower)
    each = sparse.csr_array(sparse.identity(count, dtype=np.int64))
    reach = abs(program.rows) @ program.most
    reach += sum(
        np.where(np.abs(sides) < INFINITE, np.abs(sides), 0)
        for sides in (program.lower, program.upper)
    )
    return _Program(
        np.repeat([0, 1], [len(program.costs), 2 * count]),
        sparse.csr_array(sparse.hstack((program.rows, each, -each))),
        program.lower,
        program.upper,
        np.concatenate((program.most, reach, reach)),
    )


def _solved(program: _Program) -> _Solved | None:
    """Return a rational optimum, or the best bound found; None if there is no point."""
    lp = GrowingLp(_sides(program.lower), _sides(program.upper))
    lp.add_columns(
        program.rows.T, program.costs.astype(np.float64), program.most.astype(float)
    )
    found = lp.solve(Budget())
    if found is None:
        return None
    best: _Solved | None = None
    for most in _DENOMINATORS:
        duals = _rational(found.duals, most)
        bound = _proved(program, duals)
        point = _rational(found.primal, most)
        exact = _cost(program, point) == bound and _holds(program, point)
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


def _times(matrix: sparse.csr_array[Any], values: NDArray[Any]) -> NDArray[Any]:
    """Multiply exactly: in 64 bits where sums fit."""
    greatest = max(map(abs, values), default=0)
    widest = int(abs(matrix).sum(axis=1).max()) if matrix.nnz else 0
    if greatest * widest < _WORD:
        return np.asarray(matrix @ values.astype(np.int64), dtype=object)
    spans = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    return np.array(
        [
            sum(
                int(factor) * values[j]
                for factor, j in zip(
                    matrix.data[low:high], matrix.indices[low:high], strict=True
                )
            )
            for low, high in spans
        ],
        dtype=object,
    )


def _cost(program: _Program, point: Sequence[Fraction]) -> Fraction:
    pairs = zip(program.costs.tolist(), point, strict=True)
    return sum((cost * share for cost, share in pairs if share), Fraction(0))


def _holds(program: _Program, point: Sequence[Fraction]) -> bool:
    """Tell whether a point satisfies every row and bound, exactly."""
    values, scale = _scaled(point)
    sums = _times(program.rows, values)
    return all(
        (low <= -INFINITE or total >= low * scale)
        and (high >= INFINITE or total <= high * scale)
        for total, low, high in zip(
            sums, program.lower.tolist(), program.upper.tolist(), strict=True
        )
    ) and all(
        0 <= value <= most * scale
        for value, most in zip(values, program.most.tolist(), strict=True)
    )


def _proved(program: _Program, duals: list[Fraction]) -> Fraction:
    """Return what multipliers prove; those of sides that are none are set to 0."""
    total = Fraction(0)
    for i, (low, high) in enumerate(
        zip(program.lower.tolist(), program.upper.tolist(), strict=True)
    ):
        side = low if duals[i] > 0 else high
        if abs(side) >= INFINITE:
            duals[i] = Fraction(0)
        total += duals[i] * side
    values, scale = _scaled(duals)
    columns = sparse.csr_array(program.rows.T)
    reduced = program.costs.astype(object) * scale - _times(columns, values)
    lost = sum(
        cost * most
        for cost, most in zip(reduced, program.most.tolist(), strict=True)
        if cost < 0
    )
    return total + Fraction(lost, scale)
