"""Reports as one self-contained HTML file, for screens of any size and for print.

Texts are escaped and on one line, invisible characters are spelled out; nothing is
loaded from elsewhere. The style is that of ``page.css``; ``page.js`` sorts a table by a
column whose head is clicked, texts after numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from importlib.resources import files
from typing import Final

from atleastk.instances.fields.visible import visible

_MOST_ROWS: Final = 200
"""The most lines of a table; the page says how many more there are."""


class Markup(str):
    """A text that is already HTML."""

    __slots__ = ()


def framed(title: str, made: datetime, sections: Mapping[str, Iterable[str]]) -> str:
    """Return a page of sections; empty ones are left out.

    It shows `made`, the time when it was made.
    """
    contents = ((name, "\n".join(lines)) for name, lines in sections.items())
    body = "\n".join(
        f"<section>\n<h2>{_escaped(name)}</h2>\n{content}\n</section>"
        for name, content in contents
        if content
    )
    style, sorting = map(_part, ("page.css", "page.js"))
    script = f"<script>\n{sorting}</script>\n" if 'class="sorts"' in body else ""
    stamp = escape(made.isoformat(sep=" ", timespec="minutes"))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{_escaped(title)}</title>\n<style>\n{style}</style>\n"
        "</head>\n<body>\n"
        f'<h1>{_escaped(title)}</h1>\n<p class="soft">atleastk, {stamp}</p>\n'
        f"{body}\n{script}</body>\n</html>\n"
    )


def definitions(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of names and their descriptions."""
    yield "<dl>"
    for name, text in pairs:
        yield f"<dt>{_escaped(name)}</dt><dd>{_escaped(text)}</dd>"
    yield "</dl>"


def table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    sorts: bool = False,
) -> Iterator[str]:
    """Yield a table; columns whose name ends in ``>`` are right-aligned.

    If it `sorts`, a click on the head of a column does.
    """
    kinds = [' class="n"' if column.endswith(">") else "" for column in columns]
    opened = '<table class="sorts">' if sorts else "<table>"
    head = f"<caption>{_escaped(caption)}</caption>" if caption else ""
    yield f'<div class="wide">{opened}{head}'
    heads = [_escaped(column.removesuffix(">")) for column in columns]
    if sorts:
        heads = [f'<button type="button">{head}</button>' for head in heads]
    cells = zip(kinds, heads, strict=True)
    yield f"<tr>{''.join(f'<th{kind}>{head}</th>' for kind, head in cells)}</tr>"
    for row in rows[:_MOST_ROWS]:
        texts = (c if isinstance(c, Markup) else _escaped(str(c)) for c in row)
        filled = zip(kinds, texts, strict=True)
        yield f"<tr>{''.join(f'<td{kind}>{cell}</td>' for kind, cell in filled)}</tr>"
    yield "</table></div>"
    if len(rows) > _MOST_ROWS:
        yield f'<p class="soft">and {len(rows) - _MOST_ROWS} more</p>'


def bar(share: float) -> Markup:
    """Draw a share, for a cell of a table."""
    width = 60 * min(1.0, max(0.0, share))
    return Markup(
        '<svg viewBox="0 0 60 10" width="60" style="width:60px" '
        'aria-hidden="true"><rect width="60" height="10" fill="#e8ecf0"/>'
        f'<rect width="{width:.1f}" height="10" fill="#2f6f9f"/></svg>'
    )


def _escaped(text: str) -> str:
    return escape(visible(text))


def _part(name: str) -> str:
    return (files("atleastk.plots") / name).read_text(encoding="utf-8")
