"""What was tried on a record of the library, and what follows from it.

Every run is kept, whether anything was gained by it or not: its method, its seed, its
limit, the day, the versions, and what it ended with. Seconds are those of a processor,
of one worker.

Difficulty
----------
How long *plain models* take: the usual formulation of an instance as it stands, in
HiGHS and in CP-SAT, without a start, a bound or a reduction of the package. One of them
closes ``toy`` instances in less than 1 s, ``small`` ones in 10 s, ``medium`` ones in
100 s; ``hard`` ones neither, in 100 s each. ``unmeasured`` are those on which less than
that was tried, and those without a plain model.

Open
----
An open record has earned its name: at least half an hour was tried in vain, by two
methods and with two seeds or more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from atleastk.instances.fields.shaped import Shaped, shaped
from atleastk.instances.fields.shapes import Integer, Nullable, Number, ObjectOf, Text
from atleastk.models.results.fields import INTEGER
from atleastk.models.results.status import Status

PLAIN: Final = ("model:compact", "cp-sat:compact")
"""The methods of studies that are plain models."""

UNMEASURED: Final = "unmeasured"
"""The difficulty that nobody knows."""

LADDER: Final[Mapping[str, float]] = {"toy": 1.0, "small": 10.0, "medium": 100.0}
"""The seconds in which a plain model closes what is of each difficulty."""

_HARD: Final = "hard"

DIFFICULTIES: Final = (*LADDER, _HARD, UNMEASURED)
"""The difficulties, the least first."""

HALF_AN_HOUR: Final = 1800.0
"""The seconds that an open record has been tried for."""

_FEWEST: Final = 2
"""The methods and the seeds that it has been tried with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort(Shaped):
    """A run on an instance, by one worker."""

    date: str = field(metadata=shaped(Text()))
    method: str = field(metadata=shaped(Text()))
    """As in studies; see :class:`~atleastk.research.studies.spec.Study`."""
    seed: int = field(metadata=shaped(Integer(0)))
    limit: float = field(metadata=shaped(Number(0)))
    seconds: float = field(metadata=shaped(Number(0)))
    """`limit`, `seconds`: that it might take, and that it took, of a processor."""
    status: str = field(metadata=shaped(Text()))
    """Of the result; or that of a run of a study without one, such as REFUSED."""
    cost: int | None = field(default=None, metadata=shaped(Nullable(INTEGER)))
    bound: int | None = field(default=None, metadata=shaped(Nullable(INTEGER)))
    nodes: int | None = field(default=None, metadata=shaped(Nullable(Integer(0))))
    """Of the tree, if the solver tells."""
    versions: Mapping[str, str] = field(metadata=shaped(ObjectOf(Text())))

    @property
    def closed(self) -> bool:
        """Whether it ended with a proof."""
        return self.status in (Status.OPTIMAL, Status.INFEASIBLE)

    @property
    def answered(self) -> bool:
        """Whether it ended with a result: it was not refused, and did not fail."""
        return self.status in tuple(Status)


EFFORT_HEADS: Final = (
    *("date", "method", "seed>", "limit>", "s>", "status", "cost>", "bound>", "nodes>"),
    "versions",
)
"""The heads of a table of efforts."""


def effort_cells(effort: Effort) -> tuple[str, ...]:
    """Return an effort as a row of such a table."""
    numbers = effort.cost, effort.bound, effort.nodes
    return (
        effort.date,
        effort.method,
        str(effort.seed),
        f"{effort.limit:g}",
        f"{effort.seconds:.2f}",
        effort.status,
        *("" if number is None else str(number) for number in numbers),
        ", ".join(f"{name} {version}" for name, version in effort.versions.items()),
    )


def closed_in(efforts: Sequence[Effort]) -> float:
    """Return the least seconds in which a plain model closed it; else infinity."""
    plain = (each for each in efforts if each.method in PLAIN and each.closed)
    return min((each.seconds for each in plain), default=inf)


def difficulty_of(efforts: Sequence[Effort]) -> str:
    """Return how hard an instance is for plain models: one of `DIFFICULTIES`."""
    plain = [effort for effort in efforts if effort.method in PLAIN]
    least, most = closed_in(efforts), max(LADDER.values())
    if least < most:
        return next(word for word, seconds in LADDER.items() if least < seconds)
    in_vain = any(each.answered and each.limit >= most for each in plain)
    every = all(is_spent(plain, method, most) for method in PLAIN)
    return _HARD if every and in_vain else UNMEASURED


def is_spent(efforts: Sequence[Effort], method: str, seconds: float) -> bool:
    """Tell whether so much was tried by a method, or more of it is of no use."""
    return any(
        effort.limit >= seconds or effort.closed or not effort.answered
        for effort in efforts
        if effort.method == method
    )


def is_earned(efforts: Sequence[Effort]) -> bool:
    """Tell whether an instance has been tried for long enough to be called open."""
    answered = [effort for effort in efforts if effort.answered]
    methods = len({effort.method for effort in answered})
    seeds = len({effort.seed for effort in answered})
    long = sum(effort.seconds for effort in answered) >= HALF_AN_HOUR
    return long and min(methods, seeds) >= _FEWEST
