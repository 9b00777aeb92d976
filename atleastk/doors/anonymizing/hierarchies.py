"""Generalisation of tables as they come: hierarchies by column, and labels published.

The values of a table are numbered, as for suppression; labels are texts. A hierarchy
has values as they are written in a text file: 34 is found at ``34``, and a missing
value at the empty text. A column without a hierarchy is suppressed, which is the
hierarchy of height 1.

A hierarchy is given as a rule (see :mod:`~atleastk.instances.hierarchies.words`), as a
file, as chains of labels, or as a map from a value to its labels: a data frame whose
columns are the levels, a dict, a list of dicts, one per level, or a function. Where the
last labels of these differ, ``*`` becomes the top. Rules and functions leave missing
values missing up to the top.

Only columns in which a cell is generalised change. Those with a hierarchy become
columns of text, whatever they were; those without one keep their type, as in
suppression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.frames.frame import Column, Frame, Name, Selection, in_order, written
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    placed,
    quoted,
)
from atleastk.instances.fields.wish_names import called
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.choice import SUPPRESSION
from atleastk.instances.hierarchies.files import bytes_of, read_noted
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of
from atleastk.instances.hierarchies.missing_texts import missing_among
from atleastk.instances.hierarchies.rules import UnfitError, is_number
from atleastk.instances.hierarchies.words import decided, is_rule, ruled, rules_like
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.in_time import result_in_time

Levels = IntArray
"""The level of every cell of a table."""

_TOP: Final = "*"

_MOST_NAMED: Final = 3
"""The most values that an error names."""

_FEW: Final = 50_000
"""Different values whose hierarchies are made whatever the time: they take a second."""


class Sourced(NamedTuple):
    """The hierarchy of a column, and where it comes from."""

    hierarchy: Hierarchy | None
    """Its values are texts, as they are written in a file; None for suppression."""
    source: str
    """A rule, a file, or ``"given"``."""
    notes: tuple[str, ...] = ()
    """Warnings about it."""


SUPPRESSED: Final = Sourced(None, SUPPRESSION)
"""The hierarchy of a column for which none is given."""


def _all_sourced(
    selection: Selection, given: object, marker: str, population: Selection | None
) -> dict[Name, Sourced]:
    if isinstance(given, str | PathLike):
        given = for_all(selection.names, given)
    if not isinstance(given, Mapping):
        raise InvalidInstanceError(
            "hierarchies: expected a rule, a folder, or a dict of columns, got "
            f"{type(given).__name__}"
        )
    for name in given:
        if name not in selection.names:
            there = ", ".join(selection.texts)
            raise UnknownNameError(
                f'hierarchies: "{name}" is not among the columns to anonymise; they '
                f"are {there}"
            )
    found = dict.fromkeys(selection.names, SUPPRESSED)
    for j, name in enumerate(selection.names):
        one = given.get(name)
        if population is not None and isinstance(one, str) and is_rule(one):
            with placed("population"):
                found[name] = _sourced(name, population.columns[j], one, marker)
        elif name in given:
            found[name] = _sourced(name, selection.columns[j], one, marker)
    return found


def sourced(
    selection: Selection,
    given: object,
    marker: str,
    population: Selection | None,
    budget: Budget | None,
) -> dict[Name, Sourced]:
    """Return the hierarchy of every column, given by name or for all columns.

    Those that are made by rules have the marker as their top; and if there are the same
    columns of a population, they are made for the values of that, or they would have no
    line for those of other persons. For many values they are made within a budget.

    Raises InvalidInstanceError if one makes no sense or does not fit its column, or the
    time is up; UnknownNameError if there is no such column.
    """
    make = partial(_all_sourced, selection, given, marker, population)
    pairs = zip(selection.names, selection.columns, strict=True)
    wanted = given if isinstance(given, Mapping) else selection.names
    values = {name: len(column.values) for name, column in pairs if name in wanted}
    many = sum(values.values())
    if budget is None or budget.endless or many <= _FEW:
        return make()
    found = result_in_time(budget, make, stops=True)
    if found is None:
        most = max(values, key=values.__getitem__)
        raise InvalidInstanceError(
            f"hierarchies: the time is up before those of {many:,} different values "
            f"are made; raise {called('time_limit')}, or leave out columns such as "
            f"{quoted(most)}, with {values[most]:,} of them"
        )
    return found


def recoded(selection: Selection, given: Mapping[Name, Any], marker: str) -> Frame:
    """Return a table with columns at levels of hierarchies: at 1, or at the one given.

    Columns that are not chosen are published so, and are otherwise unchanged.

    Raises InvalidInstanceError if one makes no sense or does not fit its column,
    UnknownNameError if there is no such column.
    """
    labels, frame = {}, selection.frame
    with placed(called("recode")):
        columns = Selection.of(frame, given).columns
    for column, (name, wish) in zip(columns, given.items(), strict=True):
        pair = isinstance(wish, tuple) and len(wish) == 2 and isinstance(wish[1], int)
        how, level = wish if pair else (wish, 1)
        known = _sourced(name, column, how, marker, needs_top=False).hierarchy
        if known is None:
            known = Hierarchy([(text, marker) for text in written_of(column) or [""]])
        if not 0 <= level <= known.height:
            raise InvalidInstanceError(
                f"{called('recode')}: {quoted(name)} has levels 0 to {known.height}, "
                f"not {level}"
            )
        _expect_lines(name, column, made := Sourced(known, str(how)))
        numbered = _numbered(column, made)
        levels = np.full(frame.n, level, dtype=np.int64)
        labels[name] = at_levels(column, cells_of(column, numbered), levels)
    return frame.relabelled(labels).rebuilt()


def for_all(names: Sequence[Name], given: str | PathLike[str]) -> dict[Name, Any]:
    """Return the rule, or the file in a folder, for each of these columns."""
    if isinstance(given, str) and is_rule(given):
        return dict.fromkeys(names, given)
    folder = Path(given)
    if not folder.is_dir():
        raise InvalidInstanceError(
            f"hierarchies: {folder} is neither a folder nor a rule; "
            f"{rules_like(str(given))}"
        )
    found = {name: path for name in names if (path := file_of(folder, str(name)))}
    if not found:
        raise UnknownNameError(f"{folder}: has no NAME.csv of a column to anonymise")
    return dict(found)


def files_of(
    folder: Path, selection: Selection, known: Mapping[Name, Sourced]
) -> dict[Path, bytes]:
    """Return the contents of a file of every column's hierarchy, by path in a folder.

    :func:`for_all` finds these files again.
    """
    found = {}
    for name, column in zip(selection.names, selection.columns, strict=True):
        path = folder / f"{name}.csv"
        if path.name != f"{name}.csv":
            raise InvalidInstanceError(
                f'column "{name}" cannot be the name of a file in {folder}'
            )
        texts = written_of(column)
        found[path] = bytes_of(known[name].hierarchy or suppression_of(texts or [""]))
    return found


def numbered_hierarchies(
    selection: Selection,
    known: Mapping[Name, Sourced],
    population: Selection | None = None,
) -> list[Hierarchy]:
    """Return the hierarchy of every column, its values by their numbers.

    Values that are in the population only have the numbers after those of the table.
    """
    found = []
    for j, (name, one) in enumerate(known.items()):
        column, more = selection.columns[j], list[str]()
        _expect_lines(name, column, one)
        if population is not None:
            other = population.columns[j]
            more = _unknown(column, other)
            with placed("population"):
                _expect_lines(name, other, one)
        if one.hierarchy is None:
            count = len(column.values) + len(more)
            found.append(suppression_of(range(max(1, count))))
        else:
            found.append(_numbered(column, one, more))
    return found


def numbered_rows(
    selection: Selection, population: Selection
) -> tuple[Int32Array, Int32Array]:
    """Return the rows of a table and of a population, values by their numbers.

    They are the numbers of `numbered_hierarchies`.
    """
    columns = []
    for column, other in zip(selection.columns, population.columns, strict=True):
        known = written_of(column) + _unknown(column, other)
        number_of = {text: i for i, text in reversed([*enumerate(known)])}
        here, there = (
            np.array([number_of[text] for text in written_of(of)], dtype=np.int32)
            for of in (column, other)
        )
        columns.append((here[column.codes], there[other.codes]))
    table, persons = (np.stack(of, axis=1) for of in zip(*columns, strict=True))
    return table, persons


def _unknown(column: Column, other: Column) -> list[str]:
    known = {*written_of(column)}
    texts = dict.fromkeys(written_of(other))
    return [text for text in texts if text not in known]


def relabelled(
    selection: Selection,
    instance: Generalization,
    levels: Levels,
    having: Container[Name],
    marker: str,
) -> Frame:
    """Return the frame with its cells at these levels; `having` have hierarchies."""
    labels: dict[Name, Column] = {}
    masks = {}
    pairs = zip(selection.names, selection.columns, strict=True)
    for j, (name, column) in enumerate(pairs):
        if name not in having:
            masks[name] = levels[:, j] > 0
        elif levels[:, j].any():
            labels[name] = at_levels(
                column, cells_of(column, instance.hierarchies[j]), levels[:, j]
            )
    hidden = selection.frame.hiding(masks, marker)
    return hidden.relabelled(labels) if labels else hidden


def at_level(column: Column, hierarchy: Hierarchy | None, level: int) -> Column:
    """Return a column of which all cells are at one level; suppressed without one."""
    if not level:
        return column
    levels = np.full(len(column.codes), level)
    nothing = [[None, None]] * len(column.values)
    cells = nothing if hierarchy is None else cells_of(column, hierarchy)
    return at_levels(column, cells, levels)


def chains_by_text(hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """Return the labels of every value, from level 1 on, by its text."""
    chains = hierarchy.chains
    return {str(chain[0]): tuple(map(str, chain[1:])) for chain in chains}


def written_of(column: Column) -> list[str]:
    """Return the values as they are written in a file, a missing one as empty."""
    return [text or "" for text in written(column.values)]


def told_by(column: Column) -> tuple[list[str], set[str]]:
    """Return the different texts of values, and apart those of missing ones."""
    texts = dict.fromkeys(written_of(column))
    lost = {"", *missing_among(texts)}
    return [text for text in texts if text not in lost], lost


def file_of(folder: Path, name: str) -> Path | None:
    """Return the file of a column's hierarchy in a folder, if it has one."""
    plain = folder / f"{name}.csv"
    if plain.is_file():
        return plain
    # As ARX's own are called: adult_hierarchy_age.csv.
    ends = sorted(p for p in folder.glob("*.csv") if p.stem.endswith(f"_{name}"))
    if len(ends) > 1:
        raise InvalidInstanceError(
            f"{folder}: {ends[0].name} and {ends[1].name} are both of {name}"
        )
    return ends[0] if ends else None


def _sourced(
    name: Name, column: Column, given: Any, marker: str, *, needs_top: bool = True
) -> Sourced:
    if isinstance(given, Sourced):
        return given
    rule = isinstance(given, str) and is_rule(given)
    may_be_rule = isinstance(given, str) and not (rule or Path(given).suffix)
    if may_be_rule and not Path(given).exists():
        raise InvalidInstanceError(
            f"hierarchies: {given} is neither a file nor a rule; {rules_like(given)}"
        )
    if isinstance(given, str | PathLike) and not rule:
        return _of_file(name, column, given, needs_top=needs_top)
    with placed(f'hierarchy of "{name}"'):
        if rule:
            return _marked(_by_rule(name, column, given), marker)
        if isinstance(given, Hierarchy):
            return Sourced(given, "given")
        if isinstance(given, Sequence) and not _are_dicts(given):
            return Sourced(Hierarchy(given), "given")
        return Sourced(Hierarchy(_topped(_chains(column, given))), "given")


def _of_file(
    name: Name, column: Column, path: str | PathLike[str], *, needs_top: bool
) -> Sourced:
    """Return the hierarchy of a file; a first line of an unknown value is noted."""
    hierarchy, notes = read_noted(path, needs_top=needs_top)
    first, *others = (str(chain[0]) for chain in hierarchy.chains)
    among_numbers = bool(others) and all(map(is_number, others))
    if first not in written(column.values) and (
        first.casefold() == str(name).casefold()
        or (among_numbers and first and not is_number(first))
    ):
        seems = f"{path}: {quoted(first)} of its first line is no value of the column"
        notes = (*notes, f"{seems}; if it is a header, delete it")
    return Sourced(hierarchy, str(path), notes)


def _by_rule(name: Name, column: Column, rule: str) -> Sourced:
    """Return the hierarchy that a rule makes for the values of a column."""
    texts = written_of(column)
    counts = Counter[str]()
    for text, rows in zip(texts, column.rows_of_values, strict=True):
        counts[text] += rows
    del counts[""]
    rule, reason = decided(rule, counts, str(name))
    if not counts:
        return Sourced(None, _source(SUPPRESSION, reason))
    try:
        made, used = ruled(rule, counts)
    except UnfitError as error:
        if error.value not in counts:
            raise
        value = str(error.value)
        hint = ""
        if not any(map(str.isdecimal, value)) and "+" not in value:
            hint = f"; if it stands for no value, give {rule}+missing:{value}"
        raise InvalidInstanceError(
            f"{column.place_of(texts.index(value))}: {error}{hint}"
        ) from error
    if used == SUPPRESSION:
        return Sourced(None, _source(used, reason))
    more = _of_missing(texts, made.chains)
    if more:
        made = Hierarchy([*made.chains, *more])
    return Sourced(made, _source(used, reason))


def _marked(known: Sourced, marker: str) -> Sourced:
    if known.hierarchy is None:
        return known
    below = [chain[:-1] for chain in known.hierarchy.chains]
    if any(label == marker for chain in below for label in chain):
        raise InvalidInstanceError(
            f"{known.source} has the marker {quoted(marker)} below its top already; "
            "choose another marker"
        )
    if known.hierarchy.chains[0][-1] == marker:
        return known
    return known._replace(hierarchy=Hierarchy([(*chain, marker) for chain in below]))


def _source(rule: str, reason: str | None) -> str:
    return rule if reason is None else f"{rule} (auto: {reason})"


def _of_missing(
    texts: Iterable[str | None], chains: Sequence[Sequence[object]]
) -> list[tuple[Any, ...]]:
    """Return the chain of missing values, which stay missing up to the top."""
    if all(texts):
        return []
    levels, top = (len(chains[0]) - 1, chains[0][-1]) if chains else (1, _TOP)
    return [(*[""] * levels, top)]


def _chains(column: Column, given: Any) -> list[tuple[str, ...]]:
    """Return the chains of a frame, dicts or a function, perhaps without a top."""
    if isinstance(given, Mapping):
        return _chains_of_dict(given)
    if _are_dicts(given):
        return _chains_of_dicts(given)
    if callable(given):
        return _chains_of_function(column, given)
    try:
        frame = framed(given)
    except TypeError as error:
        raise InvalidInstanceError(
            "expected a rule, a file, chains of labels, a data frame, a dict or a "
            f"function, got {type(given).__name__}"
        ) from error
    levels = []
    for level in map(frame.column, frame.names):
        texts = written_of(level)
        levels.append([texts[code] for code in level.codes])
    return list(dict.fromkeys(zip(*levels, strict=True)))


def _are_dicts(given: object) -> bool:
    steps = given if isinstance(given, Sequence) else ()
    return bool(steps) and all(isinstance(step, Mapping) for step in steps)


def _chains_of_dict(given: Mapping[Any, Any]) -> list[tuple[str, ...]]:
    texts = (text or "" for text in written(list(given)))
    return [
        (text, *_several(labels))
        for text, labels in zip(texts, given.values(), strict=True)
    ]


def _chains_of_dicts(given: Sequence[Mapping[Any, Any]]) -> list[tuple[str, ...]]:
    """Return chains of dicts, one per level: from a label to that of the next level."""
    chains = _chains_of_dict(given[0])
    for level, step in enumerate(given[1:], 1):
        following = {label: labels for label, *labels in _chains_of_dict(step)}
        lacking = next((c[-1] for c in chains if c[-1] not in following), None)
        if lacking is not None:
            raise InvalidInstanceError(
                f'[{level}]: has no label for "{lacking}" of the level before'
            )
        chains = [(*chain, *following[chain[-1]]) for chain in chains]
    return chains


def _chains_of_function(
    column: Column, labels_of: Callable[[Any], Any]
) -> list[tuple[str, ...]]:
    """Return the chains of all values, missing ones included."""
    texts = written(column.values)
    chains: dict[str, tuple[str, ...]] = {}
    for number, (value, text) in enumerate(zip(column.values, texts, strict=True)):
        if not text:
            continue
        try:
            chains[text] = (text, *_several(labels_of(value)))
        except Exception as error:
            kind = type(error).__name__
            raise InvalidInstanceError(
                f'{column.place_of(number)}: the function fails at "{text}": '
                f"{kind}: {error}"
            ) from error
    found = _topped(list(chains.values()))
    return [*found, *_of_missing(texts, found)]


def _several(labels: Any) -> list[str]:
    several = labels if isinstance(labels, list | tuple) else [labels]
    return [text or "" for text in written(several)]


def _topped(chains: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    for chain in chains:
        if len(chain) != len(chains[0]):
            raise InvalidInstanceError(
                f'"{chain[0]}" has {len(chain) - 1} labels, expected '
                f'{len(chains[0]) - 1} as "{chains[0][0]}" has'
            )
    if len({chain[-1] for chain in chains}) > 1:
        return [(*chain, _TOP) for chain in chains]
    return chains


def _numbered(column: Column, one: Sourced, more: Sequence[str] = ()) -> Hierarchy:
    """Return the hierarchy of a column, its values by their numbers, and of `more`."""
    assert one.hierarchy is not None, "it is no suppression"
    texts = [*written_of(column), *more]
    if not texts:
        return Hierarchy([(0, *map(str, one.hierarchy.chains[0][1:]))])
    chain_of = chains_by_text(one.hierarchy)
    return Hierarchy([(i, *chain_of[text]) for i, text in enumerate(texts)])


def _expect_lines(name: Name, column: Column, one: Sourced) -> None:
    """Refuse values that a hierarchy lacks, and say what to add."""
    if one.hierarchy is None:
        return
    known, texts = {str(chain[0]) for chain in one.hierarchy.chains}, written_of(column)
    lacking = [number for number, text in enumerate(texts) if text not in known]
    if not lacking:
        return
    values = written(column.values)
    told = [
        f"{_named(values[number])} in {column.place_of(number)}"
        for number in lacking[:_MOST_NAMED]
    ]
    rest = f" and {len(lacking) - len(told)} more" * (len(lacking) > len(told))
    verb, each = ("have", " for each") if len(lacking) > 1 else ("has", "")
    where = "its hierarchy" if one.source == "given" else one.source
    labels = ["LABEL"] * (one.hierarchy.height - 1)
    line = ";".join([texts[lacking[0]], *labels, str(one.hierarchy.chains[0][-1])])
    raise InvalidInstanceError(
        f'column "{name}": {", ".join(told)}{rest} {verb} no line in {where}; add '
        f"one{each}, as {line}"
    )


def _named(text: str | None) -> str:
    return "the missing value, an empty text," if text is None else f'"{text}"'


def cells_of(column: Column, hierarchy: Hierarchy) -> list[list[str | None]]:
    """Return the published text of every value of a column, at each level.

    A missing value stays missing where its label is the empty text; and so does what
    has that label, too: they look alike.
    """
    texts = written(column.values)
    labels = [list(map(str, hierarchy.chain_of[i][1:])) for i in range(len(texts))]
    of_missing = labels[texts.index(None)] if None in texts else []
    blank = {level for level, label in enumerate(of_missing) if not label}
    return [
        [text, *(x or (None if i in blank else "") for i, x in enumerate(each))]
        for text, each in zip(texts, labels, strict=True)
    ]


def at_levels(
    column: Column, cells: Sequence[Sequence[str | None]], levels: Levels
) -> Column:
    """Return a column of which every cell has its text at its level.

    `cells` are the texts of each value by level.
    """
    if not cells:
        return Column(column.codes, [], text=True)
    numbers: dict[str | None, int] = {}
    number_of = [[numbers.setdefault(x, len(numbers)) for x in each] for each in cells]
    codes = np.array(number_of, dtype=np.int32)[column.codes, levels]
    return in_order(codes, list(numbers), text=True)
