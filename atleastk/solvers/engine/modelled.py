"""The exact methods of a problem, declared: what each solves, and with which back ends.

A method is what begins it, a formulation and a back end. The beginning is the same for
all methods of a problem; a formulation is one model of the whole problem, one model of
every level, or what the problem does with a back end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.encodings.encoding import Encoding
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.engine.decision import Decision, decided_by
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.levels import Levels, Walk, minimise_by_levels
from atleastk.solvers.method import Method, takes_all
from atleastk.solvers.search import Search

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

Begin = Callable[[Search[I], str], bool]
"""Reports trivial answers under the name of a source; returns whether work is left."""

Backends = Mapping[str, Backend]
"""The back ends of one formulation, by the names of the methods."""

Stated = tuple[Levels, Callable[[int], Encoding]]
"""The levels of an instance, and what encodes one of them."""

Refuses = Callable[[I], str | None]
"""Says why an instance cannot be taken, or None if it can."""


@dataclass(frozen=True, slots=True)
class Methods(Generic[I]):
    """Declares methods that all begin in the same way."""

    begin: Begin[I]  # so that every back end has a solution to start from

    def one(
        self,
        name: str,
        summary: str,
        family: str,
        minimise: Callable[[Search[I], str], None],
        refuses: Refuses[I] = takes_all,
    ) -> Method[I]:
        """Return the method that minimises if the beginning leaves anything to do."""

        def run(search: Search[I]) -> None:
            if self.begin(search, name):
                minimise(search, name)

        return Method(name, summary, family, run, refuses)

    def each(
        self,
        what: str,
        minimise: Callable[[Search[I], Backend, str], None],
        backends: Backends,
        refuses: Refuses[I] = takes_all,
    ) -> tuple[Method[I], ...]:
        """Return a method for every back end that minimises."""

        def by(backend: Backend) -> Callable[[Search[I], str], None]:
            return lambda search, source: minimise(search, backend, source)

        return tuple(
            self.one(name, f"{what}, in {each.name}", each.family, by(each), refuses)
            for name, each in backends.items()
        )

    def modelled(
        self,
        what: str,
        encode: Callable[[I], Encoding],
        backends: Backends,
        refuses: Refuses[I] = takes_all,
    ) -> tuple[Method[I], ...]:
        """Return the methods that minimise one encoding of the whole problem.

        To encode may raise NotApplicableError, for what `refuses` refuses.
        """

        def minimise(search: Search[I], backend: Backend, source: str) -> None:
            minimise_encoded(search, encode(search.instance), backend, source)

        return self.each(what, minimise, backends, refuses)

    def decided(
        self,
        what: str,
        stated: Callable[[Search[I]], Stated],
        backends: Backends,
        refuses: Refuses[I] = takes_all,
        walk: Callable[[Search[I]], Walk] = lambda _: Walk(),
    ) -> tuple[Method[I], ...]:
        """Return the methods that decide about levels, with an encoding for each."""

        def minimise(search: Search[I], backend: Backend, source: str) -> None:
            levels, encode = stated(search)

            def decide(level: int) -> Decision[Any]:
                encoding = encode(level)
                return decided_by(
                    backend, encoding.model, encoding.decode, search.budget
                )

            minimise_by_levels(search, levels, decide, source, walk(search))

        return self.each(f"{what}, level by level", minimise, backends, refuses)


def at_most(most: int, items: str) -> Callable[[Any], str | None]:
    """Refuse instances of more items than this."""

    def refuses(instance: Any) -> str | None:
        if instance.n <= most:
            return None
        return f"{instance.n} {items} are too many; it takes {most}"

    return refuses


def refusing(attempt: Callable[[I], object]) -> Refuses[I]:
    """Refuse what an attempt, such as a list of patterns, finds not applicable."""

    def refuses(instance: I) -> str | None:
        try:
            attempt(instance)
        except NotApplicableError as error:
            return str(error)
        return None

    return refuses
