"""A problem: all that the toolkit offers for it, part by part.

Every problem has a file ``solvers/<problem>/problem.py``, which says what does not
follow from its name. Where the other parts stand does: `PLACES`. A part is imported
when it is first asked for, so no solver is loaded to read or check an instance. None
stands for what is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Generic, TypeVar

from atleastk.instances.family import Family
from atleastk.instances.instance import Instance
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.results.solution import Solution, Verdict
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.method import Algorithm, Method
from atleastk.solvers.search import Proof, Search

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

PLACES: Final = {
    "instance": "instances.{file}.{kind}",
    "check": "models.{file}.check",
    "check_certificate": "models.certificates.{file}.check_certificate",
    "first": "solvers.{file}.first.first_answers",
    "solve": "solvers.{file}.methods.solve",
    "methods": "solvers.{file}.methods.METHODS",
    "algorithms": "solvers.{file}.algorithms.catalogue.ALGORITHMS",
    "families": "instances.generators.{file}.FAMILIES",
    "certify": "solvers.{file}.certify.certify",
    "optimum": "solvers.brute_force.{file}.optimum",
    "draw": "plots.{file}.draw",
    "formulations": "models.encodings.{file}.FORMULATIONS",
    "refuted": "models.proofs.{file}.refuted",
}
"""Where the parts of a problem stand, by its name as a file and as a class; what is not
listed is not offered unless the problem says where it is."""


def _nothing() -> Any:
    """Return the default of a part; one in the class would hide the part itself."""


@dataclass(frozen=True)
class Problem(Generic[I]):
    """Everything atleastk knows of one problem."""

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
    first_bound: Callable[[Search[I]], object] | None = field(default_factory=_nothing)
    """Reports a bound by one pass, before first answers and whatever the limit."""
    optimum: Callable[[I], Any] = field(default_factory=_nothing)
    """Brute force: the optimum of a tiny instance, alone or with more."""
    draw: Callable[..., Any] = field(default_factory=_nothing)
    """Draws an instance and its result."""
    priced: Callable[[I], Any] | None = field(default_factory=_nothing)
    """Prices every set of a few items as a group (`solvers.engine.subsets.Priced`)."""
    formulations: Sequence[Formulation[I]] | None = field(default_factory=_nothing)
    """Its linear models by name, for other solvers; the first that takes an instance is
    the usual one."""
    refuted: Callable[..., Any] | None = field(default_factory=_nothing)
    """The proof of a certificate as a program of VIPR."""
    lemmas: Callable[..., Mapping[str, Any]] | None = field(default_factory=_nothing)
    """The lemmas of one group that are formulas."""
    ground: Any = field(default_factory=_nothing)
    """What the adversary makes instances of (`research.adversary.grounds`)."""
    tiny: Callable[[], Iterator[Any]] | None = field(default_factory=_nothing)
    """All tiny instances, stage by stage (`research.adversary.tiny`)."""
    formats: tuple[str, ...] = field(default_factory=tuple)
    """The foreign formats that instances are made from (`atleastk convert`)."""


class _Lazy(Problem[Any]):
    """A problem whose parts are imported when they are first asked for."""

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)

    def __repr__(self) -> str:
        return f"<problem {self.name}: {self.question}>"

    def __getattr__(self, part: str) -> Any:
        """Import a part that has not been asked for before."""
        places: Mapping[str, str | None] = vars(self).get("_places", {})
        if part not in Problem.__dataclass_fields__:
            raise AttributeError(f"a problem has no {part!r}")
        place, _, name = (places.get(part) or "").rpartition(".")
        found = None
        if place:
            with CLOCK.standing():
                found = getattr(import_module(f"atleastk.{place}"), name)
        vars(self)[part] = found
        return found


def described(
    name: str, question: str, *, formats: Sequence[str] = (), **places: str | None
) -> Problem[Any]:
    """Return a problem by its name and question, and what does not follow from these.

    Parameters
    ----------
    formats
        The foreign formats that instances are made from.
    places
        By part, its dotted name within the package, or None for what is not offered.
    """
    words = {
        "file": name.replace("-", "_"),
        "kind": name.title().replace("-", ""),
    }
    usual = {part: place.format(**words) for part, place in PLACES.items()}
    return _Lazy(
        name=name,
        question=question,
        formats=tuple(formats),
        _places={**usual, **places},
    )
