"""Tables of HTML, of pages and of notebooks.

Texts are escaped and on one line, invisible characters are spelled out. No colour is
set in a notebook, whose own ones are read in light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from atleastk.instances.fields.visible import visible

_MOST_ROWS: Final = 200
"""The most lines of a table of a page; it says how many more there are."""

_MOST_SHOWN: Final = 30
"""The most lines of a table in a notebook, about what a screen holds."""

_LINE: Final = re.compile(r"  (promise(?= )|\S.*?(?=  ))? +(.*)")
"""A line of a report: a word, which continued ones leave out, and what it is about."""

_STYLE: Final = (
    "<style>.atleastk .wide table td, .atleastk .wide table th { text-align: left; "
    "vertical-align: top; white-space: pre-wrap; padding: .3em .6em; } "
    ".atleastk .wide table .n { text-align: right; } "
    ".atleastk td + td:not(.n) { min-width: 9em; } "
    ".atleastk > p { margin: 0; } .atleastk .wide { overflow-x: auto; }</style>"
)
"""More particular than what JupyterLab says of tables: it sets texts flush right."""


class Markup(str):
    """A text that is already HTML."""

    __slots__ = ()


def escaped(text: str) -> str:
    """Return a text as HTML, on one line."""
    return escape(visible(text))


def table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    sorts: bool = False,
    most: int = _MOST_ROWS,
) -> Iterator[str]:
    """Yield a table; columns whose name ends in ``>`` are right-aligned.

    If it `sorts`, a click on the head of a column does.
    """
    kinds = [' class="n"' if column.endswith(">") else "" for column in columns]
    opened = '<table class="sorts">' if sorts else "<table>"
    head = f"<caption>{escaped(caption)}</caption>" if caption else ""
    yield f'<div class="wide">{opened}{head}'
    heads = [escaped(column.removesuffix(">")) for column in columns]
    if sorts:
        heads = [f'<button type="button">{head}</button>' for head in heads]
    if any(heads):
        cells = zip(kinds, heads, strict=True)
        yield f"<tr>{''.join(f'<th{kind}>{head}</th>' for kind, head in cells)}</tr>"
    for row in rows[:most]:
        texts = (c if isinstance(c, Markup) else escaped(str(c)) for c in row)
        filled = zip(kinds, texts, strict=True)
        yield f"<tr>{''.join(f'<td{kind}>{cell}</td>' for kind, cell in filled)}</tr>"
    yield "</table></div>"
    if len(rows) > most:
        yield f'<p class="soft">... {len(rows) - most} more</p>'


def notebook(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    remarks: Iterable[str] = (),
) -> str:
    """Return a name, a table for a notebook, of first rows, and remarks below it."""
    head = [f"<p><b>{escaped(caption)}</b></p>"] if caption else []
    lines = table("", columns, rows, most=_MOST_SHOWN) if rows or columns else ()
    told = (f"<p>{escaped(remark)}</p>" for remark in remarks if remark)
    page = ['<div class="atleastk">', _STYLE, *head, *lines, *told, "</div>"]
    return "\n".join(page)


def card(report: object) -> str:
    """Return what ``print`` shows of a report as a table; it is a ``_repr_html_``."""
    caption, *lines = str(report).splitlines() or [""]
    found = ((line, _LINE.fullmatch(line)) for line in lines)
    rows = [match.groups("") if match else ("", line.strip()) for line, match in found]
    return notebook(caption, ("", ""), rows)
