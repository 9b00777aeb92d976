"""Write what goes with what: ``docs/what-goes-with-what.md``.

    python -m scripts.data.write_wishes [--check]

Every two wishes of `anonymize` are asked of a small table, as far as its instance. With
``--check`` it writes nothing, and ends with code 1 if the page is not the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.research.tables.markdown import markdown_table
from scripts.data.pages import write_below
from scripts.data.write_claims import MARK, PAGE

WISHES_PAGE: Final = PAGE.with_name("what-goes-with-what.md")

ROWS: Final = [
    {
        "age": 30 + i % 2,
        "zip": 13053 + i % 3,
        "ill": i % 3,
        "home": i,
        "rank": 1 + i % 2,
    }
    for i in range(8)
]
"""Two columns to anonymise, and three others that wishes name."""

WISHES: Final[dict[str, dict[str, Any]]] = {
    "limits": {"limits": {"entries": 16}},
    "intact": {"intact": ["age"]},
    "column_order": {"column_order": [["age"], ["zip"]]},
    "row_order": {"row_order": "rank"},
    "minimise": {"minimise": "rows"},
    "deletion": {"deletion": True, "minimise": "rows"},
    "on attributes": {"on": "attributes", "hierarchies": "auto"},
    "on entries": {"on": "entries", "hierarchies": "auto"},
    "suppress_rows": {"suppress_rows": 2},
    "levels": {"levels": {"zip": (0, 1)}},
    "weights": {"weights": {"age": 3}},
    "row_weights": {"row_weights": "rank"},
    "sensitive, l or t": {"sensitive": "ill", "l": 2, "t": 1},
    "household": {"household": "home"},
    "mean_risk": {"mean_risk": 0.5},
    "small, at_risk": {"small": 3, "at_risk": 0.5},
    "k_map, population": {"k_map": 2},
    "recode": {"recode": {"age": "bands:10,100"}},
    "ambiguous": {"ambiguous": True},
    "average": {"average": True},
    "shuffle": {"shuffle": 1},
}
"""Every wish."""

OF_COLUMNS: Final = ("levels",)
"""Wishes that are asked with the columns in levels."""

BOUNDED: Final = "~"
"""The mark of wishes that a larger k keeps."""

_CLAUSES: Final = (
    (r".* cannot both be had, since (.*); leave one out.*", r"\1"),
    (
        r"\w+ (is for suppressing cells), \w+ (for generalising them), .*",
        r"one \1, the other \2",
    ),
    (r"\w+: is (for .*)", r"one is \1"),
    (r"\w+: it is (for .*)", r"one is \1"),
    (r"\w+: (what .*)", r"\1"),
)
"""What of an error does not name the wishes."""


def refused(one: str, other: str) -> str | None:
    """Return why two wishes exclude each other; None if they go together.

    If a larger k keeps one of them this is its mark.
    """
    asked = {**WISHES[one], **WISHES[other]}
    if {one, other} & {*OF_COLUMNS} and "average" not in (one, other):
        asked.setdefault("on", "attributes")
    try:
        request = Request(k=2, columns=["age", "zip"], **asked)
        if not request.average:
            everybody = framed(ROWS) if request.k_map else None
            Selected.of(framed(ROWS), request, everybody).instance()
    except InvalidInstanceError as error:
        found = str(error)
        for pattern, clause in _CLAUSES:
            found = re.sub(f"^{pattern}$", clause, found)
        return found
    return BOUNDED if request.by_larger_k else None


def lines() -> Iterator[str]:
    names = list(WISHES)
    found = {pair: refused(*pair) for pair in combinations(names, 2)}
    known = (why for why in found.values() if why not in (None, BOUNDED))
    reasons = list(dict.fromkeys(str(why) for why in known))
    yield ""
    rows = []
    for i, other in enumerate(names):
        marks = [_mark(found[one, other], reasons) for one in names[:i]]
        rows.append([f"{i + 1} {other}", *marks, *[""] * (len(names) - 1 - i)])
    yield from (*markdown_table(["", *map(str, range(1, len(names)))], rows), "")
    for letter, why in zip(_LETTERS, reasons, strict=False):
        yield f"- **{letter}**: {why}"


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def _mark(why: str | None, reasons: Sequence[str]) -> str:
    if why in (None, BOUNDED):
        return why or "+"
    return _LETTERS[reasons.index(str(why))]


def main(arguments: Sequence[str] | None = None) -> None:
    write_below(WISHES_PAGE, MARK, lines(), __doc__, arguments)


if __name__ == "__main__":
    main()
