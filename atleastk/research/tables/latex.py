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


def escaped(text: object) -> str:
    """Return a text in which no character means something to LaTeX."""
    return str(text).translate(_ESCAPED)


def latex_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table; columns whose name ends in ``>`` are flush right."""
    sides = "".join("r" if column.endswith(">") else "l" for column in columns)
    names = [column.removesuffix(">") for column in columns]
    return [
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _line(names),
        r"\midrule",
        *map(_line, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _line(cells: Iterable[object]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
