"""Warming up: what is compiled once is compiled ahead, for images and clusters.

A loop is compiled when it is first called. So small instances of every family, and one
of some hundred items, are solved by every method: a new loop needs no entry anywhere.
What only larger instances or rarer options call is left for the run that needs it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from atleastk import api
from atleastk.instances.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.registry import PROBLEMS, problem_named
from atleastk.solvers.compiled.compile import loops_compiled
from atleastk.solvers.compiled.rows import FEW
from atleastk.solving import AUTO
from atleastk.work import Work

__all__ = ["warm_up"]

_SECONDS: Final = 2.0
"""The time limit of each run in seconds, without what it compiles."""

_MANY: Final = 3 * FEW
"""Items of an instance that is not small."""


def warm_up(*problems: str) -> int:
    """Compile ahead what solving, approximating and certifying call.

    It takes some minutes, once after an installation; what is compiled is kept beside
    the package, or in the folder that the environment calls ``NUMBA_CACHE_DIR``.

    Parameters
    ----------
    problems
        The names of the problems; all of them by default.

    Returns
    -------
    int
        How many loops were compiled, without those that had been compiled before.
    """
    before = loops_compiled()
    for problem in map(problem_named, problems or PROBLEMS):
        for family in problem.families:
            _solve(family.make(0, **family.parameters), AUTO)
        family = problem.families[0]
        small = family.make(0, **family.parameters)
        for method in problem.methods:
            _solve(small, method.name)
        if "n" in family.parameters:
            large = family.make(0, **{**family.parameters, "n": _MANY})
            _solve(large, AUTO)
            for algorithm in problem.algorithms:
                with suppress(NotApplicableError):
                    api.approximate(large, algorithm.name)
    return loops_compiled() - before


def _solve(instance: Instance, method: str) -> None:
    """Solve an instance within a moment, if the method takes it."""
    with suppress(NotApplicableError):
        outcome = Work.of(_SECONDS, method=method).solve(instance, certify=True)
        if outcome.signalled is not None:
            raise KeyboardInterrupt
