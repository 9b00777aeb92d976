"""Results: the solution and bound of a run, their trust, and the certificate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.coded_table import plain
from atleastk.instances.fields.errors import (
    ContradictoryResultError,
    InvalidInstanceError,
    InvalidResultError,
)
from atleastk.instances.fields.html_table import card
from atleastk.instances.fields.shapes import (
    AnyObject,
    Integer,
    ListOf,
    Nullable,
    Number,
    ObjectOf,
    OneOf,
    Row,
    Shape,
    Text,
)
from atleastk.instances.files import files
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.models.results.columns import table_of
from atleastk.models.results.fields import INTEGER, read
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.models.solutions import solution_kind
from atleastk.packages import Axes

_SECONDS: Final = Number(minimum=0)
_COST: Final = Nullable(INTEGER)
_EVENT: Final = Row("[seconds, cost, bound]", (_SECONDS, _COST, _COST))

FORMAT: Final = 1
"""The version of the format of results and certificates. A new kind of certificate does
not raise it; a changed meaning of a field does."""

FIELDS: Final[Mapping[str, Shape[Any]]] = {
    "format": Integer(minimum=1),
    "problem": Text(),
    "status": OneOf(tuple(Status)),
    "trust": Nullable(OneOf(tuple(Trust))),
    "cost": _COST,
    "bound": _COST,
    "certified_bound": _COST,
    "method": Text(),
    "stopped_because": Nullable(OneOf(tuple(Stop))),
    "seconds": _SECONDS,
    "seed": INTEGER,
    "events": ListOf(_EVENT),
    "versions": ObjectOf(Text()),
    "instance_sha256": Text(),
    "certificate": Nullable(AnyObject()),
    "note": Nullable(Text()),
    "found_by": Nullable(Text()),
    "proved_by": Nullable(Text()),
}
"""The fields of a result's JSON object beside its solution, with their shapes."""


def gap_between(cost: float | None, bound: float | None) -> float | None:
    """Return (cost - bound) / |cost|; None if either is unknown; 0.0 at cost 0."""
    if cost is None or bound is None:
        return None
    return (cost - bound) / abs(cost) if cost else 0.0


@dataclass(frozen=True, slots=True)
class Event:
    """The best cost and bound known at a moment of a run, and who moved one of them."""

    seconds: float
    cost: int | None
    bound: int | None
    by: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The answer of a run.

    Attributes
    ----------
    cost
        Recomputed from the instance by the checker; None without a solution.
    bound
        No solution costs less; None if nothing is known.
    certified_bound
        The bound that the certificate proves, if it is less than the bound.
    trust
        How the status was established; None if it is UNKNOWN.
    stopped_because
        Why the run ended; None if a file does not say.
    seed
        The seed of the run; see `atleastk.solve` for what it makes repeatable.
    certificate
        A proof of the bound, or of `certified_bound`, that can be re-checked without
        any solver.
    guarantee
        The guarantee of a paper, if the method is an approximation algorithm.
    note
        A remark: why a method gave up with time left, or why no second method agreed or
        no certificate was found where that was asked for.
    found_by, proved_by
        The stages or the method that did so, if known; claimed, not proved.
    instance
        The instance; None for a result read from a file without it. It is neither part
        of the JSON object nor compared.

    Examples
    --------
    >>> result = atleastk.solve(atleastk.BinCovering(sizes=[3, 4, 5], k=6))
    >>> result.status, result.cost, result.groups
    (<Status.OPTIMAL: 'OPTIMAL'>, 12, ((0, 1, 2),))
    """

    problem: str
    status: Status
    trust: Trust | None
    cost: int | None
    bound: int | None
    solution: Solution | None
    method: str
    seconds: float
    instance_sha256: str
    seed: int = 0
    events: tuple[Event, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    certificate: Mapping[str, Any] | None = None
    certified_bound: int | None = None
    guarantee: Guarantee | None = None
    note: str | None = None
    stopped_because: Stop | None = None
    found_by: str | None = None
    proved_by: str | None = None
    instance: Instance | None = field(default=None, compare=False, repr=False)

    __repr__ = brief
    _repr_html_ = card

    def __post_init__(self) -> None:
        solved = self.status in (Status.OPTIMAL, Status.FEASIBLE)
        if solved != (self.solution is not None) or solved != (self.cost is not None):
            raise ContradictoryResultError(
                f"a result is {self.status} exactly if it has a costed solution"
            )
        if self.cost is not None and self.bound is not None and self.bound > self.cost:
            raise ContradictoryResultError(
                f"the bound {self.bound} exceeds the cost {self.cost}"
            )
        if self.status is Status.OPTIMAL and self.bound != self.cost:
            raise ContradictoryResultError(
                "an optimal result has a bound equal to its cost"
            )
        if self.certified_bound is not None and not self._certified_in_part:
            raise ContradictoryResultError(
                f"certified_bound {self.certified_bound}: expected a certificate of "
                "less than the bound, and a result that is not called certified"
            )

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], instance: Instance | None = None
    ) -> Self:
        """Build a result from its JSON object; see :meth:`to_dict`.

        Derived and unknown fields are ignored, and so is the text of the guarantee,
        which an algorithm gives and not a file.

        Raises
        ------
        InvalidResultError
            If a field is missing or malformed; `ContradictoryResultError` if the
            fields contradict each other.
        """
        defaults = {
            "format": FORMAT,
            "method": "",
            "seconds": 0.0,
            "seed": 0,
            "events": (),
            "versions": {},
        }
        more = {
            name: read(data, name, shape, defaults.get(name))
            for name, shape in FIELDS.items()
        }
        read(data, "guarantee", Text(), "")
        if more.pop("format") != FORMAT:
            raise InvalidResultError(
                f"format: expected {FORMAT}; a newer atleastk has written this"
            )
        solution = solution_kind(more["problem"]).from_dict(data)
        events = tuple(
            Event(float(seconds), *found) for seconds, *found in more.pop("events")
        )
        seconds = float(more.pop("seconds"))
        more["certificate"] = plain(more["certificate"])  # it is written again
        return cls(
            **more, seconds=seconds, solution=solution, events=events, instance=instance
        )

    @property
    def _certified_in_part(self) -> bool:
        return (
            self.bound is not None
            and self.certified_bound is not None
            and self.certified_bound < self.bound
            and self.certificate is not None
            and self.status is not Status.INFEASIBLE
            and self.trust is not Trust.CERTIFIED
        )

    @property
    def certified(self) -> Result:
        """The result with the bound that its certificate proves."""
        if self.certified_bound is None:
            return self
        status = Status.FEASIBLE if self.status is Status.OPTIMAL else self.status
        bound = self.certified_bound
        return replace(self, status=status, bound=bound, certified_bound=None)

    @property
    def gap(self) -> float | None:
        """(cost - bound) / abs(cost); None if either is unknown; 0.0 at cost 0."""
        return gap_between(self.cost, self.bound)

    @property
    def interrupted(self) -> bool:
        """Whether a signal ended the run; a loop of runs may want to end, too."""
        return self.stopped_because is Stop.INTERRUPTED

    @property
    def groups(self) -> tuple[tuple[int, ...], ...] | None:
        """The groups of the solution."""
        return None if self.solution is None else tuple(self.solution.groups)

    @property
    def number_of_groups(self) -> int | None:
        """How many groups there are; None without a solution, or if it is not known.

        The solution of a table with copies is a node: its instance says so.
        """
        known = self.solution
        return None if known is None else known.number_of_groups(self.instance)

    @property
    def labels(self) -> tuple[int, ...] | None:
        """The number of its group in `groups` for every item; -1 for an outlier."""
        return None if self.solution is None else self.solution.labels

    @property
    def radius(self) -> float | None:
        """The greatest radius of a cluster, in the unit of the points.

        In r-gather the cost stands for it. None for problems without clusters, without
        a solution, and where the instance is not known.
        """
        if self.solution is None or self.instance is None:
            return None
        return self.solution.radius(self.instance)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this result."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "problem": self.problem,
            "status": str(self.status),
            "trust": None if self.trust is None else str(self.trust),
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            **({"groups": None} if self.solution is None else self.solution.to_dict()),
            "method": self.method,
            "stopped_because": self.stopped_because and str(self.stopped_because),
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "events": [[round(e.seconds, 3), e.cost, e.bound] for e in self.events],
            "versions": dict(self.versions),
            "instance_sha256": self.instance_sha256,
        }
        if self.guarantee is not None:
            document["guarantee"] = str(self.guarantee)
        optional = "certificate", "certified_bound", "note", "found_by", "proved_by"
        values = {name: getattr(self, name) for name in optional}
        return document | {n: value for n, value in values.items() if value is not None}

    def to_json(self) -> str:
        """Return the result as one line of JSON."""
        return json.dumps(self.to_dict())

    def save(self, path: AnyPath) -> None:
        """Write the JSON object to a file, packed if its name says so.

        The file is written whole or not at all; `atleastk check` reads it.
        """
        files.write(path, self.to_dict())

    def plot(
        self,
        path: AnyPath | None = None,
        *,
        ax: Axes | None = None,
        kind: str = "solution",
    ) -> Axes:
        """Draw the result on its instance, as :func:`atleastk.plot` does."""
        import atleastk  # pictures stand above results

        if self.instance is None:
            raise InvalidInstanceError(
                "the instance of this result is not known; use atleastk.plot"
            )
        return atleastk.plot(self.instance, self, path, ax=ax, kind=kind)

    def to_frame(
        self, names: Iterable[Any] | None = None, library: str | None = None
    ) -> Any:
        """Return a table of items and the numbers of their groups, as in `labels`.

        It has no rows without a solution.

        Parameters
        ----------
        names
            The names of items in the column ``item``; by default their numbers.
        library
            The library of the table: ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by
            default the first of them that is installed.

        Raises
        ------
        BackendUnavailableError
            If the library is not installed.
        """
        labels = self.labels or ()
        items = list(range(len(labels)) if names is None else names)
        if len(items) != len(labels) and self.solution is not None:
            raise InvalidInstanceError(f"names: {len(items)} for {len(labels)} items")
        columns = {"item": items[: len(labels)], "group": list(labels)}
        return table_of(columns, library, {"group": int})

    def __str__(self) -> str:
        lines = [f"{self.problem}: {self.status}"]
        if self.trust is not None:
            lines[0] += f" ({self.trust})"
        if self.cost is not None:
            lines.append(f"  cost    {self.cost}{self._meaning(self.cost, '=')}")
        if self.bound is not None:
            shown = "" if not self.gap else f"   gap {self.gap:.2%}"
            meaning = self._meaning(self.bound, "<=")
            lines.append(f"  bound   {self.bound}{shown}{meaning}")
        if self.certified_bound is not None:
            lines.append(f"  of it   {self.certified_bound} is certified")
        if self.solution is not None and self.instance is not None:
            lines += [f"  {remark}" for remark in self.solution.remarks(self.instance)]
        if self.number_of_groups is not None:
            lines.append(f"  groups  {self.number_of_groups}")
        lines.append(f"  method  {self.method}, {self.seconds:.2f} s")
        if self.stopped_because is Stop.CLOSED and self.proved_by is not None:
            movers = dict.fromkeys(filter(None, (self.proved_by, self.found_by)))
            lines.append(f"  closed  by {', found by '.join(movers)}")
        if self.stopped_because not in (None, Stop.CLOSED, Stop.ALGORITHM):
            lines.append(f"  ended   {self.stopped_because}")
        if self.guarantee is not None:
            lines.append(f"  promise {self.guarantee}")
            if self.instance is not None and (
                reason := self.guarantee.outside(self.instance)
            ):
                lines.append(f"          {reason}")
        if self.note is not None:
            lines.append(f"  note    {self.note}")
        return "\n".join(lines)

    def _meaning(self, cost: int, equals: str) -> str:
        """Return the meaning of a cost in words, where the instance is known."""
        meaning = "" if self.instance is None else self.instance.meaning(cost, equals)
        return meaning and f"   {meaning}"
