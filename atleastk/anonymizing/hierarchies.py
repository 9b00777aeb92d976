"""Generalisation of tables as they come: hierarchies by column, and labels published.

The values of a table are numbered, as for suppression; labels are texts. A hierarchy
speaks of values as they are written in a text file: 34 is found at ``34``, and a
missing value at the empty text. A column without a hierarchy is suppressed, which is
the hierarchy of height 1.

Only columns in which a cell is generalised change. Those with a hierarchy become
columns of text, whatever they were; those without one keep their type, as in
suppression.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from os import PathLike
from typing import Any

from atleastk.arrays import IntArray
from atleastk.frames.frame import Column, Frame, Name, Selection, is_nan
from atleastk.instances.errors import InvalidInstanceError, UnknownNameError, placed
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies import Hierarchy, suppression_of
from atleastk.instances.hierarchy_files import read_hierarchy

__all__ = [
    "Levels",
    "chains_by_text",
    "numbered_hierarchies",
    "relabelled",
    "texts_of",
]

Levels = IntArray
"""The level of every cell of a table."""


def numbered_hierarchies(
    selection: Selection, given: Mapping[Name, Any]
) -> list[Hierarchy]:
    """Return the hierarchy of every column, its values by their numbers."""
    for name in given:
        if name not in selection.names:
            there = ", ".join(selection.told)
            message = (
                f'hierarchies: "{name}" is not among the columns to anonymise; they '
                f"are {there}"
            )
            raise UnknownNameError(message)
    return [
        _numbered(name, column, given[name])
        if name in given
        else suppression_of(range(max(1, len(column.values))))
        for name, column in zip(selection.names, selection.columns, strict=True)
    ]


def relabelled(
    selection: Selection,
    instance: Generalization,
    levels: Levels,
    having: Container[Name],
    marker: str,
) -> Frame:
    """Return the frame with its cells at these levels; `having` have hierarchies."""
    labels: dict[Name, list[str | None]] = {}
    masks = {}
    pairs = zip(selection.names, selection.columns, strict=True)
    for j, (name, column) in enumerate(pairs):
        if name not in having:
            masks[name] = levels[:, j] > 0
        elif levels[:, j].any():
            labels[name] = _labels(column, instance.hierarchies[j], levels[:, j])
    return selection.frame.hiding(masks, marker).relabelled(labels)


def chains_by_text(name: Name, given: Any) -> dict[str, tuple[str, ...]]:
    """Return the labels of every value of a hierarchy, from level 1 on, by its text."""
    chains = _hierarchy(name, given).chains
    return {str(chain[0]): tuple(map(str, chain[1:])) for chain in chains}


def texts_of(column: Column) -> list[str | None]:
    """Return the values as they are written in a file; whole floats as integers.

    Libraries turn integers into floats where one of them is missing, or is NaN.
    """
    values = [None if is_nan(value) else value for value in column.values]
    floats = [value for value in values if isinstance(value, float)]
    whole = all(value.is_integer() for value in floats)
    return [
        None
        if value is None
        else str(int(value) if whole and isinstance(value, float) else value)
        for value in values
    ]


def _numbered(name: Name, column: Column, given: Any) -> Hierarchy:
    """Return the hierarchy of a column, its values by their numbers."""
    chain_of = chains_by_text(name, given)
    if not column.values:
        return Hierarchy([(0, *next(iter(chain_of.values())))])
    chains: list[tuple[int | str, ...]] = []
    for number, text in enumerate(texts_of(column)):
        if (text or "") not in chain_of:
            row = int((column.codes == number).argmax()) + 1
            what = "the missing value" if text is None else f'"{text}"'
            where = given if isinstance(given, str | PathLike) else "its hierarchy"
            message = f'column "{name}": {what} in row {row} has no line in {where}'
            raise InvalidInstanceError(message)
        chains.append((number, *chain_of[text or ""]))
    return Hierarchy(chains)


def _hierarchy(name: Name, given: Any) -> Hierarchy:
    """Return a hierarchy that is one, lies in a file, or is a list of chains."""
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, str | PathLike):
        return read_hierarchy(given)
    with placed(f'hierarchy of "{name}"'):
        return Hierarchy(given)


def _labels(column: Column, hierarchy: Hierarchy, levels: Levels) -> list[str | None]:
    """Return what is published of a column; what is missing stays missing."""
    texts = texts_of(column)
    return [
        str(hierarchy.chain_of[code][level]) if level else texts[code]
        for code, level in zip(column.codes.tolist(), levels.tolist(), strict=True)
    ]
