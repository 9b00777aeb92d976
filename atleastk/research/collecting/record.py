"""A record of the library: an instance, its origin, and its best known bounds.

The *history* has an entry for every improvement; the last one is the current state. The
record's witness is its solution, and the certificate, if there is one, proves its
bound. The *efforts* are all runs that were made on it.

Status
------
How the optimum can be verified: by re-checking a certificate without any solver
(``certified``), by repeating two unrelated proofs (``agreed``) or one (``proved``); or
not yet, since cost and bound differ: ``open`` once long enough was tried, ``tried``
till then; ``new`` as long as nothing is known. What is long enough, and how difficult
an instance is, follows from the efforts (:mod:`~atleastk.research.collecting.effort`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Generic, Self, TypeVar

from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    InvalidResultError,
    placed,
)
from atleastk.instances.fields.shaped import Shaped, shaped
from atleastk.instances.fields.shapes import (
    AnyObject,
    Cell,
    Integer,
    JsonSchema,
    ListOf,
    Nullable,
    Number,
    ObjectOf,
    OneOf,
    Text,
)
from atleastk.instances.instance import Instance
from atleastk.models.results.fields import INTEGER
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status, Trust
from atleastk.models.solutions import solution_kind
from atleastk.research.collecting.citing import citation
from atleastk.research.collecting.effort import Effort, difficulty_of, is_earned
from atleastk.runs import registry
from atleastk.runs.api import generate

OPEN: Final = "open"
"""The status of a record whose cost and bound differ, though long enough was tried."""

TRIED: Final = "tried"
"""The status of such a record on which less was tried."""

NEW: Final = "new"
"""The status of a record of which nothing is known."""

STATUSES: Final = (
    *map(str, (Trust.CERTIFIED, Trust.AGREED, Trust.PROVED)),
    OPEN,
    TRIED,
    NEW,
)
"""The statuses, the strongest first."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9.-]*")
_BETWEEN: Final = re.compile(r"[^a-z0-9.]+")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(Shaped):
    """How to generate an instance that is too large to be stored."""

    family: str = field(metadata=shaped(Text()))
    seed: int = field(metadata=shaped(Integer(0)))
    parameters: Mapping[str, int | str] = field(
        default_factory=dict, metadata=shaped(ObjectOf(Cell()))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Shaped):
    """The state of a record from a day on."""

    date: str = field(metadata=shaped(Text()))
    status: Status = field(metadata=shaped(OneOf(tuple(Status))))
    trust: Trust | None = field(metadata=shaped(Nullable(OneOf(tuple(Trust)))))
    """The trust in optimality or infeasibility; None as long as it is open."""
    cost: int | None = field(metadata=shaped(Nullable(INTEGER)))
    bound: int | None = field(metadata=shaped(Nullable(INTEGER)))
    method: str = field(metadata=shaped(Text()))
    seconds: float = field(metadata=shaped(Number(0)))
    versions: Mapping[str, str] = field(metadata=shaped(ObjectOf(Text())))
    certificate: str | None = field(metadata=shaped(Nullable(Text())))
    """The kind of the certificate of the bound, or None."""

    def __post_init__(self) -> None:
        Shaped.__post_init__(self)
        try:
            date.fromisoformat(self.date)
        except ValueError as error:
            raise InvalidInstanceError(
                f'date: expected a day such as 2026-01-31, got "{self.date}"'
            ) from error
        if (self.status >= Status.INFEASIBLE) != (self.trust is not None):
            raise InvalidInstanceError(
                f"trust: {self.trust} does not fit {self.status}"
            )

    @property
    def closed(self) -> bool:
        """Whether optimality or infeasibility is proved."""
        return self.trust is not None


S = TypeVar("S", bound=Shaped)


@dataclass(frozen=True, slots=True)
class _Built(Generic[S]):
    """The shape of a nested object of class `kind`."""

    kind: type[S]

    def parse(self, value: object, path: str) -> S:
        if isinstance(value, self.kind):
            return value
        with placed(path):
            return self.kind.of_fields(AnyObject().parse(value, path), path)

    def json_schema(self) -> JsonSchema:
        return {"type": "object"}


@dataclass(frozen=True, kw_only=True)
class Record(Shaped):
    """An instance with its history; see the module."""

    name: str = field(metadata=shaped(Text()))
    """Small letters, digits, hyphens, dots."""
    problem: str = field(metadata=shaped(OneOf(tuple(registry.PROBLEMS))))
    family: str = field(metadata=shaped(Text()))
    source: str = field(metadata=shaped(Text()))
    licence: str = field(metadata=shaped(Text()))
    size: str = field(metadata=shaped(Text()))
    """The instance in a few words."""
    instance_sha256: str = field(metadata=shaped(Text()))
    document: Mapping[str, Any] | None = field(
        default=None, metadata=shaped(AnyObject())
    )
    recipe: Recipe | None = field(default=None, metadata=shaped(_Built(Recipe)))
    """`document`, `recipe`: the JSON object of the instance, or how to generate it: one
    of them."""
    history: tuple[Entry, ...] = field(
        default=(), metadata=shaped(ListOf(_Built(Entry)))
    )
    efforts: tuple[Effort, ...] = field(
        default=(), metadata=shaped(ListOf(_Built(Effort)))
    )
    """All runs that were made on it since efforts are kept."""
    witness: Mapping[str, Any] | None = field(
        default=None, metadata=shaped(AnyObject())
    )
    """The fields of a result that hold the best known solution."""
    certificate: Mapping[str, Any] | None = field(
        default=None, metadata=shaped(AnyObject())
    )
    """The proof of the bound in the last entry of the history."""

    def __post_init__(self) -> None:
        Shaped.__post_init__(self)
        for path, pattern in (("name", _NAME), ("instance_sha256", _SHA256)):
            if not pattern.fullmatch(getattr(self, path)):
                raise InvalidInstanceError(
                    f"{path}: expected {pattern.pattern}, got a different text"
                )
        if (self.document is None) == (self.recipe is None):
            raise InvalidInstanceError("document: expected either this or a recipe")
        for i, (old, new) in enumerate(pairwise(self.history), 1):
            if _lost(old, new):
                raise InvalidInstanceError(
                    f"history[{i}]: earlier than the entry before, or knows less"
                )
        kind = None if self.certificate is None else self.certificate.get("kind")
        last = self.history[-1].certificate if self.history else None
        if kind != last or (self.certificate is None) != (last is None):
            raise InvalidInstanceError(
                f"certificate: of kind {kind}, the history says {last}"
            )
        if not self.history and self.witness is not None:
            raise InvalidInstanceError("witness: the history says nothing of it")
        _ = self.result  # what it says fits together

    @classmethod
    def of(cls, instance: Instance, **fields: Any) -> Self:
        """Return a record of an instance with an empty history.

        Its name, source and comment become fields of the record.
        """
        bare = replace(instance, name=None, source=None, comment=None)
        return cls(
            problem=instance.problem,
            size=str(bare).partition(" ")[2],
            instance_sha256=instance.sha256,
            **{"document": plain(bare.to_dict()), **fields},
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build a record from its JSON object."""
        return cls.of_fields(data, "a record")

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this record."""
        document = self.given_fields()
        if self.recipe is not None:
            document["recipe"] = self.recipe.given_fields()
        if self.history:
            document["history"] = [entry.given_fields() for entry in self.history]
        if self.efforts:
            document["efforts"] = [effort.given_fields() for effort in self.efforts]
        return document

    @cached_property
    def instance(self) -> Instance:
        """The instance.

        Raise `InvalidInstanceError` if it is not the one of the record's fingerprint.
        """
        with placed(self.name):
            if self.recipe is not None:
                made = self.recipe
                found = generate(
                    self.problem, made.family, made.seed, **made.parameters
                )
            else:
                found = registry.instance_from_dict(self.document)
        if found.sha256 != self.instance_sha256:
            raise InvalidInstanceError(
                f"{self.name}: makes another instance, of sha256 {found.sha256}"
            )
        source = f"library: {self.name}; {self.source}"
        return replace(found, name=self.name, source=source)

    @property
    def known(self) -> Entry | None:
        """The current state: the last entry of the history, or None."""
        return self.history[-1] if self.history else None

    @cached_property
    def result(self) -> Result | None:
        """The current state as a result, which `atleastk check` reads."""
        if (known := self.known) is None:
            return None
        trust = Trust.HEURISTIC if known.status is Status.FEASIBLE else known.trust
        return Result(
            problem=self.problem,
            status=known.status,
            trust=trust,
            cost=known.cost,
            bound=known.bound,
            solution=None
            if self.witness is None
            else solution_kind(self.problem).from_dict(self.witness),
            method=known.method,
            seconds=known.seconds,
            instance_sha256=self.instance_sha256,
            versions=known.versions,
            certificate=self.certificate,
        )

    @property
    def citation(self) -> str:
        """A sentence and a BibTeX entry for what is known; with an error if nothing is.

        The year is that of the last gain.
        """
        if self.result is None or self.known is None:
            raise InvalidResultError(f"{self.name}: nothing is known of it yet")
        return citation(self.result, self.name, self.known.date)

    @property
    def status(self) -> str:
        """How the optimum can be verified, or what was tried: one of `STATUSES`."""
        if (known := self.known) is None:
            return NEW
        if known.trust is not None:
            return str(known.trust)
        return OPEN if is_earned(self.efforts) else TRIED

    @property
    def is_closed(self) -> bool:
        """Whether optimality or infeasibility is proved."""
        return self.known is not None and self.known.closed

    @property
    def difficulty(self) -> str:
        """How hard it is for plain models."""
        return difficulty_of(self.efforts)


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON object as it is read from a file."""
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


def named(text: str) -> str:
    """Return a text as the name of a record: small letters, digits, hyphens, dots."""
    return _BETWEEN.sub("-", text.lower()).strip("-.") or "unnamed"


def _lost(old: Entry, new: Entry) -> bool:
    """Tell whether an entry knows less than the one before it, or comes earlier."""
    if new.date < old.date:
        return True
    if old.trust is not None:
        fixed = (old.status, old.cost) == (new.status, new.cost)
        return not fixed or new.trust is None or new.trust < old.trust
    dearer = old.cost is not None and (new.cost is None or new.cost > old.cost)
    if new.status is Status.INFEASIBLE:
        return old.cost is not None
    lower = old.bound is not None and (new.bound is None or new.bound < old.bound)
    return dearer or lower
