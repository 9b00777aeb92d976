"""A solver-neutral linear model over bounded integers.

minimise  objective . x   subject to   row_lower <= A x <= row_upper,
                                       lower <= x <= upper,  x integer.

All data are exact 64-bit integers in sparse arrays, so that CP-SAT, a MILP solver and a
SAT solver can take the same model, and a returned point is re-checked exactly here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.in_time import OFTEN, look_up
from atleastk.packages import sparse

INFINITE = 2**62
"""A bound of a row of at least this magnitude is no bound."""


_LISTED = 3
"""Variables up to which the name of a row lists them."""

Label = tuple[str | int, ...]
"""What a variable stands for: a letter, and the indices of what it is about."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A linear model over bounded integers; see the module."""

    objective: IntArray
    lower: IntArray
    upper: IntArray
    rows: sparse.csr_array[Any]
    row_lower: IntArray
    row_upper: IntArray
    labels: Sequence[Label] = ()
    """What the variables stand for; empty if nobody will read it."""

    def __post_init__(self) -> None:
        shape = len(self.row_lower), len(self.objective)
        ends = len(self.row_upper), len(self.lower)
        if self.rows.shape != shape or ends != shape or len(self.upper) != shape[1]:
            raise ValueError(
                f"expected rows and bounds of shape {shape}, got {self.rows.shape}"
            )

    @property
    def columns(self) -> int:
        """The number of variables."""
        return len(self.objective)

    @property
    def names(self) -> list[str]:
        """The names of the variables in files, such as ``x_3_0``; all are different."""
        return ["_".join(map(str, label)) for label in self._labels]

    @property
    def row_names(self) -> list[str]:
        """The names of the rows in files, after their variables; all are different.

        Up to three are listed. Of more, ``x_3_all_o_3`` are x_3_j for several j, and
        o_3. Rows of the same name are told apart by a number: ``x_3_all_o_3__2``.
        """
        labels, names, times = self._labels, list[str](), Counter[str]()
        for pairs in terms_of(self.rows):
            parts = [labels[j] for j, _ in pairs]
            if len(parts) > _LISTED:
                letters: dict[str | int, list[Label]] = {}
                for letter, *indices in parts:
                    letters.setdefault(letter, []).append(tuple(indices))
                parts = [(letter, *_common(own)) for letter, own in letters.items()]
            name = "_".join(map(str, chain.from_iterable(parts)))
            times[name] += 1
            names.append(name if times[name] == 1 else f"{name}__{times[name]}")
        return names

    @property
    def _labels(self) -> Sequence[Label]:
        labels = self.labels or [()] * self.columns
        return [label or ("v", j) for j, label in enumerate(labels)]

    @property
    def is_decision(self) -> bool:
        """Whether there is nothing to minimise."""
        return not self.objective.any()

    @property
    def magnitude(self) -> int:
        """The greatest absolute value among coefficients and finite bounds."""
        bounds = self.lower, self.upper, self.row_lower, self.row_upper
        found = np.abs(np.concatenate((self.rows.data, self.objective, *bounds)))
        return int(found[found < INFINITE].max(initial=0))

    @property
    def impossible(self) -> bool:
        """Whether the bounds alone are contradictory.

        That is so if a lower bound exceeds its upper one, or if a row without variables
        excludes 0. Solvers disagree on how to report such models.
        """
        crossed = (self.row_lower > self.row_upper).any()
        used = np.zeros(len(self.row_lower), dtype=bool)
        used[self.rows.nonzero()[0]] = True
        missed = ~used & ((self.row_lower > 0) | (self.row_upper < 0))
        return bool(crossed or missed.any() or (self.lower > self.upper).any())

    def cost(self, values: IntArray) -> int:
        """Return the objective value of a point, exactly."""
        return sum(
            int(self.objective[j]) * int(values[j]) for j in self.objective.nonzero()[0]
        )

    def admits(self, values: IntArray) -> bool:
        """Tell whether a point satisfies every bound and row, exactly."""
        if (values < self.lower).any() or (values > self.upper).any():
            return False
        activity = exact_product(self.rows, values)
        above = (self.row_lower <= -INFINITE) | (activity >= self.row_lower)
        below = (self.row_upper >= INFINITE) | (activity <= self.row_upper)
        return bool((above & below).all())


def _common(indices: Sequence[Label]) -> Label:
    """Return the indices of several variables, with ``all`` for those that differ.

    Of sets of items, as of patterns, those in all of them.
    """
    if len({*map(len, indices)}) > 1:
        within = set(indices[0]).intersection(*indices)
        return tuple(i for i in indices[0] if i in within) or ("all",)
    columns = zip(*indices, strict=True)
    return tuple(own[0] if len({*own}) == 1 else "all" for own in columns)


def terms_of(rows: sparse.csr_array[Any]) -> Iterator[list[tuple[int, int]]]:
    """Yield the variables of every row, each with its factor."""
    pairs = [*zip(rows.indices.tolist(), rows.data.tolist(), strict=True)]
    yield from (pairs[start:end] for start, end in pairwise(rows.indptr.tolist()))


def exact_product(rows: sparse.csr_array[Any], values: NDArray[Any]) -> NDArray[Any]:
    """Return the value of every row, in 64 bits only if no sum can leave them."""
    point = values.tolist()
    if max(map(abs, point), default=0) < INFINITE:
        whole = values.astype(np.int64)
        reach = abs(rows).astype(np.float64) @ np.abs(whole.astype(np.float64))
        if reach.max(initial=0.0) < INFINITE:
            exact: NDArray[Any] = rows @ whole
            return exact
    sums = [sum(factor * point[j] for j, factor in row) for row in terms_of(rows)]
    return np.array(sums, dtype=object)


class LinearModelBuilder:
    """Collects variables and rows, then builds a :class:`LinearModel`."""

    def __init__(self) -> None:
        self._objective: list[int] = []
        self._lower: list[int] = []
        self._upper: list[int] = []
        self._labels: list[Label] = []
        self._starts: list[int] = [0]
        self._indices: list[int] = []
        self._coefficients: list[int] = []
        self._row_lower: list[int] = []
        self._row_upper: list[int] = []

    @classmethod
    def of(cls, model: LinearModel) -> LinearModelBuilder:
        """Return a builder that begins with the variables and rows of a model."""
        builder = cls()
        builder._objective = model.objective.tolist()
        builder._lower, builder._upper = model.lower.tolist(), model.upper.tolist()
        builder._labels = list(model.labels) or [()] * model.columns
        builder._starts = model.rows.indptr.tolist()
        builder._indices = model.rows.indices.tolist()
        builder._coefficients = model.rows.data.tolist()
        builder._row_lower = model.row_lower.tolist()
        builder._row_upper = model.row_upper.tolist()
        return builder

    def variable(self, lower: int, upper: int, cost: int = 0, *label: str | int) -> int:
        """Add a variable and return its index; its label says what it stands for."""
        self._labels.append(label)
        self._lower.append(lower)
        self._upper.append(upper)
        self._objective.append(cost)
        return len(self._objective) - 1

    def binaries(self, count: int, *label: str | int, cost: int = 0) -> range:
        """Add `count` 0/1 variables, numbered in their labels; return their indices."""
        start = len(self._objective)
        for i in range(count):
            self.variable(0, 1, cost, *(label and (*label, i)))
        return range(start, start + count)

    def row(
        self,
        indices: Iterable[int],
        coefficients: Iterable[int] | int = 1,
        *,
        at_least: int = -INFINITE,
        at_most: int = INFINITE,
    ) -> None:
        """Add ``at_least <= sum coefficient * x <= at_most``."""
        if len(self._row_lower) % OFTEN == 0:
            look_up()
        chosen = list(indices)
        factors: Sequence[int] = (
            [coefficients] * len(chosen)
            if isinstance(coefficients, int)
            else list(coefficients)
        )
        if len(factors) != len(chosen):
            raise ValueError(f"{len(chosen)} indices but {len(factors)} coefficients")
        self._indices.extend(chosen)
        self._coefficients.extend(factors)
        self._starts.append(len(self._indices))
        self._row_lower.append(at_least)
        self._row_upper.append(at_most)

    def equation(
        self, indices: Iterable[int], coefficients: Iterable[int] | int, value: int
    ) -> None:
        """Add ``sum coefficient * x = value``."""
        self.row(indices, coefficients, at_least=value, at_most=value)

    def build(self) -> LinearModel:
        """Return the model."""
        shape = (len(self._row_lower), len(self._objective))
        starts = np.array(self._starts, dtype=np.int64)
        indices = np.array(self._indices, dtype=np.int64)
        entries = _exact(self._coefficients)
        return LinearModel(
            objective=_exact(self._objective),
            lower=_exact(self._lower),
            upper=_exact(self._upper),
            rows=sparse.csr_array((entries, indices, starts), shape=shape),
            row_lower=_exact(self._row_lower),
            row_upper=_exact(self._row_upper),
            labels=self._labels,
        )


Costs = tuple[IntArray | Sequence[int], IntArray | int]
"""Variables, and their costs."""


class ArrayModelBuilder:
    """Collects variables and rows as arrays, then builds a :class:`LinearModel`."""

    def __init__(self) -> None:
        self.columns = self.rows = 0
        self._upper: list[IntArray] = []
        self._entries: list[tuple[IntArray, IntArray, IntArray]] = []
        self._bounds: list[tuple[IntArray, IntArray]] = []

    def variables(self, upper: IntArray | Sequence[int]) -> IntArray:
        """Add variables between 0 and these bounds."""
        bounds = np.asarray(upper, dtype=np.int64)
        self._upper.append(bounds)
        self.columns += len(bounds)
        return np.arange(self.columns - len(bounds), self.columns)

    def add(
        self,
        count: int,
        *terms: tuple[Any, Any, Any],
        at_least: Any = -INFINITE,
        at_most: Any = INFINITE,
    ) -> None:
        """Add rows; a term is (row among them, variable, factor), as arrays."""
        look_up()
        for term in terms:
            row, variable, factor = (
                np.ravel(a).astype(np.int64) for a in np.broadcast_arrays(*term)
            )
            self._entries.append((row + self.rows, variable, factor))
        whole = np.zeros(count, dtype=np.int64)
        self._bounds.append((whole + at_least, whole + at_most))
        self.rows += count

    def build(self, *costs: Costs) -> LinearModel:
        """Return the model that minimises the sum of costs."""
        row, column, data = (
            np.concatenate(parts) for parts in zip(*self._entries, strict=True)
        )
        objective = np.zeros(self.columns, dtype=np.int64)
        for variables, factors in costs:
            objective[variables] = factors
        entries = sparse.coo_array(
            (data, (row, column)), shape=(self.rows, self.columns)
        )
        return LinearModel(
            objective=objective,
            lower=np.zeros(self.columns, dtype=np.int64),
            upper=np.concatenate(self._upper),
            rows=sparse.csr_array(entries),
            row_lower=np.concatenate([low for low, _ in self._bounds]),
            row_upper=np.concatenate([high for _, high in self._bounds]),
        )


def _exact(numbers: Sequence[int]) -> IntArray:
    try:
        return np.array(numbers, dtype=np.int64)
    except OverflowError as error:
        raise NotApplicableError(
            "the numbers of the model are too large for 64 bits"
        ) from error
