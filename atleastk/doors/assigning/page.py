"""The page of who is in which group, and what became of wishes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from atleastk.doors.assigning.grouped import Grouped
from atleastk.doors.groups_page import page_of as page
from atleastk.instances.fields.html_table import table


def page_of(made: Grouped, name: str) -> str:
    """Return the page on the groups of a table of this name."""
    rows = [
        (number, len(group), ", ".join(made.asked.names[row] for row in group))
        for number, group in enumerate(made.groups, start=1)
    ]
    members = ("group>", "rows>", "who"), rows
    more = {"Wishes": _wishes(made)}
    return page(f"Groups of {name}", made, members, _WORDS, more)


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
    "at least": "What any groups cost at least. The gap is the difference as a share.",
    "balance": "For every group, how far the sum of a number is from what its size "
    "lets expect, in standard deviations of one row, squared; summed over groups.",
}
