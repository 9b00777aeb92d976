"""A table with its request: columns chosen, hierarchies made, weights read.

A request names columns; the instance that is solved numbers them, and their values. A
request with nothing but k becomes an instance of plain k-anonymity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.hierarchies import (
    SUPPRESSED,
    Sourced,
    numbered_hierarchies,
    numbered_rows,
    recoded,
    sourced,
)
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.row_columns import RowWeights, ranks_of, rows_in_order
from atleastk.frames.frame import Frame, Name, Selection, chosen, codes_of
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.allowance import allowed_rows
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    meant,
    placed,
    quoted,
    within_memory,
)
from atleastk.instances.fields.shapes import shown, whole
from atleastk.instances.fields.wish_names import called
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.solvers.budget import Budget

Task = KAnonymity | Generalization
"""The instance to be solved; k-ambiguity and suppression are subclasses."""


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """A table with its request."""

    original: Selection
    """The columns to anonymise, as they are."""
    table: Selection
    """The same as they are recoded before all else."""
    request: Request
    """The request; if cells are generalised, with the hierarchies of all columns."""
    hierarchies: Mapping[Name, Sourced]
    """The hierarchy of every column; that of suppression where none is given."""
    sensitive: tuple[Name, ...]
    """The names of the sensitive columns."""
    row_weights: RowWeights | None
    """How many persons every row stands for, if a column has that."""
    population: Selection | None
    """The same columns of a table of all persons, if there is one."""

    @classmethod
    @within_memory("anonymizing")
    def of(
        cls,
        frame: Frame,
        request: Request,
        everybody: Frame | None = None,
        budget: Budget | None = None,
    ) -> Self:
        """Choose the columns, make or read their hierarchies and the row weights.

        Many hierarchies have to be made within a budget.

        Raises InvalidInstanceError if a wish makes no sense for this table,
        UnknownNameError if it names a column that is not there.
        """
        names = columns_of(frame, request.columns, request.apart)
        original = table = Selection.of(frame, names)
        population = None
        if request.recode:
            if everybody is not None:
                raise InvalidInstanceError(
                    f"{called('recode')} and {called('population')} cannot both be "
                    "had, since whoever is in the population is as it is; recode both "
                    "before"
                )
            table = Selection.of(
                recoded(original, request.recode, request.marker), names
            )
        if everybody is not None:
            with placed("population"):
                population = Selection.of(everybody, names)
        hierarchies = dict.fromkeys(names, SUPPRESSED)
        if request.generalises:
            given = request.hierarchies or {}
            hierarchies = sourced(table, given, request.marker, population, budget)
            request = replace(request, hierarchies=hierarchies)
        weighing = request.row_weights
        weights = None if weighing is None else RowWeights.of(frame, weighing)
        read = request.sensitive_names, weights
        return cls(original, table, request, hierarchies, *read, population)

    @property
    def generalised(self) -> dict[Name, Hierarchy]:
        """The hierarchies of the columns that are not suppressed."""
        known = self.hierarchies.items()
        return {n: one.hierarchy for n, one in known if one.hierarchy is not None}

    def asking(self, k: int | None) -> Self:
        return replace(self, request=replace(self.request, k=k))

    def keeping(self, rows: IntArray) -> Self:
        frames = [one.frame.taking(rows) for one in (self.original, self.table)]
        original, table = (Selection.of(frame, self.table.names) for frame in frames)
        weights = self.row_weights
        return replace(
            self,
            original=original,
            table=table,
            row_weights=None if weights is None else weights.of_rows(rows),
        )

    def instance(self) -> Task:
        """Return the instance to be solved; the values of the table are numbered.

        Raises InvalidInstanceError if a wish makes no sense, UnknownNameError if it
        names a column not there.
        """
        request, names = self.request, self.table.texts
        if request.k_map is not None and self.population is None:
            raise InvalidInstanceError(
                f"{called('k_map')}: of which population? give "
                f"{called('population')}, too"
            )
        if request.k is None and not (request.maximises_k or request.k_map):
            raise InvalidInstanceError(
                f"{called('k')}: missing; say how many rows have to look alike, or "
                "maximise k"
            )
        shared: dict[str, Any] = {
            "table": CodedTable(codes_of(self.table.columns)),
            "k": 1 if request.k is None else request.k,
            "columns": names if len(set(names)) == len(names) else None,
        }
        limits = request.limits_loss and not request.generalises
        if not limits and (request.generalises or request.weighs or request.protects):
            shared |= self.prices()
            if request.protects:
                return Diversity(**shared, **conditions_of(self.table.frame, request))
            return Generalization(**shared)
        if request.ambiguous:
            return KAmbiguity(**shared)
        if not request.limits_loss:
            return KAnonymity(**shared)
        shared |= self._limits()
        if request.problem is None:
            minimise = request.minimise or "entries"
            return Suppression(**shared, minimise=minimise, deletion=request.deletion)
        for name in ("minimise", "deletion"):
            if getattr(request, name):
                raise InvalidInstanceError(
                    f"{called(name)}: the name {request.problem} says that already; "
                    "leave one out"
                )
        return Suppression.named(request.problem, **shared)

    def prices(self) -> dict[str, Any]:
        """Return the prices of cells, as fields of `Generalization`.

        On attributes all rows lose alike, however many persons they stand for.
        """
        request, table = self.request, self.table
        asked = {} if request.by_larger_k else request.conditions
        mapped = self.population if "k_map" in asked else None
        found: dict[str, Any] = {
            "hierarchies": numbered_hierarchies(table, self.hierarchies, mapped),
            "on": request.on or ("attributes" if request.generalises else "entries"),
            "loss": request.loss or "height",
            "suppress_rows": allowed_rows(request.suppress_rows or 0, table.frame.n),
            "column_weights": _column_weights(table.names, request.weights or {}),
        }
        if self.row_weights is not None and found["on"] == "entries":
            found["row_weights"] = self.row_weights.counts
        if request.levels or request.intact:
            found["levels"] = self._level_limits(found["hierarchies"])
        if mapped is not None:
            persons = numbered_rows(table, mapped)[1]
            asked["population"] = [*map(tuple, persons.tolist())]
        if request.household is not None and request.counts_values:
            owners = codes_of([table.frame.column(request.household)])
            asked |= {"households": request.k or 1, "owners": owners[:, 0].tolist()}
        if asked:
            found["conditions"] = asked
        return found

    def _level_limits(self, hierarchies: Sequence[Hierarchy]) -> list[tuple[int, ...]]:
        request, names = self.request, self.table.names
        given = request.levels or {}
        _places(names, given, "levels")
        kept = _places(names, request.intact or (), "intact")
        found = []
        for j, (name, hierarchy) in enumerate(zip(names, hierarchies, strict=True)):
            wish = given.get(name, 0 if j in kept else (0, hierarchy.height))
            pair = (wish, wish) if isinstance(wish, int) else tuple(wish)
            numbers = len(pair) == 2 and None not in map(whole, pair)
            if not numbers or not 0 <= pair[0] <= pair[1] <= hierarchy.height:
                raise InvalidInstanceError(
                    f"{called('levels')}: {quoted(name)} has levels 0 to "
                    f"{hierarchy.height}; "
                    f"expected one of them, or the least and the greatest, got {wish}"
                )
            if j in kept and pair != (0, 0):
                raise InvalidInstanceError(
                    f"{called('levels')}: {quoted(name)} is intact, which is level 0; "
                    "leave it out of one of them"
                )
            found.append(pair)
        return found

    def _limits(self) -> dict[str, Any]:
        request, table = self.request, self.table
        intact = _places(table.names, request.intact or (), "intact")
        columns, rows = request.column_order, request.row_order
        persons = self.row_weights
        return {
            "column_weights": _column_weights(table.names, request.weights or {}),
            "row_weights": None if persons is None else persons.counts,
            "limits": dict(request.limits or {}),
            "intact": intact,
            "column_order": None
            if columns is None
            else _column_order(table.names, columns, intact),
            "row_order": None if rows is None else rows_in_order(table.frame, rows),
        }


def columns_of(
    frame: Frame,
    columns: Iterable[Name] | None,
    apart: Iterable[tuple[str, Name]],
    exempt: Iterable[Name] | None = None,
) -> tuple[Name, ...]:
    """Return the columns to anonymise: by default all but those exempt or set apart.

    Raises InvalidInstanceError if a column set apart is among them, UnknownNameError if
    one is not there.
    """
    others = {name for _, name in apart}
    if others:
        chosen(frame, dict.fromkeys(name for _, name in apart))
    if exempt is not None:
        others |= {*chosen(frame, exempt)}
    if columns is None:
        return chosen(frame, [name for name in frame.names if name not in others])
    names = chosen(frame, columns)
    for wish, name in apart:
        if name in names:
            raise InvalidInstanceError(
                f"{called(wish)}: {quoted(name)} is among the columns to anonymise, "
                "and would be published as it is; leave it out of one of them"
            )
    return names


def conditions_of(frame: Frame, request: Request) -> dict[str, Any]:
    """Return the conditions on sensitive values, as fields of `Diversity`."""
    if request.household is not None and not request.counts_values:
        whose = codes_of([frame.column(request.household)])
        return {"sensitive": whose.tolist(), "l": request.k or 1}
    values = [
        ranks_of(frame, name) if request.ordered else frame.column(name).codes
        for name in request.sensitive_names
    ]
    return {
        "sensitive": np.stack(values, axis=1).tolist(),
        "l": 1 if request.l is None else request.l,
        "reading": request.diversity or "distinct",
        "t": request.t,
        "c": request.c,
        "ordered": request.ordered,
    }


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
                f'{called("weights")}: "{name}" has {shown(weight)}; expected an '
                "integer of at least 1"
            )
    return [weights.get(name, 1) for name in names]


def _places(
    names: tuple[Name, ...], chosen: Iterable[Name], where: str
) -> tuple[int, ...]:
    chosen = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    for name in chosen:
        if name not in names:
            there = ", ".join(map(str, names))
            raise UnknownNameError(
                f"{called(where)}: {quoted(name)} is not among the columns to "
                f"anonymise; {meant(name, names)}they are {there}"
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
        raise InvalidInstanceError(f'{called(where)}: "{twice[0]}" is named twice')
    rest = tuple(j for j in range(len(names)) if j not in {*listed, *intact})
    if rest:
        order.append(rest)
    if len(order) < 2 or not all(order):
        raise InvalidInstanceError(
            f"{called(where)}: expected two classes or more, none of them empty"
        )
    order[0] = (*(j for j in intact if j not in listed), *order[0])
    return tuple(order)
