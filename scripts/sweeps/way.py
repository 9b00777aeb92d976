"""Ways to solve an instance: what the sweeps that draw them at random share.

A way says whom to ask and how, in terms that JSON can hold. What goes wrong with a way
and an instance is *shrunk*: to a smaller instance and a plainer way.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from atleastk.instances.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.registry import problem_named
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import SAT_SOLVERS, Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = [
    "BACKENDS",
    "SECONDS",
    "AnyWay",
    "backend_named",
    "drawn",
    "judgement",
    "random_options",
    "report",
    "shrunk",
    "worked_on",
]

SECONDS = 600.0
"""The time limit of one run; whoever needs it all has failed."""

BACKENDS = ("CP-SAT", "HiGHS", "PuLP HiGHS", "SAT", "RC2")

T = TypeVar("T", bound=Instance)
W = TypeVar("W", bound="AnyWay[Any]")


@dataclass(frozen=True, slots=True)
class AnyWay(ABC, Generic[T]):
    """A way to solve an instance; a subclass knows the problem and its `run`.

    Attributes
    ----------
    form
        ``"auto"``, the name of one of the package's methods, or of a form of the model.
    backend, options
        Of a form: whom to ask, and how it is configured.
    start
        The seed of a random solution to start from; None to start from nothing.
    workers, memory
        Of the budget; None for no limit of memory.
    """

    form: str
    backend: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    start: int | None = None
    workers: int = 1
    memory: float | None = None

    @property
    def name(self) -> str:
        """The form, and the back end if it is not the package that chooses it."""
        return f"{self.form} in {self.backend}" if self.backend else self.form

    @property
    @abstractmethod
    def run(self) -> Callable[[Search[T]], None]:
        """What solves a search in this way."""

    def refuses(self, instance: T) -> bool:
        """Tell whether the package says beforehand that this way is not for it."""
        methods: Sequence[Method[T]] = problem_named(instance.problem).methods
        named = (method for method in methods if method.name == self.form)
        return any(method.refuses(instance) is not None for method in named)

    def budget(self, seconds: float = SECONDS) -> Budget:
        """Return a budget as the way has it."""
        memory = float("inf") if self.memory is None else self.memory
        return Budget.of(seconds, self.workers, self.seed, memory)

    def plainer(self) -> Iterator[Self]:
        """Give simpler ways, to shrink a mismatch."""
        if self.start is not None:
            yield replace(self, start=None)
        if self.seed:
            yield replace(self, seed=0)
        if self.workers > 1:
            yield replace(self, workers=1)
        if self.memory is not None:
            yield replace(self, memory=None)
        for name in self.options:
            kept = {n: value for n, value in self.options.items() if n != name}
            yield replace(self, options=kept)


def worked_on(
    search: Search[T], way: AnyWay[T], *, may_refuse: bool
) -> Search[T] | None:
    """Return a search after a way was tried; None if the way did not take it."""
    try:
        way.run(search)
    except NotApplicableError:
        if not may_refuse:
            raise
        return None
    return search


def _contradiction(
    search: Search[Any], best: int | None, *, may_stay_open: bool = False
) -> str | None:
    """Say what is wrong with a search, given the optimum; None if nothing is."""
    claimed = f"cost {search.cost}, bound {search.bound}"
    if search.infeasible or best is None:
        known = "infeasible" if best is None else f"optimum {best}"
        claimed = "infeasible" if search.infeasible else claimed
        return None if known == claimed else f"{claimed}, but {known}"
    cost, bound = (best if c is None else c for c in (search.cost, search.bound))
    if cost < best or bound > best:
        return f"{claimed}, but optimum {best}"
    if not search.closed:
        return None if may_stay_open else f"stays open at {claimed}"
    if search.certificate is not None:
        check = problem_named(search.instance.problem).check_certificate
        check(search.instance, search.certificate, search.bound)
    return None


def judgement(
    solve: Callable[[], Search[Any] | None],
    best: int | None,
    *,
    may_stay_open: bool = False,
) -> str | None:
    """Say what is wrong with what a way comes to, given the optimum; None if nothing.

    A refusal is nothing wrong; an error is, of the run or of its certificate.
    """
    try:
        search = solve()
        if search is None:
            return None
        return _contradiction(search, best, may_stay_open=may_stay_open)
    except Exception as error:  # whatever it is, it is what we are looking for
        return f"{type(error).__name__}: {error}"


def shrunk(
    instance: T,
    way: W,
    smaller: Callable[[T], Iterator[T]],
    fault: Callable[[T, W], str | None],
) -> tuple[T, W]:
    """Return a smaller instance and a plainer way that are at fault as well."""
    while True:
        less = next((s for s in smaller(instance) if fault(s, way)), None)
        plainer = next((w for w in way.plainer() if fault(instance, w)), None)
        if less is not None:
            instance = less
        elif plainer is not None:
            way = plainer
        else:
            return instance, way


def report(instance: Instance, way: AnyWay[Any], **told: str | None) -> str:
    """Return a mismatch as a JSON object."""
    document = {**told, "instance": instance.to_dict(), "way": asdict(way)}
    return json.dumps(document)


def drawn(
    rng: random.Random, forms: Sequence[str], backends: Sequence[str]
) -> dict[str, Any]:
    """Return the fields of a form of the model in a back end with random options."""
    backend = rng.choice(backends)
    return {
        "form": rng.choice(forms),
        "backend": backend,
        "options": random_options(rng, backend),
        "seed": rng.randrange(2**31),
        "start": rng.choice([None, rng.randrange(2**31)]),
    }


def random_options(rng: random.Random, backend: str) -> dict[str, Any]:
    """Return some options of a back end with random values."""
    known: Mapping[str, Mapping[str, Sequence[Any]]] = {
        "CP-SAT": {
            "cp_model_presolve": [False, True],
            "cp_model_probing_level": [0, 2],
            "linearization_level": [0, 1, 2],
            "symmetry_level": [0, 1, 2, 3],
            "optimize_with_core": [False, True],
            "randomize_search": [False, True],
            "keep_all_feasible_solutions_in_presolve": [False, True],
        },
        "HiGHS": {
            "presolve": ["off", "on"],
            "mip_detect_symmetry": [False, True],
            "mip_heuristic_effort": [0.0, 0.05, 0.5],
            "mip_allow_restart": [False, True],
            "simplex_strategy": [1, 4],
        },
        "PuLP HiGHS": {"presolve": ["off", "on"]},
        "SAT": {"solver": SAT_SOLVERS},
        "RC2": {},
    }
    return {
        name: rng.choice(values)
        for name, values in known[backend].items()
        if rng.random() < 0.5
    }


def backend_named(name: str, options: Mapping[str, Any]) -> Backend:
    """Return a back end of `BACKENDS` with these options."""
    match name:
        case "CP-SAT":
            return CpSat(parameters=options)
        case "HiGHS":
            return Highs(options=options)
        case "PuLP HiGHS":
            return Milp(options=options)
        case "SAT":
            return Sat(**options)
        case "RC2":
            return MaxSat()
    message = f"no back end {name!r}; there are {', '.join(BACKENDS)}"
    raise ValueError(message)
