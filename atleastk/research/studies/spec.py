"""What a study asks: problem, instances, algorithms, exact methods, seeds and limits.

Written in Python, or as a file of TOML::

    problem = "bin-covering"
    algorithms = ["spread", "mine.py:first_fit", "cmd:./mine"]
    time_limit = 60

    [[instances]]
    family = "uniform"
    seeds = 100
    n = [8, 10, 12]

    [[instances]]
    files = "towns/*.json"
    k = [2, 5]

Lists of sizes and of k's are multiplied out. Of files, fields of the instances are
replaced. ``maker = "drawn.py:small"`` is a family of one's own: a function of a seed
and of parameters. A `sigma` puts noise around the instances of an entry. Files are
named from the folder of the study. A `time_limit` and a `target_gap` of an entry are of
its instances alone.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from math import prod
from os.path import normpath
from pathlib import Path
from typing import Any, Self

from atleastk.instances.family import origin_of as drawn_from
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    known_are,
    placed,
)
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.fields.shapes import Text, shown
from atleastk.instances.files.files import read_text
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.research.studies.formulated import expect_method
from atleastk.research.studies.source import Source
from atleastk.runs.ask import AUTO
from atleastk.runs.own_algorithms import (
    ALL,
    Which,
    algorithm_of,
    algorithms_of,
    name_of,
    origin_of,
    shipped_name,
)
from atleastk.runs.registry import problem_named
from atleastk.solvers.budget import Budget, checked_seed
from atleastk.solvers.method import Algorithm


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn `ValueError` into `InvalidInstanceError`."""
    try:
        yield
    except ValueError as error:
        raise InvalidInstanceError(str(error)) from error


def _told(given: Instance | str | Mapping[str, Any]) -> str:
    """Return an entry of the instances in words."""
    if not isinstance(given, Mapping):
        return str(given)
    return " ".join(f"{name}={value}" for name, value in given.items())


def parts_of(against: str) -> Sequence[str]:
    """Return the names in a number such as ``k`` or ``n / k``."""
    return [name.strip() for name in against.split("/")]


def number_of(instance: Instance, against: str) -> float:
    """Return a number of an instance, such as its k, by which costs are listed.

    Raise `InvalidInstanceError` if it has no number of this name, and no parameter.
    """
    known = drawn_from(instance).parameters
    found = [known.get(n, getattr(instance, n, None)) for n in parts_of(against)]
    try:
        above, *below = (n if isinstance(n, int) else float(str(n)) for n in found)
        return above / prod(below) if below else above
    except (ValueError, ZeroDivisionError) as error:
        raise InvalidInstanceError(
            f"against: {instance.problem} has no number {shown(against)}"
        ) from error


def _expect_gap(gap: object) -> None:
    """Refuse a gap that is not None and not in [0, 1)."""
    if gap is None:
        return
    if isinstance(gap, bool) or not isinstance(gap, int | float) or not 0 <= gap < 1:
        raise InvalidInstanceError(
            f"target_gap: expected a number from 0 to below 1, got {gap}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """What every run may take; see :func:`atleastk.solve`."""

    time_limit: float | None = 60.0
    workers: int = 1
    memory_limit: float | None = None
    work_limit: float | None = None
    certify: bool = False
    agree: bool = False

    def __post_init__(self) -> None:
        """Refuse limits of a wrong type or range."""
        for name in ("certify", "agree"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInstanceError(
                    f"{name}: expected true or false, got {getattr(self, name)}"
                )
        with _refusing():
            Budget.checked(
                self.time_limit, self.workers, 0, self.memory_limit, self.work_limit
            )


@dataclass(frozen=True, kw_only=True)
class Study:
    """What a study asks.

    Attributes
    ----------
    instances
        Instances, files of them, and tables with the fields that the module shows.
    algorithms
        Names as of :func:`atleastk.approximate`, or functions.
    methods
        Exact methods, ``model:NAME`` for a formulation in HiGHS alone; the optimum is
        the best that any of them proves.
    seeds
        Every method and every algorithm runs with each seed.
    limits
        The limits of every run; an entry of the instances may have its own time limit.
    target_gap
        The greatest gap that exact methods should leave, as a share of the cost; 0 is a
        proof, None no target. An entry of the instances may have its own.
    title
        The title of the page of ratios.
    against
        A number of instances, such as ``k``, ``sigma`` or ``n / k``: costs and seconds
        are listed by it, for all instances of one name together, on the mean of seeds.
    by
        What instances are grouped by in tables: ``family``, parameters, n, k.
    optima
        Files of other studies, or folders of them: what exact methods of theirs found
        is taken over once it is checked, where the same was asked.
    folder
        The folder that names of files are relative to.
    place
        The file of the study, for messages; empty if there is none.
    """

    problem: str
    instances: Sequence[Instance | str | Mapping[str, Any]]
    algorithms: Sequence[Which] = (ALL,)
    methods: Sequence[str] = (AUTO,)
    seeds: Sequence[int] = (0,)
    limits: RunLimits = field(default_factory=RunLimits)
    target_gap: float | None = None
    title: str = ""
    against: str = ""
    by: Sequence[str] = ()
    optima: Sequence[str] = ()
    folder: Path = field(default_factory=Path.cwd)
    place: str = ""

    __repr__ = brief

    def __post_init__(self) -> None:
        """Refuse unknown names and wrong types, before any run."""
        for name in ("instances", "algorithms", "methods", "seeds", "optima", "by"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Sequence):
                known = f' (write ["{value}"])' if isinstance(value, str) else ""
                raise InvalidInstanceError(
                    f"{name}: expected a list, got {value}{known}"
                )
        for name in ("title", "against"):
            if not isinstance(getattr(self, name), str):
                raise InvalidInstanceError(
                    f"{name}: expected a text, got {getattr(self, name)}"
                )
        for name, what in (("methods", "an optimum"), ("seeds", "a run")):
            listed = getattr(self, name)
            if not listed:
                raise InvalidInstanceError(f"{name}: none; {what} needs one")
            for i, value in enumerate(listed):
                if value in listed[:i]:
                    raise InvalidInstanceError(f"{name}[{i}]: {value} is there twice")
        for seed in self.seeds:
            with _refusing():
                checked_seed(seed, "seed: ")
        problem = problem_named(self.problem)
        for i, name in enumerate(self.methods):
            with placed(f"methods[{i}]"):
                expect_method(problem, name)
        _expect_gap(self.target_gap)
        for listed in ("by", "optima"):
            for i, name in enumerate(getattr(self, listed)):
                Text().parse(name, f"{listed}[{i}]")
        _ = self.known, self.sources

    def _repr_html_(self) -> str:
        listed = {
            "instances": [*map(_told, self.instances)],
            "algorithms": [*map(name_of, self.known)],
            **{
                name: getattr(self, name)
                for name in ("methods", "seeds", "by", "optima")
            },
        }
        single = {**asdict(self.limits), "target_gap": self.target_gap}
        single["against"] = self.against or None
        rows = [(name, ", ".join(map(str, own))) for name, own in listed.items() if own]
        rows += [(k, v) for k, v in single.items() if v is not None and v is not False]
        return notebook(f"{self.title or 'Study'}: {self.problem}", ("", ""), rows)

    @classmethod
    def load(cls, path: AnyPath) -> Self:
        """Read a study from a file of TOML."""
        text = read_text(path)
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidInstanceError(f"{path}: {error}") from error
        except RecursionError as error:
            raise InvalidInstanceError(f"{path}: nested too deeply") from error
        except ValueError as error:
            raise InvalidInstanceError(
                f"{path}: an integer has too many digits ({error})"
            ) from error
        with placed(path):
            return cls.from_dict(data, Path(path).resolve().parent, str(path))

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], folder: Path | None = None, place: str = ""
    ) -> Self:
        """Return the study of a table of fields, those of the limits among them."""
        limits = {each.name for each in fields(RunLimits)}
        own = {each.name for each in fields(cls)} - {"limits", "folder", "place"}
        for name in data:
            if name not in own | limits:
                hint = known_are(name, sorted(own | limits))
                raise UnknownNameError(f"{name}: unknown field of a study; {hint}")
        for name in ("problem", "instances"):
            if name not in data:
                raise InvalidInstanceError(f"{name}: missing; a study needs it")
        within = RunLimits(**{k: v for k, v in data.items() if k in limits})
        asked = {name: value for name, value in data.items() if name in own}
        return cls(**asked, limits=within, folder=folder or Path.cwd(), place=place)

    @cached_property
    def known(self) -> Mapping[Which, Algorithm[Any]]:
        """The algorithms, by what names them."""
        problem = problem_named(self.problem)
        named: list[Which] = []
        for which in self.algorithms:
            every = isinstance(which, str) and which == ALL
            asked = algorithms_of(problem) if every else [which]
            named += [shipped_name(problem, each) for each in asked]
        found: dict[Which, Algorithm[Any]] = {}
        names = [name_of(which) for which in named]
        for i, which in enumerate(named):
            if names[i] in names[:i]:
                raise InvalidInstanceError(
                    f"algorithms[{i}]: {names[i]} is there twice"
                )
            with placed(f"algorithms[{i}]"):
                found[which] = algorithm_of(
                    problem, which, self.folder, self.limits.time_limit
                )
        return found

    @cached_property
    def origins(self) -> Mapping[str, str | None]:
        """What the algorithms are known by, by their names."""
        problem = problem_named(self.problem)
        return {
            name_of(which): origin_of(which, self.folder, problem)
            for which in self.known
        }

    @cached_property
    def sources(self) -> Sequence[Source]:
        """Where the instances come from."""
        found = []
        for i, given in enumerate(self.instances):
            with placed(f"instances[{i}]"):
                source = Source.of(given, self.problem, self.folder)
                self.limits_of(source)
                _expect_gap(self.target_of(source))
                found.append(source)
        return found

    @property
    def others(self) -> Iterator[Path]:
        """The files of other studies that exist by now."""
        for name in self.optima:
            place = Path(normpath(self.folder / name))
            yield from sorted(place.glob("*.db")) if place.is_dir() else [place]

    def limits_of(self, source: Source) -> RunLimits:
        """Return what runs on the instances of a source may take."""
        if "time_limit" not in source.asked:
            return self.limits
        return replace(self.limits, time_limit=source.asked["time_limit"])

    def target_of(self, source: Source) -> float | None:
        """Return the gap that exact methods on them should reach, if there is one."""
        return source.asked.get("target_gap", self.target_gap)

    def drawn(self) -> Iterator[Instance]:
        """Yield the instances: every one once, without those of another problem."""
        return (instance for _, instance in self.drawn_from())

    def drawn_from(self) -> Iterator[tuple[Source, Instance]]:
        """Yield the instances, each with the first source that has it.

        A function may have none: of data, for instance, that are not there.
        """
        seen = set()
        entries = f"{self.place}: instances".removeprefix(": ")
        for i, source in enumerate(self.sources):
            with placed(f"{entries}[{i}]"):
                instance = None
                for instance in source.instances(self.problem, self.folder):
                    self._expect_own(instance)
                    if instance.sha256 not in seen:
                        seen.add(instance.sha256)
                        yield source, instance
                if instance is None and source.kind != "maker":
                    raise InvalidInstanceError("there is no instance")
        if self.sources and not seen:
            raise InvalidInstanceError(f"{entries}: there is no instance")

    def _expect_own(self, instance: Instance) -> None:
        """Refuse an instance of another problem, or without that number."""
        if instance.problem != self.problem:
            raise InvalidInstanceError(
                f"an instance of {instance.problem}, not {self.problem}"
            )
        if self.against:
            number_of(instance, self.against)

    @cached_property
    def description(self) -> Mapping[str, Any]:
        """What the study asks, as a JSON object."""
        return {
            "problem": self.problem,
            "instances": [
                source.description(self.problem, self.folder) for source in self.sources
            ],
            "algorithms": [
                {"name": name, "sha256": origin}
                for name, origin in self.origins.items()
            ],
            "methods": list(self.methods),
            "seeds": list(self.seeds),
            **asdict(self.limits),
            **({} if self.target_gap is None else {"target_gap": self.target_gap}),
        }

    @property
    def canonical(self) -> str:
        """What the study asks, as JSON that is the same whenever it is."""
        return json.dumps(
            self.description, sort_keys=True, separators=(",", ":"), default=str
        )

    @property
    def sha256(self) -> str:
        """The fingerprint of what the study asks; its files are part of it."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()
