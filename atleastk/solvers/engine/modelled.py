"""Methods that minimise one model of the whole problem, made from their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from atleastk.instances.instance import Instance
from atleastk.models.encodings.encoding import Encoding, SolutionEncoding
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.method import Method, takes_all
from atleastk.solvers.search import Search

__all__ = ["Begin", "begun", "modelled"]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

Begin = Callable[[Search[I], str], bool]
"""Reports trivial answers under the name of a source; returns whether work is left."""


def begun(
    begin: Begin[I], minimise: Callable[[Search[I], str], None], source: str
) -> Callable[[Search[I]], None]:
    """Return the run that minimises if the beginning leaves anything to do."""

    def run(search: Search[I]) -> None:
        if begin(search, source):
            minimise(search, source)

    return run


def modelled(
    name: str,
    summary: str,
    encode: Callable[[I], Encoding | SolutionEncoding],
    backend: Backend,
    begin: Begin[I],
    refuses: Callable[[I], str | None] = takes_all,
) -> Method[I]:
    """Return the method that minimises one encoding of the whole problem.

    Parameters
    ----------
    encode
        May raise NotApplicableError, for what `refuses` refuses.
    begin
        Comes first, so that the back end has a solution to start from.
    """

    def minimise(search: Search[I], source: str) -> None:
        minimise_encoded(search, encode(search.instance), backend, source)

    return Method(name, summary, backend.family, begun(begin, minimise, name), refuses)
