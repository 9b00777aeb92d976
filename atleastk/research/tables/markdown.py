"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> list[str]:
    """Return the lines of a table; columns whose name ends in ``>`` are flush right."""
    rules = ["---:" if column.endswith(">") else "---" for column in columns]
    names = [column.removesuffix(">") for column in columns]
    lines = [names, rules, *([str(cell) for cell in row] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]
