"""Rows of a table in batches of at least so much: orders, parcels, samples.

Every batch weighs at least k, and the heaviest is as light as can be, or there are as
many batches as can be. What is solved is an instance of bin covering, in whole numbers:
weights with decimals are taken times a power of ten, so that nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from atleastk.doors.calls import Call, OfTable, called_with
from atleastk.doors.cells import cells_of, number_of, numbers_of
from atleastk.doors.made import MadeOfGroups, numbered
from atleastk.frames.frame import Frame, Name, chosen
from atleastk.frames.open_frame import framed
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    expect_one_of,
    within_memory,
)
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.models.wording import counted
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within

MAXIMISED: Final = ("batches",)

_MOST_DIGITS: Final = 1_000
"""Digits before or after the point of a weight: more than those of any 64-bit float."""


@dataclass(eq=False)
class PackRequest:
    """A request for batches; see :func:`atleastk.pack`."""

    weight: Name
    k: Any
    _: KW_ONLY
    name: Name | None = None
    maximise: str | None = None


@dataclass(frozen=True, eq=False)
class Packed(MadeOfGroups):
    """Rows in batches; this is what ``print`` shows.

    Attributes
    ----------
    batch
        The number of every row's batch, from 1, in the order of their first rows; None
        without a solution.
    names
        What rows are called.
    digits
        How many decimals weights have: the sizes of the instance are in units of the
        last one.
    instance, result
        What was solved, and the answer.
    """

    batch: tuple[int, ...] | None
    names: tuple[str, ...]
    digits: int
    instance: BinCovering
    result: Result

    __repr__ = brief

    @cached_property
    def batches(self) -> list[list[int]]:
        """The rows of every batch, by its number."""
        return [list(rows) for rows in sorted(self.result.groups or (), key=min)]

    @cached_property
    def weights(self) -> list[Decimal]:
        """What every batch weighs."""
        sizes = self.instance.sizes
        return [self._in_units(sum(sizes[i] for i in rows)) for rows in self.batches]

    @property
    def most(self) -> int | None:
        """No more batches are possible, if that was asked; None if nothing is known."""
        instance, bound = self.instance, self.result.bound
        if instance.objective == "max" or bound is None:
            return None
        return int((instance.total - bound) // instance.k)

    def _in_units(self, size: int) -> Decimal:
        return Decimal(f"{size}e-{self.digits}")

    def own(self) -> dict[str, Any]:
        result, instance = self.result, self.instance
        bounds = instance.objective == "max" and result.bound is not None
        return {
            "k": float(self._in_units(instance.k)),
            "batch": self.batch,
            "weights": [*map(float, self.weights)] if self.batch else None,
            "heaviest": float(max(self.weights)) if self.weights else None,
            "bound": float(self._in_units(int(result.bound or 0))) if bounds else None,
            "most": self.most,
        }

    def to_html(self, table: str = "a table") -> str:
        """Return the page of what is in which batch, one file that needs no other.

        `table` is what the table is called.
        """
        return self.filed(f"Batches of {table}", self.by_group, _WORDS, {})

    @property
    def by_group(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        rows: list[tuple[object, ...]] = [
            (g, f"{weight:f}", len(batch), ", ".join(self.names[i] for i in batch))
            for g, (weight, batch) in enumerate(
                zip(self.weights, self.batches, strict=True), start=1
            )
        ]
        return ("batch>", "weight>", "rows>", "what"), rows

    @property
    def headline(self) -> str:
        least = f"at least {self._in_units(self.instance.k):,f} a batch"
        many = "" if self.instance.objective == "max" else ", as many as possible"
        return f"{counted(self.instance.n, 'row', ',')}, {least}{many}"

    def figures(self) -> Iterator[str]:
        instance, result = self.instance, self.result
        if result.status is Status.INFEASIBLE:
            total = self._in_units(instance.total)
            yield f"  reason      all rows weigh {total:,f} together"
        if self.weights:
            yield f"  batches     {len(self.weights):,}"
            yield f"  heaviest    {max(self.weights):,f}"
            yield f"  lightest    {min(self.weights):,f}"
        if self.most is not None:
            yield f"  proved      there are no more than {self.most:,} batches"
        elif result.bound is not None:
            gap = f" (gap {result.gap:.2%})" if result.gap else ""
            bound = self._in_units(int(result.bound))
            yield f"  proved      no batches have a heaviest below {bound:,f}{gap}"
        yield self.time_line


_WORDS = {"proved": "What no batches of at least so much can be better than."}


@dataclass(eq=False)
class _Call(Call, PackRequest, OfTable):
    """The parameters of `pack`: a table, the request, and the search."""


@called_with(_Call)
def pack(call: _Call) -> Packed:
    """Pack the rows of a table into batches of at least k; minimise the heaviest.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, or a list of dicts, tuples
        or lists.
    weight
        The column of weights: numbers above 0, with decimals or without.
    k
        The least weight of a batch.
    name
        The column that says what rows are called on a page; by default they are called
        by their numbers, from 1.
    maximise
        ``"batches"`` asks for as many batches as possible.

    Examples
    --------
    >>> orders = [{"kg": kg} for kg in (7.5, 2.5, 6, 4.5, 3)]
    >>> atleastk.pack(orders, "kg", k=10).batch
    (1, 2, 2, 1, 2)
    """
    made, outcome = pack_frame(framed(call.table), call, call.ask())
    outcome.unless_cut()
    return made


@within_memory("packing")
def pack_frame(frame: Frame, request: PackRequest, ask: Ask) -> tuple[Packed, Outcome]:
    """Pack the rows of a frame, see `pack`; return the outcome, too."""
    if request.maximise is not None:
        expect_one_of("maximise", request.maximise, MAXIMISED)
    (column,) = chosen(frame, [request.weight])
    cells: Sequence[Any] = cells_of(frame, column)
    cells = numbers_of(cells) or cells
    places = {f'weight: column "{column}", row {i}': c for i, c in enumerate(cells, 1)}
    (k, *sizes), digits = _in_wholes({"k": request.k} | places)
    instance = BinCovering(
        sizes=sizes,
        k=k,
        objective="max" if request.maximise is None else "excess",
        comment=f"{column}, in units of 1e-{digits}" if digits else f"{column}",
    )
    outcome = solve_within(instance, ask.sparing(frame.n * len(frame.names)))
    names: Sequence[Any] = range(1, frame.n + 1)
    if request.name is not None:
        names = cells_of(frame, *chosen(frame, [request.name]))
    called, groups = tuple(map(str, names)), outcome.result.groups
    batch = None if groups is None else numbered(frame.n, groups)
    return Packed(batch, called, digits, instance, outcome.result), outcome


def _in_wholes(cells: dict[str, Any]) -> tuple[Sequence[int], int]:
    """Return numbers above 0 times a power of ten, and that power; named by place."""
    found = []
    for place, cell in cells.items():
        number = number_of(cell) or Decimal(0)
        exponent = number.as_tuple().exponent
        if number <= 0 or abs(int(exponent)) > _MOST_DIGITS:
            raise InvalidInstanceError(
                f"{place}: expected a number above 0, of at most {_MOST_DIGITS:,} "
                f'digits, got "{cell}"'
            )
        found.append((number, -int(exponent)))
    digits = max(0, *(digits for _, digits in found))
    return [int(Fraction(number) * 10**digits) for number, _ in found], digits
