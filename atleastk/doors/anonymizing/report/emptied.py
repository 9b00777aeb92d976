"""The part of a report on columns of which nothing is left: one value in all rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from atleastk.instances.fields.errors import quoted
from atleastk.models.wording import Warned


def emptied_warnings(
    names: Sequence[str], k: int, heights: Mapping[str, int] | None
) -> Iterator[Warned]:
    """Yield the warning of columns of which nothing is left, with what may help.

    Parameters
    ----------
    heights
        The highest level of every column; None if cells are only suppressed.
    """
    if not names:
        return
    column, it = ("columns", "them") if len(names) > 1 else ("column", "it")
    leave = f"--drop {it}"
    remedies = [
        *(["raise --suppress-rows"] if heights is not None else []),
        *(["take a smaller k"] if k > 2 else []),
    ]
    if heights is None or any(heights[name] == 1 for name in names):
        remedies.insert(0, f"give {it} a hierarchy")
    yield Warned(
        f"nothing is left of {column} {', '.join(map(quoted, names))}",
        ", ".join([*remedies, f"or {leave}" if remedies else leave]),
    )
