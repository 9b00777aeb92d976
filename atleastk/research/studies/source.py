"""Where the instances of a study come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, Final, Self

from atleastk.instances.family import with_fields
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NoAnswerError,
    UnknownNameError,
    known_are,
)
from atleastk.instances.instance import Instance
from atleastk.instances.smoothing import SIGMA, expect_sigma, smoothed
from atleastk.research.collecting.library import library
from atleastk.research.collecting.record import Record
from atleastk.runs.api import generate, load_all
from atleastk.runs.own_algorithms import (
    error_line,
    exits_as_errors,
    function_named,
    origin_of,
)
from atleastk.runs.registry import family_named, problem_named
from atleastk.solvers.problem import Problem

_KINDS: Final = ("family", "files", "library", "maker")
"""The fields that say where instances come from: a source has one of them."""

_ASKED: Final = ("time_limit", "target_gap")
"""The fields of an entry that concern its runs, not its instances."""

_MOST_SEEDS: Final = 10_000_000
"""Of one entry of a study: its runs alone take gigabytes in the file of the study."""


@dataclass(frozen=True)
class Source:
    """A family of generated instances, files, a function that makes them, or a list."""

    kind: str
    """``"family"``, ``"files"``, ``"library"``, ``"maker"`` or ``"listed"``."""
    name: str = ""
    """Of the family, a pattern of files or of names in the library, or what names the
    function."""
    seeds: Sequence[int] = ()
    """The seeds of a family or a function."""
    choices: Mapping[str, Sequence[Any]] | None = None
    """Values of every parameter, or of every field of an instance that is replaced."""
    listed: Sequence[Instance] = ()
    """The instances of a list."""
    asked: Mapping[str, float] = field(default_factory=dict)
    """The time limit of its runs and the gap that is their target, if it has its
    own."""

    @classmethod
    def of(cls, given: object, problem: str, folder: Path) -> Self:
        """Return the source of an entry of a study, after checking it."""
        if isinstance(given, Instance):
            source = cls("listed", listed=(given,))
        elif isinstance(given, str | Path):
            source = cls("files", str(given))
        elif isinstance(given, Mapping):
            source = cls._of_fields(given)
        else:
            kind = type(given).__name__
            raise InvalidInstanceError(
                f"expected an instance, a file or a table of fields, got {kind}"
            )
        source._expect(problem, folder)
        return source

    @classmethod
    def _of_fields(cls, given: Mapping[str, Any]) -> Self:
        kinds = [kind for kind in _KINDS if kind in given]
        if len(kinds) != 1:
            raise InvalidInstanceError(
                f"expected one of {', '.join(_KINDS)}, got {list(given)}"
            )
        (kind,) = kinds
        if not isinstance(given[kind], str | Path):
            raise InvalidInstanceError(
                f"{kind}: expected one name; give each an [[instances]] of its own"
            )
        choices = {
            name: value if isinstance(value, list | tuple) else [value]
            for name, value in given.items()
            if name not in (kind, "seeds", *_ASKED)
        }
        for sigma in choices.get(SIGMA, ()):
            expect_sigma(sigma)
        asked = {name: given[name] for name in _ASKED if name in given}
        seeds = given.get("seeds", 1)
        if isinstance(seeds, int) and not isinstance(seeds, bool):
            if seeds > _MOST_SEEDS:
                raise InvalidInstanceError(
                    f"seeds: at most {_MOST_SEEDS:,} are planned at once"
                )
            seeds = range(seeds)
        listed = isinstance(seeds, Sequence) and not isinstance(seeds, str) and seeds
        if not listed or not all(isinstance(seed, int) and seed >= 0 for seed in seeds):
            raise InvalidInstanceError(
                f"seeds: expected a number of them or a list, got {seeds}"
            )
        if kind in ("files", "library") and "seeds" in given:
            raise InvalidInstanceError(
                f"seeds: instances of {kind} need none; leave it out"
            )
        return cls(kind, str(given[kind]), seeds, choices, asked=asked)

    def instances(self, problem: str, folder: Path) -> Iterator[Instance]:
        """Yield the instances; those with a sigma have noise, drawn by their seed."""
        yield from self.listed
        choices = self.choices or {}
        for values in product(*choices.values()):
            chosen = dict(zip(choices, values, strict=True))
            own = {name: value for name, value in chosen.items() if name != SIGMA}
            for seed, instance in self._plain(problem, own, folder):
                if SIGMA in chosen:
                    yield smoothed(instance, chosen[SIGMA], seed)
                else:
                    yield instance

    def _plain(
        self, problem: str, chosen: Mapping[str, Any], folder: Path
    ) -> Iterator[tuple[int, Instance]]:
        """Yield the instances of one choice of values, each with its seed, or 0."""
        match self.kind:
            case "family":
                for seed in self.seeds:
                    yield seed, generate(problem, self.name, seed=seed, **chosen)
            case "maker":
                for seed in self.seeds:
                    made = self._made(seed, chosen, folder)
                    if made is not None:
                        yield seed, made
            case "files":
                for path in self._paths(folder):
                    for instance in load_all(path):
                        yield 0, with_fields(instance, chosen)
            case "library":
                for record in self._records(problem):
                    yield 0, with_fields(record.instance, chosen)

    def description(self, problem: str, folder: Path) -> Mapping[str, Any]:
        """Return what identifies the source, as part of the study's fingerprint."""
        hashes = [
            *(instance.sha256 for instance in self.listed),
            *(sha256(path.read_bytes()).hexdigest() for path in self._paths(folder)),
            *(record.instance_sha256 for record in self._records(problem)),
            *([origin_of(self.name, folder)] if self.kind == "maker" else []),
        ]
        fields = {**(self.choices or {}), **self.asked}
        return {self.kind: self.name, "seeds": list(self.seeds), **fields} | (
            {"sha256": hashes} if hashes else {}
        )

    def _made(
        self, seed: int, chosen: Mapping[str, Any], folder: Path
    ) -> Instance | None:
        """Return the instance that the function makes, or None."""
        called = f"{self.name} of seed {seed}"
        try:
            with exits_as_errors(called):
                made = function_named(self.name, folder)(seed, **chosen)
        except NoAnswerError as error:
            raise InvalidInstanceError(str(error)) from error
        except Exception as error:  # any error of the user's function
            raise InvalidInstanceError(f"{called}: {error_line(error)}") from error
        if not isinstance(made, Instance | None):
            kind = type(made).__name__
            raise InvalidInstanceError(f"{called}: expected an instance, got {kind}")
        return made

    @property
    def _own_choices(self) -> Iterator[str]:
        """The names of the parameters, or of the fields that are replaced."""
        return (name for name in self.choices or () if name != SIGMA)

    def _paths(self, folder: Path) -> Sequence[Path]:
        if self.kind != "files":
            return ()
        pattern = any(sign in self.name for sign in "*?[")
        return sorted(folder.glob(self.name)) if pattern else [folder / self.name]

    def _records(self, problem: str) -> Sequence[Record]:
        """Return the records of the library whose names are like the pattern."""
        if self.kind != "library":
            return ()
        records = library.filter(problem=problem)
        return [record for record in records if fnmatchcase(record.name, self.name)]

    def _expect(self, problem: str, folder: Path) -> None:
        """Refuse a family, function, file or name that does not exist."""
        known = problem_named(problem)
        match self.kind:
            case "family":
                family = family_named(known, self.name)
                for name in self._own_choices:
                    family.default(name)
            case "maker":
                function_named(self.name, folder)
            case "files":
                paths = self._paths(folder)
                if not paths or not all(map(_is_file, paths)):
                    raise InvalidInstanceError(
                        f"files: there is no {folder / self.name}"
                    )
                self._expect_fields(known)
            case "library":
                if not self._records(problem):
                    raise UnknownNameError(
                        f"library: no instance of {problem} is like {self.name}"
                    )
                self._expect_fields(known)

    def _expect_fields(self, problem: Problem[Any]) -> None:
        """Refuse to replace fields that instances do not have."""
        names = problem.instance.json_schema()["properties"]
        for name in self._own_choices:
            if name not in names:
                known = known_are(name, names)
                raise UnknownNameError(f"{name}: no field of {problem.name}; {known}")


def _is_file(path: Path) -> bool:
    """Tell whether there is a file of this name, which may be no possible name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
