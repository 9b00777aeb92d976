"""Methods and algorithms: what a problem has of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from atleastk.instances.instance import Instance
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.solution import Solution
from atleastk.solvers.search import Search

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


def takes_all(_instance: Any) -> str | None:
    """Refuse no instance."""
    return None


@dataclass(frozen=True, slots=True)
class Method(Generic[I]):
    """An exact method: given time it proves an optimum."""

    name: str
    summary: str
    family: str
    """The solver family: ``"CP-SAT"``, ``"MILP"``, ``"SAT"`` or ``"combinatorial"``.
    Two methods of different families are unrelated."""
    run: Callable[[Search[I]], None] = field(repr=False)
    """Works on a search until it is done."""
    refuses: Callable[[I], str | None] = field(default=takes_all, repr=False)
    """Says why the method cannot take an instance, or None if it can."""
    polynomial: bool = False
    """Whether it takes polynomial time."""

    @property
    def counts_work(self) -> bool:
        """Whether it keeps a limit on work: all that may take long counts it."""
        return self.polynomial or self.family == "CP-SAT"


@dataclass(frozen=True, slots=True)
class Algorithm(Generic[I]):
    """An approximation algorithm of a paper."""

    name: str
    summary: str
    run: Callable[[I, int], Solution] = field(repr=False)
    """Returns a solution of a feasible instance; the second argument is a seed."""
    guarantee: Guarantee | None = None
    """What the paper promises of the cost; None if nothing."""
    refuses: Callable[[I], str | None] = field(default=takes_all, repr=False)
    """Says why the algorithm cannot take an instance, or None if it can."""

    @property
    def promise(self) -> str:
        """What the paper promises, in a few words; none without a guarantee."""
        return "none" if self.guarantee is None else self.guarantee.promise

    @property
    def theorem(self) -> str:
        """Where the guarantee is proved; empty without one."""
        return "" if self.guarantee is None else self.guarantee.theorem

    @property
    def hypotheses(self) -> str:
        """What must hold of an instance for the guarantee; empty if nothing must."""
        return "" if self.guarantee is None else self.guarantee.hypotheses
