"""A point of a curve of costs: the best that is known for one k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

from atleastk.models.results.result import Result


class Case(NamedTuple):
    """One of the questions of a trade-off."""

    k: int
    """The least size of a group."""
    allowed: int | None = None
    """How many rows may be suppressed altogether, if that is a question."""
    rule: str | None = None
    """In which way cells are generalised, if there are several."""
    without: str | None = None
    """The column that is left out, to see what it costs; None of most cases."""

    @property
    def curve(self) -> tuple[str | None, str | None]:
        """What cases share that tell each other something."""
        return self.rule, self.without

    def tells(self, other: Case) -> bool:
        """Whether a solution of this case is one of the other, by the numbers.

        Then a bound of the other is one of this.
        """
        within = (self.allowed or 0) <= (other.allowed or 0)
        return self.curve == other.curve and self.k >= other.k and within

    def beside(self, other: Case) -> str:
        """Return the case in words, but for what it shares with the other."""
        rows = "" if self.allowed == other.allowed else f", {self.allowed} rows off"
        return f"k = {self.k}{rows}"

    def __str__(self) -> str:
        return self.in_words()

    def in_words(self, wide: int = 0) -> str:
        """Return the case in words, its k as wide as that."""
        rule = "" if self.rule is None else f"{self.rule}, "
        rows = "" if self.allowed is None else f", at most {self.allowed} rows off"
        less = "" if self.without is None else f", without {self.without}"
        return f"{rule}k = {self.k:>{wide}}{rows}{less}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: k, and what else is a question."""
        return {name: of for name, of in self._asdict().items() if of is not None}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self | None:
        """Return the case that a JSON object is of; None if it does not say so."""
        k, *others = (document.get(name) for name in cls._fields)
        if not isinstance(k, int):
            return None
        kinds = zip(others, (int, str, str), strict=True)
        if not all(of is None or isinstance(of, kind) for of, kind in kinds):
            return None
        return cls(k, *others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a table keeps, and how easily its rows are found."""

    lost: float
    """The share that is lost: of the precision, of the cells where these are
    suppressed, of the spread where means are published."""
    levels: Mapping[str, float]
    """The level of every column, of cells their mean; where they are suppressed, the
    share of them. Nothing where means are published."""
    suppressed_rows: int
    """How many rows are suppressed altogether."""
    mean_risk: float
    highest_risk: float
    """`mean_risk`, `highest_risk`: with which probability a guess about a person is
    right, on average over the rows and at most."""
    heights: Mapping[str, int] = field(default_factory=dict)
    """The highest level of every column; nothing where cells are suppressed."""
    emptied: tuple[str, ...] = ()
    """The columns of which nothing is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeoffPoint:
    """The least cost found for a k, and the bound proved."""

    case: Case
    """The question: k, and what else there is a choice of."""
    result: Result
    """The answer, its cost recomputed for this case: `atleastk.check` takes it with
    ``result.instance``."""
    seconds: float
    """What was spent on searches for this case; 0 if neighbours told all."""
    found_at: Case | None
    proved_at: Case | None
    """`found_at`, `proved_at`: the case whose search found the solution, and the one
    whose search proved the bound; None without one."""
    most: int | None = None
    """Of a table, the cost of one that says nothing any more."""
    kept: Kept | None = None
    """Of a table, what a solution keeps, recounted in what would be published."""

    @property
    def k(self) -> int:
        """The least size of a group."""
        return self.case.k

    @property
    def cost(self) -> int | None:
        """The cost of the best solution; None without one."""
        return self.result.cost

    @property
    def bound(self) -> int | None:
        """No solution costs less; None if nothing is known."""
        return self.result.bound

    @property
    def gap(self) -> float | None:
        """(cost - bound) / |cost|; None if either is unknown."""
        return self.result.gap

    @property
    def handed_on(self) -> str:
        """Which neighbours the cost and the bound come from, in words."""
        told = [("cost", self.found_at), ("bound", self.proved_at)]
        return ", ".join(
            f"{what} of {at.beside(self.case)}"
            for what, at in told
            if at not in (None, self.case)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: the figures, without the solution."""
        return {
            **self.case.to_dict(),
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            "status": str(self.result.status),
            "trust": None if self.result.trust is None else str(self.result.trust),
            **({} if self.most is None else {"most": self.most}),
            **({} if self.kept is None else asdict(self.kept)),
            "groups": self.result.number_of_groups,
            "found_at": self.found_at and self.found_at.to_dict(),
            "proved_at": self.proved_at and self.proved_at.to_dict(),
            "seconds": round(self.seconds, 3),
            "instance_sha256": self.result.instance_sha256,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPrice:
    """What the cost falls by if a column is left out, and published no more."""

    case: Case
    """The case with all columns."""
    column: str
    """The column."""
    least: float | None
    most: float | None
    """`least`, `most`: the price is between them, in the unit of costs; they are the
    same if both optima are proved. None where nothing is known."""
    share: float | None
    """The greatest price as a share of the cost of a table that says nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        case = self.case.to_dict()
        return {**case, **{n: getattr(self, n) for n in self.__slots__ if n != "case"}}
