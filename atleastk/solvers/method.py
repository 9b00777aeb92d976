"""Methods, algorithms and problems: what the registry is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from atleastk.instances.family import Family
from atleastk.instances.instance import Instance
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.solution import Solution, Verdict
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Proof, Search

__all__ = ["Algorithm", "Family", "Method", "Problem", "takes_all"]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


def takes_all(_instance: Any) -> str | None:
    """Refuse no instance."""
    return None


@dataclass(frozen=True, slots=True)
class Method(Generic[I]):
    """An exact method: given time it proves an optimum.

    Attributes
    ----------
    family
        The solver family: ``"CP-SAT"``, ``"MILP"``, ``"SAT"`` or ``"combinatorial"``.
        Two methods of different families are unrelated.
    run
        Works on a search until it is done.
    refuses
        Says why the method cannot take an instance, or None if it can.
    polynomial
        Whether it takes polynomial time.
    """

    name: str
    summary: str
    family: str
    run: Callable[[Search[I]], None]
    refuses: Callable[[I], str | None] = takes_all
    polynomial: bool = False

    @property
    def counts_work(self) -> bool:
        """Whether it keeps a limit on work: all that may take long counts it."""
        return self.polynomial or self.family == "CP-SAT"


@dataclass(frozen=True, slots=True)
class Algorithm(Generic[I]):
    """An approximation algorithm of a paper.

    Attributes
    ----------
    run
        Returns a solution of a feasible instance; the second argument is a seed.
    guarantee
        What the paper promises of the cost; None if nothing.
    refuses
        Says why the algorithm cannot take an instance, or None if it can.
    """

    name: str
    summary: str
    run: Callable[[I, int], Solution]
    guarantee: Guarantee | None = None
    refuses: Callable[[I], str | None] = takes_all

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


@dataclass(frozen=True)
class Problem(Generic[I]):
    """Everything atleastk knows of one problem: its entry in the registry."""

    name: str
    """The name of the problem in files and on the command line."""
    question: str
    instance: type[I]
    check: Callable[[I, Solution], Verdict]
    check_certificate: Callable[[I, Mapping[str, Any], int | None], None]
    """Raises CertificateError unless the certificate proves the bound (None: that the
    instance is infeasible)."""
    first: Callable[[I], Iterable[tuple[str, Solution]]]
    """Gives solutions and their names, by about one pass over the instance each: no
    search, no compiled loop, no budget. They may break a limit; none are given where
    counting shows that there are none."""
    solve: Callable[[Search[I]], None]
    """The automatic choice of methods."""
    methods: Sequence[Method[I]]
    algorithms: Sequence[Algorithm[I]]
    families: Sequence[Family[I]]
    certify: Callable[[I, int | None, Budget], Mapping[str, Any] | None] | None
    """Looks for a certificate of a bound that is known to hold (None: that the instance
    is infeasible)."""
    certify_less: Callable[[I, int, Budget], Proof | None] | None
    """Looks for the greatest bound up to one known to hold that is quickly certified;
    None: the certificates that `solve` leaves behind are as good."""
