"""What is asked of an anonymised table, in the words of the table itself.

A request names columns; the instances of the problems number them. Of one that asks
for nothing beyond k comes plain k-anonymity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from os import PathLike
from typing import Any, Final, Self

import numpy as np

from atleastk.doors.anonymizing.hierarchies import (
    for_everybody,
    numbered_hierarchies,
    sourced,
)
from atleastk.doors.anonymizing.row_weights import RowWeights
from atleastk.frames.frame import Frame, Name, Selection, chosen, codes_of
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.allowance import Allowance, allowed_rows
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    meant,
    placed,
    quoted,
)
from atleastk.instances.fields.shapes import shown, whole
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression

MARKER: Final = "*"

RowOrder = Name | Mapping[Any, Sequence[object]] | Sequence[Sequence[int]]
Task = KAnonymity | Generalization
"""What is to be solved; ambiguity and limited suppression are special."""

_GENERALISING: Final = ("hierarchies", "on", "loss", "suppress_rows")
_WEIGHING: Final = ("weights", "row_weights")
_PROTECTING: Final = ("sensitive", "l", "diversity", "t")
_LIMITING: Final = (
    "limits",
    "intact",
    "column_order",
    "row_order",
    "minimise",
    "deletion",
    "problem",
)

_INSTEAD: Final = {
    "intact": ", or anonymise the rows of each of its values apart",
    "limits": ", or let weights say which columns to spare",
    "column_order": ", or let weights say which columns to spare",
}
"""What to do instead of what does not go with sensitive values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of a table; see :func:`atleastk.anonymize`."""

    k: int | None = None
    columns: Iterable[Name] | None = None
    limits: Mapping[str, int] | None = None
    intact: Iterable[Name] | None = None
    column_order: Sequence[Sequence[Name]] | None = None
    row_order: RowOrder | None = None
    minimise: str | None = None
    deletion: bool = False
    problem: str | None = None
    hierarchies: Mapping[Name, Any] | str | PathLike[str] | None = None
    on: str | None = None
    loss: str | None = None
    suppress_rows: Allowance | None = None
    weights: Mapping[Name, int] | None = None
    row_weights: Name | None = None
    ambiguous: bool = False
    sensitive: Name | Iterable[Name] | None = None
    l: int | None = None  # noqa: E741 - as in the papers
    diversity: str | None = None
    t: Any = None
    marker: str = MARKER

    def __post_init__(self) -> None:
        self._expect_protection()
        asked = [self._given(some) for some in (_LIMITING, _GENERALISING)]
        asked.append(self._asked(_WEIGHING))
        if asked[0] and asked[1]:
            raise InvalidInstanceError(
                f"{asked[0][0]} is for suppressing cells, {asked[1][0]} for "
                "generalising them, and both cannot be had; leave one out"
            )
        if asked[0] and asked[2]:
            raise InvalidInstanceError(
                f"{asked[0][0]} and {asked[2][0]} cannot both be had; leave one out"
            )
        if self.ambiguous and any(asked):
            more = next(some[0] for some in asked if some)
            raise InvalidInstanceError(
                f"ambiguous and {more} cannot both be had; leave one out"
            )

    def _expect_protection(self) -> None:
        """Refuse conditions on no values, and wishes that do not go with them."""
        asked = self._asked(_PROTECTING)
        if asked and self.sensitive is None:
            raise InvalidInstanceError(
                f"{asked[0]}: of which values? name the sensitive columns, too"
            )
        others = self._given([*_LIMITING, "ambiguous"])
        if asked and others:
            instead = _INSTEAD.get(others[0], "")
            raise InvalidInstanceError(
                f"sensitive and {others[0]} cannot both be had; leave one out{instead}"
            )
        if self.diversity is not None and self.l is None:
            raise InvalidInstanceError("diversity: says how l is read; give l, too")

    @property
    def protects(self) -> bool:
        """Whether classes have to keep sensitive values apart."""
        return self.l is not None or self.t is not None

    @property
    def sensitive_names(self) -> tuple[Name, ...]:
        """The sensitive columns."""
        named: Any = () if self.sensitive is None else self.sensitive
        return (named,) if isinstance(named, str | int) else tuple(named)

    @property
    def apart(self) -> tuple[tuple[str, Name], ...]:
        """The columns that are looked at only, and the wishes that name them."""
        found = tuple(("sensitive", name) for name in self.sensitive_names)
        weighing = self.row_weights
        return found if weighing is None else (*found, ("row_weights", weighing))

    @property
    def needed(self) -> dict[str, str]:
        """The columns that are looked at only, and in words what they are."""
        return {str(name): wish.replace("_", " ") for wish, name in self.apart}

    @property
    def maximises_k(self) -> bool:
        """Whether k is the least that is accepted, and as large as can be wanted."""
        named = self.problem is not None and "MAX-" in self.problem
        return named or self.minimise == "k"

    @property
    def generalises(self) -> bool:
        """Whether cells are generalised, not suppressed."""
        return bool(self._given(_GENERALISING))

    @property
    def weighs(self) -> bool:
        """Whether some cells cost more than others."""
        return bool(self._asked(_WEIGHING))

    @property
    def limits_loss(self) -> bool:
        """Whether more is asked for than few suppressed cells."""
        return self._given(_LIMITING) not in ([], ["minimise"]) or (
            self.minimise not in (None, "entries")
        )

    def with_hierarchies(self, selection: Selection) -> Self:
        """Return the request with the hierarchies of all columns made or read."""
        if not self.generalises:
            return self
        return replace(self, hierarchies=sourced(selection, self.hierarchies or {}))

    def ruled_by(self, everybody: Frame | None, selection: Selection) -> Self:
        """Return the request with rules made for the values of a population, if any."""
        if everybody is None:
            return self
        with placed("population"):
            there = Selection.of(everybody, selection.names)
            return replace(self, hierarchies=for_everybody(there, self.hierarchies))

    def _given(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if getattr(self, name)]

    def _asked(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if getattr(self, name) is not None]


def selection_of(frame: Frame, request: Request) -> Selection:
    """Return the columns to anonymise: by default all but sensitive ones and weights.

    Raises
    ------
    InvalidInstanceError
        If one of those is among them, UnknownNameError if one is not there.
    """
    if not request.apart:
        return Selection.of(frame, request.columns)
    apart = chosen(frame, dict.fromkeys(name for _, name in request.apart))
    if request.columns is None:
        rest = [name for name in frame.names if name not in apart]
        return Selection.of(frame, rest)
    found = Selection.of(frame, request.columns)
    for wish, name in request.apart:
        if name in found.names:
            raise InvalidInstanceError(
                f"{wish}: {quoted(name)} is among the columns to anonymise; "
                "leave it out of one of them"
            )
    return found


def row_weights_of(frame: Frame, request: Request) -> RowWeights | None:
    """Return how many persons rows stand for, if that is told."""
    name = request.row_weights
    return None if name is None else RowWeights.of(frame, name)


def conditions_of(frame: Frame, request: Request) -> dict[str, Any]:
    """Return what classes have to keep, as fields of `Diversity`."""
    columns = [frame.column(name) for name in request.sensitive_names]
    return {
        "sensitive": codes_of(columns).tolist(),
        "l": 1 if request.l is None else request.l,
        "reading": request.diversity or "distinct",
        "t": request.t,
    }


def instance_of(
    selection: Selection, request: Request, persons: RowWeights | None = None
) -> Task:
    """Return what is to be solved; the values of the table are numbered.

    On attributes all rows lose alike, however many persons they stand for.

    Raises
    ------
    InvalidInstanceError
        If a wish makes no sense, UnknownNameError if it names a column not there.
    """
    if request.k is None and not request.maximises_k:
        raise InvalidInstanceError(
            "k: missing; say how many rows have to look alike, or maximise k"
        )
    told, n = selection.texts, selection.frame.n
    shared: dict[str, Any] = {
        "table": codes_of(selection.columns).tolist(),
        "k": 1 if request.k is None else request.k,
        "columns": told if len(set(told)) == len(told) else None,
    }
    if request.generalises or request.weighs or request.protects:
        usual = "attributes" if request.generalises else "entries"
        shared |= {
            "hierarchies": numbered_hierarchies(selection, request.hierarchies or {}),
            "on": request.on or usual,
            "loss": request.loss or "height",
            "suppress_rows": allowed_rows(request.suppress_rows or 0, n),
            "column_weights": _column_weights(selection.names, request.weights or {}),
        }
        if persons is not None and shared["on"] == "entries":
            shared["row_weights"] = persons.counts
        if request.protects:
            return Diversity(**shared, **conditions_of(selection.frame, request))
        return Generalization(**shared)
    if request.ambiguous:
        return KAmbiguity(**shared)
    if not request.limits_loss:
        return KAnonymity(**shared)
    names = selection.names
    intact = _places(names, request.intact or (), "intact")
    shared |= {
        "limits": dict(request.limits or {}),
        "intact": intact,
        "column_order": None
        if request.column_order is None
        else _column_order(names, request.column_order, intact),
        "row_order": None
        if request.row_order is None
        else rows_in_order(selection.frame, request.row_order),
    }
    if request.problem is None:
        return Suppression(
            **shared,
            minimise=request.minimise or "entries",
            deletion=request.deletion,
        )
    for name in ("minimise", "deletion"):
        if getattr(request, name):
            raise InvalidInstanceError(
                f"{name}: the name {request.problem} says that already; leave one out"
            )
    return Suppression.named(request.problem, **shared)


def _column_weights(
    names: tuple[Name, ...], weights: Mapping[Name, int]
) -> list[int] | None:
    """Return the weights of all columns, 1 of those not named; None without any."""
    if not weights:
        return None
    _places(names, weights, "weights")
    for name, weight in weights.items():
        if (whole(weight) or 0) < 1:
            raise InvalidInstanceError(
                f'weights: "{name}" has {shown(weight)}; expected an integer of at '
                "least 1"
            )
    return [weights.get(name, 1) for name in names]


def _places(
    names: tuple[Name, ...], chosen: Iterable[Name], where: str
) -> tuple[int, ...]:
    """Return the places of some of the columns that are anonymised."""
    chosen = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    for name in chosen:
        if name not in names:
            there = ", ".join(map(str, names))
            raise UnknownNameError(
                f"{where}: {quoted(name)} is not among the columns to anonymise; "
                f"{meant(name, names)}they are {there}"
            )
    return tuple(names.index(name) for name in chosen)


def _column_order(
    names: tuple[Name, ...], classes: Sequence[Sequence[Name]], intact: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the classes by numbers; columns that are not named are a last class.

    Intact ones join the first class instead. It asks nothing of them: its members are
    compared with those of the next class, and none has fewer suppressed cells.
    """
    where = "column_order"
    order = [_places(names, members, where) for members in classes]
    listed = [column for members in order for column in members]
    twice = [names[j] for j in listed if listed.count(j) > 1]
    if twice:
        raise InvalidInstanceError(f'{where}: "{twice[0]}" is named twice')
    rest = tuple(j for j in range(len(names)) if j not in {*listed, *intact})
    if rest:
        order.append(rest)
    if len(order) < 2 or not all(order):
        raise InvalidInstanceError(
            f"{where}: expected two classes or more, none of them empty"
        )
    order[0] = (*(j for j in intact if j not in listed), *order[0])
    return tuple(order)


def rows_in_order(frame: Frame, asked: RowOrder) -> Sequence[Sequence[int]]:
    """Return the classes of rows, whether listed or told by a column."""
    if isinstance(asked, Mapping):
        if len(asked) != 1:
            raise InvalidInstanceError(
                "row_order: expected one column and its values in order"
            )
        ((name, values),) = asked.items()
        classes = [v if isinstance(v, list | tuple) else [v] for v in values]
        return _classes(frame, name, classes)
    if isinstance(asked, Sequence) and not isinstance(asked, str):
        return asked
    return _classes(frame, asked, None)


def _classes(
    frame: Frame, name: Name, values: Sequence[Sequence[object]] | None
) -> list[tuple[int, ...]]:
    """Return the rows by the value of a column, the most important ones first."""
    where = "row_order"
    if name not in frame.names:
        there = ", ".join(map(str, frame.names))
        raise UnknownNameError(
            f'{where}: no column is called "{name}"; there are {there}'
        )
    column = frame.column(name)
    texts = ["" if value is None else str(value) for value in column.values]
    if values is None:
        ranked = sorted(
            ((_rank(text, name), number) for number, text in enumerate(texts)),
            key=itemgetter(0),
        )
        groups: dict[float, list[int]] = {}
        for rank, number in ranked:
            groups.setdefault(rank, []).append(number)
        members = list(groups.values())
    else:
        wanted = [[str(value) for value in members] for members in values]
        every = [text for members in wanted for text in members]
        _expect_each_once(f'{where}: column "{name}"', texts, every)
        members = [[i for i, t in enumerate(texts) if t in some] for some in wanted]
    if len(members) < 2 or not all(members):
        raise InvalidInstanceError(
            f'{where}: column "{name}": expected two classes or more, none empty'
        )
    return [
        tuple(np.flatnonzero(np.isin(column.codes, numbers)).tolist())
        for numbers in members
    ]


def _expect_each_once(where: str, held: list[str], named: list[str]) -> None:
    """Refuse an order of values that leaves one out, or names it twice or in vain."""
    for text in (*held, *named):
        if text not in named:
            flaw = "is left out"
        elif text not in held:
            flaw = "is no value of it"
        elif named.count(text) > 1:
            flaw = "is named twice"
        else:
            continue
        raise InvalidInstanceError(f'{where}: "{text}" {flaw}')


def _rank(text: str, name: Name) -> float:
    try:
        rank = float(text)
    except ValueError:
        rank = float("nan")
    if rank != rank:
        raise InvalidInstanceError(
            f'row_order: column "{name}" holds "{text}"; expected numbers, '
            "1 for the most important rows, or its values in order"
        )
    return rank
