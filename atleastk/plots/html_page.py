"""Reports as one self-contained HTML file, for screens of any size and for print.

Texts are escaped and on one line, invisible characters are spelled out; nothing is
loaded from elsewhere. The style is that of ``page.css``; ``page.js`` sorts a table by a
column whose head is clicked, texts after numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from html import escape
from importlib.resources import files as resources
from pathlib import Path

from atleastk.instances.fields.html_table import Markup, escaped
from atleastk.instances.files.digest import Filed


def framed(title: str, made: datetime, sections: Mapping[str, Iterable[str]]) -> str:
    """Return a page of sections; empty ones are left out.

    It shows `made`, the time when it was made.
    """
    contents = ((name, "\n".join(lines)) for name, lines in sections.items())
    body = "\n".join(
        f"<section>\n<h2>{escaped(name)}</h2>\n{content}\n</section>"
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
        f"<title>{escaped(title)}</title>\n<style>\n{style}</style>\n"
        "</head>\n<body>\n"
        f'<h1>{escaped(title)}</h1>\n<p class="soft">atleastk, {stamp}</p>\n'
        f"{body}\n{script}</body>\n</html>\n"
    )


def definitions(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of names and their descriptions."""
    yield "<dl>"
    for name, text in pairs:
        yield f"<dt>{escaped(name)}</dt><dd>{escaped(text)}</dd>"
    yield "</dl>"


def digests(files: Iterable[Filed]) -> Iterator[str]:
    """Yield the files that a page is about with their SHA-256; nothing without any."""
    known = [(Path(one.path).name, one.sha256) for one in files]
    if known:
        yield (
            "<p>SHA-256 of the files, as <code>sha256sum FILE</code> (Linux), "
            "<code>shasum -a 256 FILE</code> (macOS) or <code>Get-FileHash FILE</code> "
            "(Windows) print it: a file with another one is not the file of this "
            "page.</p>"
        )
        yield from definitions(known)


def bar(share: float) -> Markup:
    """Draw a share, for a cell of a table."""
    width = 60 * min(1.0, max(0.0, share))
    return Markup(
        '<svg viewBox="0 0 60 10" width="60" style="width:60px" '
        'aria-hidden="true"><rect width="60" height="10" fill="#e8ecf0"/>'
        f'<rect width="{width:.1f}" height="10" fill="#2f6f9f"/></svg>'
    )


def _part(name: str) -> str:
    return (resources("atleastk.plots") / name).read_text(encoding="utf-8")
