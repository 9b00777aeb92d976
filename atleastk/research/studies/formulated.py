"""Formulations among the exact methods of a study: what HiGHS alone makes of a model.

``model:NAME`` is the formulation NAME as it stands: no start, no bound and no reduction
of the package helps. What HiGHS tells of its tree, the bound at the root and the number
of nodes, is that of the formulation; no other back end tells both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from atleastk.research.formulating import formulation_named
from atleastk.runs.ask import AUTO
from atleastk.runs.registry import method_named
from atleastk.solvers.backends.backend import Tree
from atleastk.solvers.backends.highs import EVERY_LINE, Highs
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.modelled import refusing
from atleastk.solvers.method import Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

MODEL: Final = "model:"
"""What the names of formulations begin with."""


def expect_method(problem: Problem[Any], name: str) -> None:
    """Raise `UnknownNameError` if a study cannot run an exact method of this name."""
    if name.startswith(MODEL):
        formulation_named(problem, name.removeprefix(MODEL))
    elif name != AUTO:
        method_named(problem, name)


def with_model(problem: Problem[Any], name: str, trees: list[Tree]) -> Problem[Any]:
    """Return a problem with the method of a formulation, if `name` is one.

    The tree of every run is appended to `trees`, if HiGHS has one.
    """
    if not name.startswith(MODEL):
        return problem
    formulation = formulation_named(problem, name.removeprefix(MODEL))
    backend = Highs(EVERY_LINE)

    def run(search: Search[Any]) -> None:
        encoding = formulation.encoded(search.instance)
        answer = minimise_encoded(search, encoding, backend, name)
        trees.extend([] if answer.tree is None else [answer.tree])

    summary, family = formulation.summary, backend.family
    method = Method(name, summary, family, run, refusing(formulation.encoded))
    return replace(problem, methods=(*problem.methods, method))
