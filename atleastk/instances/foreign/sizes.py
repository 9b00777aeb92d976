"""Sizes of items: bin packing of the OR-Library and of BPPLIB, and columns of tables.

============== =====================================================================
``or-library``  the number of problems; of each its name, ``CAPACITY N BEST``, and N
                sizes
``bpplib``      N, the capacity, and N sizes, a line each
``csv``         a column of a table
============== =====================================================================

A capacity, the upper limit of packing, is the k that covering has to reach.

[OR-Library] J. E. Beasley, people.brunel.ac.uk/~mastjjb/jeb/info.html.
[BPPLIB] M. Delorme, M. Iori, S. Martello, or.dei.unibo.it/library/bpplib.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from atleastk.instances.fields.errors import InvalidInstanceError, meant
from atleastk.instances.files.csv_rows import table_of_text
from atleastk.instances.files.files import read_text
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.foreign.words import Line, integer, lines_of


class Sizes(NamedTuple):
    """The sizes of items, and the capacity of a bin, if the file has one."""

    name: str | None
    capacity: int | None
    sizes: list[int]


def sizes_of_or_library(path: AnyPath) -> list[Sizes]:
    """Return the problems of a file."""
    lines = lines_of(path)
    place, words = _next(lines, path)
    problems = integer(place, words[0])
    if problems < 1:
        raise InvalidInstanceError(
            f"{place}: expected at least 1 problem, got {problems}"
        )
    found = []
    for _ in range(problems):
        _, name = _next(lines, path)
        place, words = _next(lines, path)
        if len(words) < 2:
            raise InvalidInstanceError(f"{place}: expected CAPACITY N BEST")
        capacity, count = (integer(place, word) for word in words[:2])
        sizes = [_size(*_next(lines, path)) for _ in range(count)]
        found.append(Sizes(" ".join(name), capacity, sizes))
    return found


def sizes_of_bpplib(path: AnyPath) -> list[Sizes]:
    """Return the one problem of a file."""
    lines = lines_of(path)
    count, capacity = (_size(*_next(lines, path)) for _ in range(2))
    sizes = [_size(*line) for line in lines]
    if count != len(sizes):
        raise InvalidInstanceError(
            f"{path}: {len(sizes)} sizes, the first line says {count}"
        )
    return [Sizes(None, capacity, sizes)]


def sizes_of_csv(path: AnyPath, column: str | None) -> list[Sizes]:
    """Return the sizes in a column, which may be left out if there is only one."""
    (_, header), *rows = table_of_text(read_text(path), str(path))
    if column is None and len(header) == 1:
        column = header[0]
    if column not in header:
        known = f"{meant(column, header)}there are {', '.join(header)}"
        raise InvalidInstanceError(f"{path}: which column has the sizes? {known}")
    place = header.index(column)
    sizes = [integer(f"{path}:{line}", cells[place].strip()) for line, cells in rows]
    return [Sizes(None, None, sizes)]


def _size(place: str, words: Sequence[str]) -> int:
    if len(words) != 1:
        raise InvalidInstanceError(f"{place}: expected one number, got {len(words)}")
    return integer(place, words[0])


def _next(lines: Iterator[Line], path: AnyPath) -> Line:
    for line in lines:
        return line
    raise InvalidInstanceError(f"{path}: the file ends too early")
