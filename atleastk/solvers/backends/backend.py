"""The interface of back ends, and checks of everything that a back end claims.

A back end minimises a :class:`~atleastk.models.linear.LinearModel`. Whatever it claims
passes :class:`Claims`, where

- a point is checked against the model in exact integers, and its cost recomputed;
- a bound above the cost of a known point is a `WrongAnswerError`, and so is
  infeasibility beside a known point;
- a status is never copied: OPTIMAL means that the bound meets the recomputed cost.

Floating-point bounds are lowered by 10^-6 relative (at most by 1/4), then rounded up:
the objective is an integer.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar, Final, NoReturn, Protocol, TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError, WrongAnswerError
from atleastk.models.in_time import OFTEN, look_up
from atleastk.models.linear import LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.precision import SURE

OnAnswer = Callable[[IntArray], object]
OnBound = Callable[[int], object]
T = TypeVar("T")

EXACT: Final = 2**53
"""Doubles represent all integers up to here exactly."""


def looking_up(items: Iterable[T]) -> Iterator[T]:
    """Yield the parts of a model, and look up now and then."""
    for number, item in enumerate(items):
        if number % OFTEN == 0:
            look_up()
        yield item


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The tree of a branch-and-bound run, as its solver tells of it, unchecked."""

    root: float | None  # its bound before it was divided; None if it ended before
    nodes: int  # how many were explored; 0 if presolve closed the model


@dataclass(frozen=True, slots=True)
class Answer:
    """What a back end found on a model."""

    status: Status
    values: IntArray | None  # the best point found, which the model admits
    cost: int | None  # recomputed from the point
    bound: int | None  # no point costs less; None if nothing is known
    backend: str
    tree: Tree | None = None  # of the run, of a solver that tells of it

    def __post_init__(self) -> None:
        match self.status:
            case Status.OPTIMAL:
                fits = self.cost is not None and self.bound == self.cost
            case Status.FEASIBLE:
                fits = self.cost is not None and (
                    self.bound is None or self.bound < self.cost
                )
            case Status.INFEASIBLE:
                fits = self.cost is None and self.bound is None
            case Status.UNKNOWN:
                fits = self.cost is None
        if not fits or (self.values is None) != (self.cost is None):
            raise ValueError(
                f"{self.backend}: status {self.status} does not fit cost {self.cost} "
                f"and bound {self.bound}"
            )

    def tell(self, found: OnAnswer, proved: OnBound) -> None:
        """Tell of the point and of the bound, as a run tells of those on the way."""
        if self.values is not None:
            found(self.values)
        if self.bound is not None:
            proved(self.bound)


class Judge(Protocol):
    """Checks whether a point is feasible, and computes its cost."""

    def admits(self, values: IntArray, /) -> bool: ...

    def cost(self, values: IntArray, /) -> int: ...


def rounded_up(bound: float) -> int | None:
    """Return the integer bound that a floating-point bound safely implies."""
    if not math.isfinite(bound):
        return None
    return math.ceil(bound - min(0.25, 1e-6 * max(1.0, abs(bound))))


def box_bound(model: LinearModel) -> int:
    """Return the least cost that the bounds of the variables allow, rows ignored."""
    return sum(
        cost * int(model.lower[j] if cost > 0 else model.upper[j])
        for j in model.objective.nonzero()[0]
        for cost in (int(model.objective[j]),)
    )


def clean_rows(model: LinearModel) -> sparse.csr_array[Any]:
    """Return the rows without repeated indices and zero coefficients."""
    rows = model.rows.copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return rows


def refuse_sums_above(model: LinearModel, limit: int, backend: str) -> None:
    """Raise NotApplicableError if a row or the objective can exceed `limit`."""
    reach = np.maximum(np.abs(model.lower), np.abs(model.upper))
    sizes = abs(model.rows).astype(np.float64) @ reach.astype(np.float64)
    sums = np.append(sizes, np.abs(model.objective).astype(np.float64) @ reach)
    for r in np.flatnonzero(sums > SURE * limit).tolist():
        row = model.objective if r == len(sizes) else model.rows[[r]].toarray()[0]
        used = row.nonzero()[0]
        terms = zip(row[used].tolist(), reach[used].tolist(), strict=True)
        widest = sum(abs(factor) * most for factor, most in terms)
        if widest > limit:
            refuse_sum(widest, limit, backend)


def refuse_sum(reach: int, limit: int, backend: str) -> NoReturn:
    """Raise NotApplicableError: a sum can exceed what the back end holds exactly."""
    raise NotApplicableError(
        f"{backend} cannot take this model: a sum can reach {reach:.3g}, above "
        f"{limit:.3g}; divide the data by a common factor"
    )


class Claims:
    """All claims of a back end about one model so far, each of them checked.

    Solvers report from threads of their own and cannot carry an exception across
    their frames. So :meth:`found` and :meth:`proved` never raise: the first error ends
    the run through the interrupt of :meth:`stopping` and is raised by :meth:`answer`.

    Parameters
    ----------
    floor
        A lower bound known beforehand.
    hint
        A point known beforehand, if it is admitted.
    """

    def __init__(
        self,
        judge: Judge,
        backend: str,
        *,
        floor: int | None = None,
        hint: IntArray | None = None,
        on_answer: OnAnswer | None = None,
        on_bound: OnBound | None = None,
    ) -> None:
        self._judge, self._backend = judge, backend
        self._on_answer, self._on_bound = on_answer, on_bound
        self._lock = threading.RLock()
        self._failure: Exception | None = None
        self._closed = False
        self._interrupt: Callable[[], object] | None = None
        self.bound = floor
        self.values: IntArray | None = None
        self.cost: int | None = None
        if hint is not None and judge.admits(hint):
            self.values, self.cost = hint.copy(), judge.cost(hint)

    @property
    def halfway(self) -> int | None:
        """The middle of the open costs, from the bound to below the cost; None if none.

        Once a claim was wrong, none is open.
        """
        cost, bound = self.cost, self.bound
        if cost is None or bound is None or cost == bound or self._failure is not None:
            return None
        return (bound + cost - 1) // 2

    @contextmanager
    def stopping(
        self, budget: Budget, interrupt: Callable[[], object]
    ) -> Iterator[None]:
        """Interrupt the solver in the body if the budget is spent or a claim failed."""
        self._interrupt = interrupt
        try:
            with budget.calling(interrupt):
                yield
        finally:
            self._interrupt = None

    def found(self, values: IntArray) -> None:
        """Record a point that the solver found."""
        self._take(self._found, values)

    def proved(self, bound: int) -> None:
        """Record a lower bound that the solver proved."""
        self._take(self._proved, bound)

    def answer(
        self, status: Status, values: IntArray | None = None, bound: int | None = None
    ) -> Answer:
        """Return the checked answer, given what the solver says at its end.

        Later claims are ignored.

        Raises
        ------
        WrongAnswerError
            If a claim was wrong, or the status says that there is a point where there
            is none, or none where there is one.
        """
        if values is not None:
            self.found(values)
        if bound is not None:
            self.proved(bound)
        with self._lock:
            self._closed = True
        if self._failure is not None:
            raise self._failure
        name, cost, known = self._backend, self.cost, self.bound
        if status is Status.INFEASIBLE:
            if cost is not None:
                raise WrongAnswerError(
                    f"{name} calls infeasible what a point of cost {cost} solves"
                )
            return Answer(status, None, None, None, name)
        if cost is not None:
            status = Status.OPTIMAL if known == cost else Status.FEASIBLE
        elif status is not Status.UNKNOWN:
            raise WrongAnswerError(f"{name} claims {status} without a point")
        return Answer(status, self.values, cost, known, name)

    def _take(self, take: Callable[[T], None], claim: T) -> None:
        with self._lock:
            if self._closed or self._failure is not None:
                return
            try:
                take(claim)
            except Exception as error:  # raised again by `answer`
                self._failure = error
                if self._interrupt is not None:
                    self._interrupt()

    def _found(self, values: IntArray) -> None:
        if not self._judge.admits(values):
            raise WrongAnswerError(
                f"{self._backend} returned a point that the model does not admit"
            )
        cost = self._judge.cost(values)
        if self.cost is not None and cost >= self.cost:
            return
        self._refuse_above(self.bound, cost)
        self.values, self.cost = values, cost
        if self._on_answer is not None:
            self._on_answer(values)

    def _proved(self, bound: int) -> None:
        if self.bound is not None and bound <= self.bound:
            return
        self._refuse_above(bound, self.cost)
        self.bound = bound
        if self._on_bound is not None:
            self._on_bound(bound)

    def _refuse_above(self, bound: int | None, cost: int | None) -> None:
        """Raise WrongAnswerError if a bound exceeds the cost of a known point."""
        if bound is not None and cost is not None and bound > cost:
            raise WrongAnswerError(
                f"{self._backend} claims that nothing costs less than {bound}, but a "
                f"point of cost {cost} is known"
            )


class Backend(ABC):
    """Base class of back ends: checks models, prepares claims, leaves the run open."""

    __slots__ = ()

    family: ClassVar[str]  # of solvers: CP-SAT, MILP or SAT
    package: ClassVar[str]  # that is installed for it

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called in messages and records."""

    def version(self) -> str:
        """Return the version of the solver, or of its package."""
        return version(self.package)

    def missing(self) -> str | None:
        """Return what to install before it can be used, None if nothing."""
        return None

    def minimise(
        self,
        model: LinearModel,
        budget: Budget,
        *,
        hint: IntArray | None = None,
        on_answer: OnAnswer | None = None,
        on_bound: OnBound | None = None,
    ) -> Answer:
        """Minimise a model within a budget.

        Parameters
        ----------
        hint
            A point to start from. If the model admits it, it is the first point known
            and the answer is never worse.
        on_answer
            Given every better point while the solver works, checked.
        on_bound
            Given every better lower bound while the solver works.

        Raises
        ------
        NotApplicableError
            If the solver cannot take the model.
        WrongAnswerError
            If the solver contradicts the model or itself.
        """
        self._refuse(model)
        claims = Claims(
            model,
            self.name,
            floor=box_bound(model),
            hint=hint,
            on_answer=on_answer,
            on_bound=on_bound,
        )
        if model.impossible:
            return claims.answer(Status.INFEASIBLE)
        if budget.spent:
            return claims.answer(Status.UNKNOWN)
        with budget.awaiting():
            return self._run_on(model, budget, claims, hint)
        return claims.answer(Status.UNKNOWN)

    def _refuse(self, model: LinearModel) -> None:
        """Raise NotApplicableError if the solver cannot take the model."""
        refuse_sums_above(model, EXACT, self.name)

    @abstractmethod
    def _run_on(
        self,
        model: LinearModel,
        budget: Budget,
        claims: Claims,
        hint: IntArray | None,
    ) -> Answer:
        """Run the solver on a model whose rows are no contradiction in themselves.

        What builds it for the solver looks up: see `atleastk.models.in_time`.
        """
