"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> list[str]:
    """Return the lines of a table; columns whose name ends in ``>`` are flush right.

    A bar in a cell has a backslash before it: it would end the cell.
    """
    rules = ["---:" if column.endswith(">") else "---" for column in columns]
    names = [column.removesuffix(">") for column in columns]
    cells = ([str(cell).replace("|", r"\|") for cell in row] for row in rows)
    lines = [names, rules, *cells]
    return [f"| {' | '.join(line)} |" for line in lines]
