"""Texts and tables of LaTeX, these as the package booktabs has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_ESCAPED: Final = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)

_LINE: Final = 40
"""Characters of a text that stays on one line: a taste."""
_BROKEN: Final = r"p{.4\linewidth}"


def escaped(text: object) -> str:
    """Return a text in which no character means something to LaTeX."""
    return str(text).translate(_ESCAPED)


def latex_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the lines of a table; columns whose name ends in ``>`` are flush right.

    Long texts are broken into lines.
    """
    lengths = [max(map(len, map(str, cells))) for cells in zip(*rows, strict=True)]
    lengths = lengths or [0] * len(columns)
    sides = (
        "r" if column.endswith(">") else "l" if length <= _LINE else _BROKEN
        for column, length in zip(columns, lengths, strict=True)
    )
    names = [column.removesuffix(">") for column in columns]
    return [
        rf"\begin{{tabular}}{{{''.join(sides)}}}",
        r"\toprule",
        _line(names),
        r"\midrule",
        *map(_line, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _line(cells: Iterable[object]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
