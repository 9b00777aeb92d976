"""Formulations among the exact methods of a study: what a solver alone makes of them.

``model:NAME`` is the formulation NAME as it stands, in HiGHS, ``cp-sat:NAME`` the same
in CP-SAT: no start, no bound and no reduction of the package helps. ``compact`` is the
usual formulation of an instance. What HiGHS tells of its tree, the bound at the root
and the number of nodes, is that of the formulation; no other back end tells both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from atleastk.instances.fields.errors import UnknownNameError
from atleastk.instances.instance import Instance
from atleastk.models.encodings.encoding import Encoding
from atleastk.research.formulating import COMPACT, formulation_named, formulation_of
from atleastk.runs.ask import AUTO
from atleastk.runs.registry import method_named
from atleastk.solvers.backends.backend import Backend, Tree
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import EVERY_LINE, Highs
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.modelled import refusing
from atleastk.solvers.method import Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

_SOLVERS: Final[Mapping[str, Backend]] = {"model": Highs(EVERY_LINE), "cp-sat": CpSat()}
"""The back ends by what the names of their methods begin with."""

_APART: Final = ":"
"""What parts the name of a solver from that of a formulation."""


def expect_method(problem: Problem[Any], name: str) -> None:
    """Raise `UnknownNameError` if a study cannot run an exact method of this name."""
    if name == AUTO:
        return
    solver, apart, formulation = name.partition(_APART)
    if not apart:
        method_named(problem, name)
    elif solver not in _SOLVERS:
        known = " and ".join(f"{each}{_APART}NAME" for each in _SOLVERS)
        raise UnknownNameError(f'no solver of models is called "{solver}"; {known} are')
    elif formulation != COMPACT or not problem.formulations:
        formulation_named(problem, formulation)


def with_model(problem: Problem[Any], name: str, trees: list[Tree]) -> Problem[Any]:
    """Return a problem with the method of a formulation, if `name` is one.

    The tree of every run is appended to `trees`, if the solver has one.
    """
    solver, apart, formulation = name.partition(_APART)
    if not apart:
        return problem
    backend = _SOLVERS[solver]

    def encoded(instance: Instance) -> Encoding:
        return formulation_of(instance, formulation).encoded(instance)

    def run(search: Search[Any]) -> None:
        answer = minimise_encoded(search, encoded(search.instance), backend, name)
        trees.extend([] if answer.tree is None else [answer.tree])

    summary = f"the formulation {formulation} as it stands, in {backend.name}"
    method = Method(name, summary, backend.family, run, refusing(encoded))
    return replace(problem, methods=(*problem.methods, method))
