"""Who is in which group, as one HTML page that needs no other.

Everything that stems from the table is escaped, and nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape

from atleastk.doors.made import Made
from atleastk.instances.fields.html_table import table
from atleastk.instances.fields.visible import visible_lines
from atleastk.plots.html_page import definitions, framed

_WORDS = {
    "optimal": "None that keep what is required are better: that is proved.",
    "feasible": "All that is required is kept; there may be better ones.",
    "heuristic": "Found by a search that proves nothing of it.",
    "certified": "The proof was checked again, without the programs that found it.",
    "gap": "How far what was found may be from the best, as a share of its cost.",
}


def page_of(
    title: str,
    made: Made,
    members: tuple[Sequence[str], Sequence[Sequence[object]]],
    words: Mapping[str, str],
    more: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """Return the page on what was made, with a table of members below its headings."""
    summary, who = [*_summary(made)], [*table("", *members)]
    shown = " ".join([*summary, *who])
    used = [each for each in (_WORDS | {**words}).items() if each[0] in shown]
    sections = {
        "Summary": summary,
        "Who is where": who if members[1] else (),
        **(more or {}),
        "What the words mean": definitions(used) if used else (),
    }
    return framed(title, datetime.now(UTC), sections)


def _summary(made: Made) -> Iterator[str]:
    for line in str(made).splitlines():
        yield f"<p>{escape(visible_lines(line))}</p>"
