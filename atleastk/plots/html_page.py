"""Reports as one self-contained HTML file, for screens of any size and for print.

Texts are escaped and on one line, invisible characters are spelled out; nothing is
loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Final

from atleastk.instances.fields.visible import visible

_STYLE: Final = """
:root { color-scheme: light; --ink: #1b1f24; --soft: #5b6570; --line: #d5dae0;
  --bar: #2f6f9f; --old: #b9c4cf; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 3rem; color: var(--ink);
  background: #fff; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.3rem 0 .3rem; }
p { margin: .4rem 0; }
.soft, caption { color: var(--soft); }
p.warning { border-left: .3rem solid #b3261e; padding-left: .6rem; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: .3rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0;
  text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.sorts td:last-child { min-width: 12rem; }
@media (max-width: 40rem) { .sorts td:last-child { min-width: 30rem; } }
.sorts td.n:last-child { min-width: 0; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr;
  gap: .2rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
code, pre { font: .9em/1.4 ui-monospace, monospace; }
code { white-space: pre-wrap; }
pre { overflow-x: auto; margin: 0; }
svg { display: block; width: 100%; max-width: 40rem; height: auto; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid var(--bar); }
figure { margin: 1rem 0; }
figure img { display: block; width: 100%; max-width: 48rem; height: auto; }
.pair { display: grid; gap: 0 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
.pair figure { margin: .5rem 0; }
svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
@media print { body { max-width: none; padding: 0; font-size: 11pt; }
  h2, h3, h3 + p { break-after: avoid; } tr, figure { break-inside: avoid; }
  figure img { width: auto; max-width: 100%; max-height: 9cm; }
  .wide { overflow: visible; } }
"""

_SORTING: Final = """
document.querySelectorAll("table.sorts").forEach(function (table) {
  table.querySelectorAll("th").forEach(function (head, i) {
    var up = false;
    head.firstChild.onclick = function () {
      up = !up;
      var rows = Array.from(table.rows).slice(1);
      function key(row) {
        var text = row.cells[i].textContent, number = parseFloat(text);
        return isNaN(number) ? text : number;
      }
      rows.sort(function (a, b) {
        var x = key(a), y = key(b);
        if (typeof x != typeof y) { return typeof x == "number" ? -1 : 1; }
        return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
      });
      rows.forEach(function (row) { row.parentNode.appendChild(row); });
    };
  });
});
"""
"""Sorts tables by a column whose head is clicked; texts come after numbers."""

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
    script = f"<script>{_SORTING}</script>\n" if 'class="sorts"' in body else ""
    stamp = escape(made.isoformat(sep=" ", timespec="minutes"))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{_escaped(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
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
