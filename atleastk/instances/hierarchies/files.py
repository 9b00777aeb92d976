"""Files of hierarchies, in the layout that users of ARX have.

A line holds a value and its generalisations, the top last, between semicolons or
commas; there is no header. Cells may be quoted as in any CSV file, lines may end as on
any system, and a byte order mark is passed over. All values are texts.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from os import PathLike
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import InvalidInstanceError, quoted
from atleastk.instances.files.csv_rows import best_delimiter, rows_of
from atleastk.instances.files.files import read_text
from atleastk.instances.hierarchies.hierarchy import TOP, Hierarchy, flaw_of

_DELIMITERS: Final = (";", ",")


class Noted(NamedTuple):
    """A hierarchy, and notes for the author of its file."""

    hierarchy: Hierarchy
    notes: tuple[str, ...] = ()


def read_noted(path: str | PathLike[str], *, needs_top: bool = True) -> Noted:
    """Read the hierarchy of a file, with notes on it."""
    return noted_of_text(read_text(path), str(path), needs_top=needs_top)


def noted_of_text(text: str, source: str, *, needs_top: bool = True) -> Noted:
    """Return the hierarchy of a text; errors and notes name its source and the line.

    A line that is there twice counts once, and a hierarchy without a top gets one, as
    both are found in files that are in use: this is noted. A header is an error if its
    last label is none of a top, since it could be the line of a value. Where no top is
    needed, any labels may differ, and one is added without a word.
    """
    text = text.removeprefix("\ufeff")
    delimiter = best_delimiter(text, _DELIMITERS)
    numbered = [row for row in rows_of(text, source, delimiter) if any(row[1])]
    if not numbered:
        raise InvalidInstanceError(
            f"{source}: expected a line with a value and its labels, got none"
        )
    for number, chain in numbered:
        if len(chain) != len(numbered[0][1]):
            wanted = f"{len(numbered[0][1])} as in line {numbered[0][0]}"
            raise InvalidInstanceError(
                f"{source}:{number}: {len(chain)} labels, expected {wanted}"
            )
    lines: dict[tuple[str, ...], int] = {}
    twice = [(n, c) for n, c in numbered if lines.setdefault(tuple(c), n) != n]
    notes = []
    if twice:
        number, chain = twice[0]
        more = f", and {len(twice) - 1} more such" if len(twice) > 1 else ""
        notes.append(f"{source}:{number}: line {lines[tuple(chain)]} once more{more}")
    chains = list(lines)
    if not needs_top and len(chains[0]) > 1 and len({c[-1] for c in chains}) > 1:
        chains = [(*chain, TOP) for chain in chains]
    elif _lacks_top(chains):
        odd, number = next((c, n) for c, n in lines.items() if c[-1] != chains[0][-1])
        notes.append(
            f"{source}:{number}: ends in {quoted(odd[-1])}, line "
            f"{lines[chains[0]]} in {quoted(chains[0][-1])}: {TOP} is added as the top"
        )
        chains = [(*chain, TOP) for chain in chains]
    flaw = flaw_of(chains)
    if flaw is not None:
        number = list(lines.values())[flaw[0]]
        tops = {chain[-1] for chain in chains[1:]}
        header = len(chains) > 2 and len(tops) == 1 and chains[0][-1] not in tops
        hint = f"; if line {lines[chains[0]]} is a header, delete it" if header else ""
        raise InvalidInstanceError(f"{source}:{number}: {flaw[1]}{hint}")
    return Noted(Hierarchy(chains), tuple(notes))


def _lacks_top(chains: Sequence[Sequence[str]]) -> bool:
    """Return whether the last labels of several lines differ, as without a top.

    They do not count if one of them is a top, if only the first line differs, which is
    a header then, or if they differ by spaces and capitals only.
    """
    last = [chain[-1].strip().casefold() for chain in chains]
    return (
        len(chains[0]) > 1
        and TOP not in last
        and len(set(last)) > 1
        and (len(last) == 2 or len(set(last[1:])) > 1)
    )


def bytes_of(hierarchy: Hierarchy) -> bytes:
    """Return what a file of a hierarchy holds: its labels, between semicolons."""
    commas = any("," in str(label) for chain in hierarchy.chains for label in chain)
    out = StringIO()
    # Without quotes a label with commas could seem to be several.
    lines = csv.writer(
        out,
        delimiter=_DELIMITERS[0],
        quoting=csv.QUOTE_ALL if commas else csv.QUOTE_MINIMAL,
        lineterminator="\n",
    )
    lines.writerows(hierarchy.chains)
    return out.getvalue().encode()
