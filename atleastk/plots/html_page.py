"""Reports as one self-contained HTML file, for screens of any size and for print.

Texts are escaped and on one line, invisible characters are spelled out; nothing is
loaded from elsewhere. The style is that of ``page.css``, light or dark as the reader's
system is, and pictures take its colours by their names; ``page.js`` sorts a table by a
column whose head is clicked, texts after numbers. A page may end with its words and
figures explained for whoever reads one, of which ``words.toml`` has all.
"""

from __future__ import annotations

import base64
import io
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape, unescape
from importlib.resources import files as resources
from pathlib import Path
from shlex import join
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.fields.html_table import Markup, escaped
from atleastk.instances.fields.visible import visible_lines
from atleastk.instances.files.digest import Filed
from atleastk.models.wording import Warned
from atleastk.packages import Axes


class Filing(NamedTuple):
    """What a page says beside the report."""

    table: str
    """What the original is called."""
    files: tuple[Filed, ...] = ()
    """The original and the published table, with their SHA-256."""
    words: tuple[str, ...] = ()
    """The command line that asks for the same again, if it is known."""


def framed(
    title: str,
    made: datetime,
    sections: Mapping[str, Iterable[str]],
    *,
    explained: bool = False,
) -> str:
    """Return a page of sections; empty ones are left out.

    It shows `made`, the time when it was made, and ends with a glossary if its words
    are to be explained.
    """
    contents = ((name, "\n".join(lines)) for name, lines in sections.items())
    body = "\n".join(
        f"<section>\n<h2>{escaped(name)}</h2>\n{content}\n</section>"
        for name, content in contents
        if content
    )
    words = list(glossary(body)) if explained else []
    if words:
        meanings = "\n".join(definitions(words))
        body += f"\n<section>\n<h2>Words</h2>\n{meanings}\n</section>"
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


def again(words: Sequence[str], versions: Mapping[str, str]) -> Iterator[str]:
    """Yield the command line that asks for the same again."""
    if words:
        version = versions.get("atleastk", "")
        yield (
            f"<p>The same again, with atleastk {escape(version)}:</p>\n"
            f"<p><code>{escape(visible_lines(join(words)))}</code></p>"
        )


def warnings(warned: Iterable[Warned]) -> Iterator[str]:
    """Yield what is warned of."""
    for each in warned:
        yield f'<p class="warning">WARNING: {escaped(str(each))}.</p>'


def drawn(name: str, draw: Callable[[], Axes], told: str) -> str:
    """Return the figure of what has this name, or why it is not drawn."""
    try:
        ax = draw()
    except AtleastkError as error:
        return f'<p class="soft">{escaped(name)}: not drawn: {escaped(str(error))}</p>'
    return figure(ax, f"{name}: {told}")


def figure(ax: Axes, caption: str) -> str:
    """Return what is drawn on Axes as a figure of the page."""
    whole = ax.get_figure(root=True)
    assert whole is not None, "Axes that were drawn on are on a figure"
    written = io.BytesIO()
    whole.savefig(written, format="svg", metadata={"Date": None})
    data = base64.b64encode(written.getvalue()).decode()
    return (
        f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{escape(caption)}">'
        f'<figcaption class="soft">{escape(caption)}.</figcaption></figure>'
    )


def bar(share: float) -> Markup:
    """Draw a share, for a cell of a table."""
    width = 60 * min(1.0, max(0.0, share))
    return Markup(
        '<svg viewBox="0 0 60 10" width="60" style="width:60px" '
        'aria-hidden="true"><rect width="60" height="10" fill="var(--track)"/>'
        f'<rect width="{width:.1f}" height="10" fill="var(--bar)"/></svg>'
    )


def pair_of_bars(before: float, after: float) -> Markup:
    """Draw a share before and after, for a cell of a table."""
    wide = [60 * min(1.0, max(0.0, share)) for share in (before, after)]
    return Markup(
        '<svg viewBox="0 0 60 14" width="60" style="width:60px" aria-hidden="true">'
        f'<rect width="{wide[0]:.1f}" height="6" fill="var(--old)"/>'
        f'<rect y="8" width="{wide[1]:.1f}" height="6" fill="var(--bar)"/></svg>'
    )


def between(
    ends: tuple[float, float], before: float, after: float, error: float = 0.0
) -> Markup:
    """Draw a figure before, a ring, and after, a dot, on the line between its ends.

    The error is a thicker line through the dot.
    """
    low, high = ends
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return 6 + 108 * min(1.0, max(0.0, (value - low) / span))

    ring, dot = place(before), place(after)
    first, last = place(after - error), place(after + error)
    return Markup(
        '<svg viewBox="0 0 120 14" width="120" style="width:120px" aria-hidden="true">'
        '<path d="M6 7H114" stroke="var(--line)" stroke-width="2"/>'
        f'<path d="M{first:.1f} 7H{last:.1f}" stroke="var(--bar)" stroke-width="2"/>'
        f'<circle cx="{dot:.1f}" cy="7" r="3" fill="var(--bar)"/>'
        f'<circle cx="{ring:.1f}" cy="7" r="5" fill="none" stroke="var(--soft)"/></svg>'
    )


def _part(name: str) -> str:
    return (resources("atleastk.plots") / name).read_text(encoding="utf-8")


_TAG: Final = re.compile(r"<[^>]*>")


def glossary(body: str) -> Iterator[tuple[str, str]]:
    """Yield the words that a page has, and what they mean."""
    text = " ".join(unescape(_TAG.sub(" ", body)).split())
    for word, known in tomllib.loads(_part("words.toml")).items():
        if re.search(known["sign"], text):
            yield word, " ".join(known["meaning"].split())
