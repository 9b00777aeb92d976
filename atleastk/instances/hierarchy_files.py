"""Files of hierarchies, in the layout that users of ARX have.

A line holds a value and its generalisations, the top last, between semicolons or
commas; there is no header. Cells may be quoted as in any CSV file, lines may end as on
any system, and a byte order mark is passed over. All values are texts.
"""

from __future__ import annotations

import csv
from io import StringIO
from os import PathLike
from typing import Final

from atleastk.instances.csv_rows import best_delimiter, rows_of
from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.hierarchies import Hierarchy, flaw_of
from atleastk.instances.reading import read_text
from atleastk.instances.writing import write_bytes

__all__ = ["hierarchy_of_text", "read_hierarchy", "write_hierarchy"]

_DELIMITERS: Final = (";", ",")


def read_hierarchy(
    path: str | PathLike[str], delimiter: str | None = None
) -> Hierarchy:
    """Read the hierarchy of a file; its delimiter is found out unless it is given."""
    return hierarchy_of_text(read_text(path), str(path), delimiter)


def hierarchy_of_text(
    text: str, source: str, delimiter: str | None = None
) -> Hierarchy:
    """Return the hierarchy of a text; errors name its source and the line."""
    text = text.removeprefix("\ufeff")
    if delimiter is None:
        delimiter = best_delimiter(text, _DELIMITERS)
    if len(delimiter) != 1:
        message = f"{source}: expected one character as delimiter, got {delimiter!r}"
        raise InvalidInstanceError(message)
    numbered = [row for row in rows_of(text, source, delimiter) if any(row[1])]
    if not numbered:
        message = f"{source}: expected a line with a value and its labels, got none"
        raise InvalidInstanceError(message)
    chains = [chain for _, chain in numbered]
    for number, chain in numbered:
        if len(chain) != len(chains[0]):
            wanted = f"{len(chains[0])} as in line {numbered[0][0]}"
            message = f"{source}:{number}: {len(chain)} labels, expected {wanted}"
            raise InvalidInstanceError(message)
    flaw = flaw_of(chains)
    if flaw is not None:
        message = f"{source}:{numbered[flaw[0]][0]}: {flaw[1]}"
        raise InvalidInstanceError(message)
    return Hierarchy(chains)


def write_hierarchy(path: str | PathLike[str], hierarchy: Hierarchy) -> None:
    """Write a hierarchy whose labels are read as they are, between semicolons."""
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
    write_bytes(path, out.getvalue().encode())
