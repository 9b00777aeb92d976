"""The page of who is in which group, and what became of wishes."""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.doors.assigning.grouped import Grouped
from atleastk.doors.groups_page import page_of as page
from atleastk.instances.fields.html_table import escaped, table


def page_of(made: Grouped, name: str) -> str:
    """Return the page on the groups of a table of this name."""
    headings, figures = made.by_group
    rows = [
        (*found, ", ".join(made.asked.names[row] for row in group))
        for found, group in zip(figures, made.groups, strict=True)
    ]
    members = (*headings, "who"), rows
    more = {"Wishes": _wishes(made)}
    return page(f"Groups of {name}", made, members, _WORDS, more)


def _wishes(made: Grouped) -> Iterator[str]:
    """Yield all of whom no wish is kept, and what became of the pairs of lists."""
    names = made.asked.names
    alone = ", ".join(names[row] for row in made.without_wish)
    if alone:
        yield f"<p>No wish is kept of {escaped(alone)}.</p>"
    for term in made.terms:
        pairs = [
            (names[i], names[j], weight, "kept" if kept else "not kept")
            for i, j, weight, kept in made.kept(term)
        ]
        if not pairs:
            continue
        wish = "to be together" if term.name == "friends" else "not to be together"
        yield from table(
            f"Wishes {wish}.", ("who", "with", "weight>", "kept?"), pairs, sorts=True
        )


_WORDS = {
    "at least": "What any groups cost at least. The gap is the difference, as a share "
    "of the cost.",
    "balance": "For every group, how far the sum of a number is from what its size "
    "lets expect, in standard deviations of one row, squared; summed over groups.",
}
