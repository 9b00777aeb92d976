"""What is asked of groups, and the instance that it makes.

Wishes that exclude each other by counting alone are refused, with both of their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import lcm
from typing import Any, Final, NamedTuple, Self

import numpy as np

from atleastk.doors.assigning import terms as wishes
from atleastk.doors.assigning.terms import Term
from atleastk.doors.cells import cells_of, number_of, numbers_of
from atleastk.doors.clustering.points import MOST_PAIRED
from atleastk.frames.frame import Frame, Name, chosen, written
from atleastk.instances.fields.errors import InvalidInstanceError, expect_one_of
from atleastk.instances.fields.shapes import whole
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.wording import counted
from atleastk.packages import nx

Window = int | tuple[int, int | None]
"""A least number and a most one, if there is one; a number alone is both for sizes, and
the least otherwise."""

_EVERY: Final = None
"""In `having`: every value of the column."""

LISTS: Final = ("together", "apart", "friends", "avoid")
"""Wishes as lists of what rows are called, or columns of it."""


@dataclass(eq=False)
class AssignRequest:
    """A request for groups; see :func:`atleastk.assign`."""

    size: Window | None = None
    _: KW_ONLY
    groups: int | None = None
    name: Name | None = None
    having: Mapping[Any, Window] = field(default_factory=dict)
    sums: Mapping[Name, Window] = field(default_factory=dict)
    together: Iterable[Sequence[Any]] = ()
    apart: Iterable[Sequence[Any]] = ()
    friends: Iterable[Sequence[Any]] = ()
    at_least_one_friend: bool = False
    avoid: Iterable[Sequence[Any]] = ()
    near: Sequence[Name] = ()
    metric: str | None = None
    distances: Any = None
    alike: Sequence[Name] = ()
    mixed: Sequence[Name] = ()
    balance: Sequence[Name] = ()
    weights: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in LISTS:
            given = getattr(self, name)
            alone = isinstance(given, str | int)
            setattr(self, name, (given,) if alone else tuple(given))
        if self.groups is not None and (whole(self.groups) or 0) < 1:
            raise InvalidInstanceError(
                f"groups: expected an integer of at least 1, got {self.groups!r}"
            )
        if self.size is not None:
            low, high = self.sizes
            if low < 1 or high < low:
                raise InvalidInstanceError(
                    "size: expected a least number of rows and a most one, got "
                    f"{self.size}"
                )
        elif self.groups is None:
            raise InvalidInstanceError("size: give the rows of a group, or groups")
        if self.metric is not None and not self.near:
            raise InvalidInstanceError("metric: of which places? give near, too")
        for name in self.weights:
            expect_one_of("weights", name, wishes.TERMS)
            given = getattr(self, name)
            if given is None or not len(given):
                raise InvalidInstanceError(
                    f"weights: {name} is not asked for, or nothing is in it; give "
                    f"{name}, too, or leave its weight out"
                )

    @property
    def sizes(self) -> tuple[int, int]:
        assert self.size is not None, "sizes are settled first"
        if isinstance(self.size, int):
            return self.size, self.size
        low, high = self.size
        return low, MOST_PAIRED if high is None else high

    def settled(self, frame: Frame) -> Self:
        """Return the request with sizes, and with lists in place of columns."""
        rows = Rows(frame, self.name)
        size = self.size
        if size is None:
            parts = self.groups or 1
            size = max(frame.n // parts, 1), max(-(-frame.n // parts), 1)
        lists: dict[str, Any] = {
            name: rows.listed(name, getattr(self, name)) for name in LISTS
        }
        return replace(self, size=size, **lists)


class Rows:
    """The rows of a table by what they are called."""

    def __init__(self, frame: Frame, name: Name | None) -> None:
        self.frame = frame
        self._column = None if name is None else chosen(frame, [name])[0]
        if frame.n > MOST_PAIRED:
            raise InvalidInstanceError(
                f"the table has {frame.n:,} rows; expected at most {MOST_PAIRED:,}"
            )
        cells: Sequence[Any] = range(1, frame.n + 1)
        if self._column is not None:
            cells = cells_of(frame, self._column)
        self.names = tuple(map(_text, cells))

    @cached_property
    def _places(self) -> Mapping[str, int]:
        found = {called: row for row, called in enumerate(self.names)}
        if len(found) < len(self.names):
            twice = next(c for row, c in enumerate(self.names) if found[c] > row)
            first = self.names.index(twice) + 1
            second = self.names.index(twice, first) + 1
            raise InvalidInstanceError(
                f'name: rows {first} and {second} are called "{twice}", so lists '
                "cannot say which is meant; give them names of their own"
            )
        return found

    def row(self, called: Any, where: str) -> int:
        found = self._places.get(_text(called))
        if found is None:
            by = f'by "{self._column}"'
            if self._column is None:
                by = "as rows are called 1, 2, ...; say name (--name COLUMN)"
            raise InvalidInstanceError(f'{where}: no row is called "{called}" {by}')
        return found

    def listed(self, wish: str, given: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """Return lists of names; of columns, every row's name with each cell."""
        if not given or not all(isinstance(one, str | int) for one in given):
            return given
        found = []
        for name in chosen(self.frame, given):
            held = self.frame.column(name)
            for row, cell in enumerate(held.values[code] for code in held.codes):
                if _named(cell):
                    self.row(cell, f'{wish}: column "{name}", row {row + 1}')
                    found.append((self.names[row], cell))
        return found

    def lists(self, name: str, given: Iterable[Sequence[Any]]) -> list[list[int]]:
        """Return lists of rows; cells without a name are left out."""
        return [
            sorted({self.row(c, f"{name}, list {p + 1}") for c in some if _named(c)})
            for p, some in enumerate(given)
        ]

    def pairs(
        self, name: str, given: Iterable[Sequence[Any]]
    ) -> Iterator[tuple[int, int, int]]:
        """Yield pairs of rows with their weights, 1 by default."""
        for place, some in enumerate(given):
            where = f"{name}, pair {place + 1}"
            first, second, *more = [cell for cell in some if _named(cell)] + [None]
            if second is None or len(more) > 2:
                raise InvalidInstanceError(
                    f"{where}: expected two names, and maybe a weight"
                )
            weight = 1 if not more or more[0] is None else _whole(more[0], where)
            yield self.row(first, where), self.row(second, where), weight


def _text(cell: Any) -> str:
    return (written([cell])[0] or "").strip()


def _named(cell: Any) -> bool:
    return _text(cell) != ""


def _whole(cell: Any, where: str) -> int:
    number = number_of(cell)
    if number is None or number < 0 or number != number.to_integral_value():
        raise InvalidInstanceError(
            f'{where}: expected a whole number of at least 0, got "{cell}"'
        )
    return int(number)


def _terms(rows: Rows, request: AssignRequest) -> list[Term]:
    frame, n, found = rows.frame, rows.frame.n, []
    for name, sign in (("friends", -1), ("avoid", 1)):
        given = list(getattr(request, name))
        if given:
            found.append(wishes.listed(name, n, rows.pairs(name, given), sign))
    if request.near:
        found.append(wishes.near(frame, chosen(frame, request.near), request.metric))
    if request.distances is not None:
        lengths = _square(request.distances, n)
        found.append(wishes.of_lengths("distances", "a matrix", lengths))
    for term in (wishes.alike, wishes.mixed, wishes.balance):
        columns = getattr(request, term.__name__)
        found += [term(frame, c) for c in (chosen(frame, columns) if columns else ())]
    return found


def _square(distances: Any, n: int) -> Any:
    try:
        lengths = np.array(distances, dtype=np.float64)
    except ValueError:  # a text, or rows of several lengths
        lengths = np.empty(0)
    if lengths.shape != (n, n) or not np.isfinite(lengths).all():
        raise InvalidInstanceError(
            f"distances: expected numbers in {n} rows and {n} columns"
        )
    if (lengths < 0).any() or (lengths != lengths.T).any():
        raise InvalidInstanceError(
            "distances: expected numbers of at least 0, the same in both directions"
        )
    return lengths


def _weighted(
    terms: Sequence[Term], weights: Mapping[str, Any]
) -> tuple[tuple[tuple[Term, int], ...], int]:
    """Return terms with their weights in units of 1 / scale, and the scale.

    What a step of a term weighs is a whole number of these units.
    """
    given = []
    for name in (term.name for term in terms):
        weight = number_of(weights.get(name, 1))
        if weight is None or weight < 0:
            raise InvalidInstanceError(
                f"weights: {name}: expected a number of at least 0, got "
                f"{weights.get(name)}"
            )
        given.append(weight)
    both = [*zip(terms, given, strict=True)]
    scale = lcm(*(term.steps * w.as_integer_ratio()[1] for term, w in both), 1)
    return tuple((term, int(weight * scale)) for term, weight in both), scale


class _Required(NamedTuple):
    """What every group has to have."""

    name: str
    amounts: list[int]  # [row]
    least: int
    most: int | None


def _required(frame: Frame, request: AssignRequest) -> Iterator[_Required]:
    for what, window in request.having.items():
        column, value = what if isinstance(what, tuple) else (what, _EVERY)
        (name,) = chosen(frame, [column])
        held = frame.column(name)
        cells = [held.values[code] for code in held.codes]
        values = [v for v in held.values if _named(v)] if value is _EVERY else [value]
        for each in values:
            amounts = [int(str(cell) == str(each)) for cell in cells]
            if not any(amounts):
                raise InvalidInstanceError(
                    f'having: no row has "{each}" in column "{name}"'
                )
            yield _Required(f"{name} {each}", amounts, *_limits(window))
    for column, window in request.sums.items():
        (name,) = chosen(frame, [column])
        numbers = numbers_of(cells_of(frame, name))
        if numbers is None:
            raise InvalidInstanceError(f'sums: column "{name}" has texts')
        amounts = [_whole(x, f'sums: column "{name}"') for x in numbers]
        yield _Required(f"{name}", amounts, *_limits(window))


def _limits(window: Window) -> tuple[int, int | None]:
    return (window, None) if isinstance(window, int) else window


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """An instance, and what it stands for."""

    instance: PairPartition
    """What is solved, in units of 1 / scale."""
    terms: tuple[tuple[Term, int], ...]
    """What counts, each with its weight in units of 1 / scale."""
    scale: int
    names: tuple[str, ...]
    """What rows are called."""
    required: Mapping[str, Sequence[int]]
    """What groups have to have, [row], by what it is called."""

    @property
    def constant(self) -> int:
        """What a solution costs more than its pairs, in units of 1 / scale."""
        return sum(
            term.constant * (weight // term.steps) for term, weight in self.terms
        )

    @property
    def least(self) -> int:
        """What the pairs of any solution cost at least: balance is at least 0."""
        others = sum(
            min(0, term.all) * (weight // term.steps)
            for term, weight in self.terms
            if term.name != "balance"
        )
        return others - self.constant


def asked_of(frame: Frame, request: AssignRequest) -> Asked:
    """Return what is solved; raise an error for wishes that exclude others."""
    rows = Rows(frame, request.name)
    terms, scale = _weighted(_terms(rows, request), request.weights)
    required = list(_required(frame, request))
    friends: dict[int, set[int]] = {}  # of every row that comes first in a pair
    if request.at_least_one_friend:
        wished = [pair for t, _ in terms if t.name == "friends" for pair in t.pairs]
        if not wished:
            raise InvalidInstanceError("at_least_one_friend: give friends, too")
        for row, friend, _ in wished:
            friends.setdefault(row, set()).add(friend)
    instance = _instance(rows, request, required, wishes.sum_of(terms), friends)
    amounts = {one.name: one.amounts for one in required}
    return Asked(instance, terms, scale, rows.names, amounts)


def _instance(
    rows: Rows,
    request: AssignRequest,
    required: Sequence[_Required],
    costs: list[list[int]],
    friends: Mapping[int, set[int]],
) -> PairPartition:
    frame, (low, high) = rows.frame, request.sizes
    together = [*rows.lists("together", request.together)]
    together += _bound_by_friends(friends, rows, high)
    apart = rows.lists("apart", request.apart)
    require: list[dict[str, Any]] = [{"of": "items", "at_most": high}]
    for _, amounts, least, most in required:
        limits = {"at_least": least} | ({} if most is None else {"at_most": most})
        require.append({"of": amounts, **limits})
    for row, some in friends.items():
        amounts = [int(other in some) for other in range(frame.n)]
        amounts[row] = -1
        require.append({"of": amounts, "at_least": 0})
    instance = PairPartition(
        items=frame.n,
        costs=costs,
        k=low,
        groups=None if request.groups is None else (request.groups,) * 2,
        require=require,
        together=together or None,
        apart=apart or None,
    )
    _expect_possible(instance, request, required, rows)
    _expect_friends(instance, friends, rows)
    return instance


def _expect_possible(
    instance: PairPartition,
    request: AssignRequest,
    required: Sequence[_Required],
    rows: Rows,
) -> None:
    """Refuse wishes that exclude each other by counting, and say which."""
    low, high = request.sizes
    n, sizes = instance.n, f"size {low}..{'' if high == MOST_PAIRED else high}"
    asked = sizes if request.groups is None else f"groups {request.groups}"
    counts = range(-(-n // high), n // low + 1)  # of groups of these sizes
    if request.groups is not None and request.groups in counts:
        counts = range(request.groups, request.groups + 1)
    elif request.groups is not None or not counts:
        number = "" if request.groups is None else f"{request.groups} "
        raise InvalidInstanceError(
            f"{sizes}: {counted(n, 'row')} do not go into {number}groups of that size"
        )
    for name, amounts, least, most in required:
        there = sum(amounts)
        if least * counts[0] > there:
            raise InvalidInstanceError(
                f"{name}: {there} in all, too few for at least {least} in each of "
                f"{counts[0]} groups; {asked} needs that many groups"
            )
        if most is not None and most * counts[-1] < there:
            raise InvalidInstanceError(
                f"{name}: {there} in all, too many for at most {most} in each of "
                f"{counts[-1]} groups; {asked} allows no more groups"
            )
    lists = instance.together or ()
    joined = {pair for some in lists for pair in combinations(some, 2)}
    for some in instance.apart or ():
        for pair in combinations(some, 2):
            if pair in joined:
                both = " and ".join(rows.names[row] for row in pair)
                raise InvalidInstanceError(f"{both}: together and apart")
        if len(some) > counts[-1]:
            raise InvalidInstanceError(
                f"apart: {len(some)} rows of one list, more than the {counts[-1]} "
                f"groups that {asked} allows"
            )
    for some in instance.together or ():
        if len(some) > high:
            raise InvalidInstanceError(
                f"together: {len(some)} rows of one list, more than {high} of a group"
            )


def _bound_by_friends(
    friends: Mapping[int, set[int]], rows: Rows, most: int
) -> list[list[int]]:
    only: nx.Graph[int] = nx.Graph()
    only.add_edges_from(
        (row, min(some)) for row, some in friends.items() if len(some) == 1
    )
    bound = [sorted(some) for some in nx.connected_components(only)]
    for some in bound:
        if len(some) > most:
            named = ", ".join(rows.names[row] for row in some)
            raise InvalidInstanceError(
                f"at least one friend: {named} have to be together, as each has one "
                f"friend only, or is that one: {len(some)} rows, more than {most}"
            )
    return bound


def _expect_friends(
    instance: PairPartition, friends: Mapping[int, set[int]], rows: Rows
) -> None:
    for row, some in friends.items():
        lists = [set(others) for others in instance.apart or () if row in others]
        if not some - set().union(*lists):
            raise InvalidInstanceError(
                f"at least one friend: {rows.names[row]} is apart from all of them"
            )
