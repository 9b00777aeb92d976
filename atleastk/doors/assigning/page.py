"""Who is in which group, as one HTML page that needs no other.

Everything that stems from the table is escaped, and nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from html import escape
from itertools import combinations

from atleastk.doors.assigning.grouped import Grouped
from atleastk.instances.fields.html_table import table
from atleastk.instances.fields.visible import visible_lines
from atleastk.plots.html_page import definitions, framed


def page_of(made: Grouped, name: str, when: datetime) -> str:
    """Return the page on the groups of a table of this name."""
    sections = {
        "Summary": _summary(made),
        "Who is where": _groups(made),
        "Wishes": _wishes(made),
        "What the words mean": definitions(_WORDS.items()),
    }
    return framed(f"Groups of {name}", when, sections)


def _summary(made: Grouped) -> Iterator[str]:
    for line in str(made).splitlines():
        yield f"<p>{escape(visible_lines(line))}</p>"


def _groups(made: Grouped) -> Iterator[str]:
    rows = [
        (number, len(group), ", ".join(made.asked.names[row] for row in group))
        for number, group in enumerate(made.groups, start=1)
    ]
    if rows:
        yield from table("", ("group>", "rows>", "who"), rows)


def _wishes(made: Grouped) -> Iterator[str]:
    """Yield the pairs of lists that were wished for, and what became of them."""
    group = made.group or ()
    for term in made.terms:
        if term.name not in ("friends", "avoid") or not group:
            continue
        kept = term.name == "friends"
        pairs = [
            (
                made.asked.names[i],
                made.asked.names[j],
                abs(int(term.costs[i, j])),
                "kept" if (group[i] == group[j]) == kept else "not kept",
            )
            for i, j in combinations(range(len(group)), 2)
            if term.costs[i, j]
        ]
        wish = "to be together" if kept else "not to be together"
        yield from table(
            f"Wishes {wish}.", ("who", "with", "weight>", "kept?"), pairs, sorts=True
        )


_WORDS = {
    "optimal": "No groups that keep what is required cost less: that is proved.",
    "certified": "The proof was checked again, without the programs that found it.",
    "at least": "What any groups cost at least. The gap is the difference as a share.",
    "balance": "For every group, how far the sum of a number is from what its size "
    "lets expect, in standard deviations of one row, squared; summed over groups.",
}
