"""The names of [Chaytor06] for the utility-preserving family, and their meaning.

A name reads ``limits-TYPE``, ``limits-MIN-cost-TYPE`` or ``limits-MAX-k-TYPE``: the
decision problem, the minimisation of one quantity under limits on the others, and the
maximisation of k under limits. The prefix ``SOL-`` (solution problems) and the infix
``COST-`` (optimal-cost problems) are read too; they ask the same.

- The *region* that suppression is confined to is the whole table, ``r`` rows, ``c``
  columns, or the union of both.
- The *quantity* is ``e`` (entries), ``r'`` (per row) or ``c'`` (per column).
- The *type* is SUP; PART, with an importance order of the rows (``r'``) or columns
  (``c'``); or DEL, which suppresses the whole region and has no quantity.

These are the 4 x 5 + 3 = 23 problems of Appendix A; choosing one of the limits of each
as the cost gives the 44 minimisations of Figure 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from atleastk.instances.fields.errors import UnknownNameError, meant

QUANTITIES: Final = ("rows", "columns", "entries", "per_row", "per_column")
"""The quantities to limit or minimise, in the order of the names."""

UNITS: Final = {
    "rows": "rows",
    "columns": "columns",
    "entries": "cells",
    "per_row": "cells in a row",
    "per_column": "cells in a column",
}
"""Their units."""

_LETTERS: Final = dict(zip(QUANTITIES, ("r", "c", "e", "r'", "c'"), strict=True))


@dataclass(frozen=True, slots=True)
class Variant:
    """One problem of the family."""

    limits: tuple[str, ...]
    """The quantities that are limited, in the order of `QUANTITIES`."""
    minimise: str
    """A quantity, ``"none"`` (decide), or ``"k"`` (which is maximised)."""
    type: str
    """``"SUP"``, ``"PART"`` or ``"DEL"``."""

    @property
    def named(self) -> tuple[str, ...]:
        """The limits and the cost: what the decision problem limits."""
        return tuple(q for q in QUANTITIES if q in self.limits or q == self.minimise)

    @property
    def decision(self) -> Variant:
        """The decision problem that this one is a version of."""
        return Variant(self.named, "none", self.type)

    def minimising(self, quantity: str) -> Variant:
        """Return the minimisation of what is limited here."""
        others = tuple(q for q in self.limits if q != quantity)
        return Variant(others, quantity, self.type)

    @property
    def order(self) -> str | None:
        """What an importance order ranks, ``"rows"`` or ``"columns"``, or None."""
        if self.type != "PART":
            return None
        return "rows" if "per_row" in self.named else "columns"

    def __str__(self) -> str:
        words = [_LETTERS[quantity] for quantity in self.limits]
        if self.minimise == "k":
            words += ["MAX", "k"]
        elif self.minimise != "none":
            words += ["MIN", _LETTERS[self.minimise]]
        return "-".join([*words, self.type])


def _decisions() -> Iterator[Variant]:
    for region in ((), ("rows",), ("columns",), ("rows", "columns")):
        if region:
            yield Variant(region, "none", "DEL")
        yield Variant((*region, "entries"), "none", "SUP")
        for quantity, kind in product(("per_row", "per_column"), ("SUP", "PART")):
            yield Variant((*region, quantity), "none", kind)


DECISIONS: Final = {str(variant): variant for variant in _decisions()}
"""The 23 problems of Appendix A, by name."""

MINIMISATIONS: Final = {
    str(variant): variant
    for decision in DECISIONS.values()
    for variant in map(decision.minimising, decision.limits)
}
"""The 44 minimisations of Figure 5.1, by name."""

MAXIMISATIONS: Final = {
    str(variant): variant
    for decision in DECISIONS.values()
    for variant in (Variant(decision.limits, "k", decision.type),)
}
"""k maximised under the limits of each of the 23 problems, by name."""

_ALL: Final = {**DECISIONS, **MINIMISATIONS, **MAXIMISATIONS}


def variant_named(name: str) -> Variant:
    """Return the problem of this name, in any of its four versions."""
    plain = name.removeprefix("SOL-").replace("MIN-COST-", "MIN-")
    plain = plain.replace("MAX-COST-", "MAX-")
    if plain not in _ALL:
        raise UnknownNameError(
            f'no problem of the family is called "{name}"; {meant(plain, _ALL)}names '
            "read like r-c-c'-PART, r-MIN-c-DEL or e-MAX-k-SUP"
        )
    return _ALL[plain]


def in_words(quantity: str) -> str:
    """Return the name of a quantity on a page."""
    return quantity.replace("_", " ")
