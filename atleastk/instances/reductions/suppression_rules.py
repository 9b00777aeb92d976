"""Tables 4.1 - 4.4 and 5.1 - 5.4 of [Chaytor06] as data: how the family reduces.

Four template reductions A -> B say how the fields of B's instance are made of those of
A's; modifications, the letters A - W, change some fields. An edge of the web is a
template with letters. L-reductions are printed without letters: they are the many-one
reductions of the decision problems with the same quantity minimised on both sides, so
the 73 of them follow from the 50 many-one reductions, and metric reductions likewise.

Readings
--------
An edge can be read in three ways:

- *printed*: the letters of the table. Where they set fields that the target does not
  have, or miss some that it has, or make a limit of the quantity that is minimised,
  they define nothing; `Rule.flaw` computes and says that.
- *meant*: the letters that the modifications' own words ask for. Table 4.4 confuses N,
  U, V and W in all five reductions of r-c-DEL. Limits made of the minimised quantity
  are made of the most it can be: of c = m, of r = n.
- *repaired*: with our H*, P* and V* for H, P and V.

H and P put k rows of a new symbol before the table. Fewer than k rows are never
k-anonymous, but together with k others they are, once all cells are suppressed. H* and
P* ask for more rows than there are in this case, which keeps the answer no. V limits
the entries to c n + r m - c r, which is below the n m cells of the table - and can be
too few - if both c > m and r > n; V* cuts c and r down to m and n first.

References
----------
[Chaytor06] Lemmas 4.1.1 - 4.1.4 and 5.1.1, Tables 4.1 - 4.4 and 5.1 - 5.4. Modification
R cites Equation 4.12 for 4.20; Type 1 sets r or c to 0, which Appendix A, asking for
positive integers, does not provide for: limits of 0 are needed, and are allowed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Final, Literal

from atleastk.instances.suppression_names import QUANTITIES, Variant, variant_named

Fields = Mapping[str, str | None]
"""Formulas by field: ``table``, ``k``, ``order``, or a quantity that is limited."""

Reading = Literal["printed", "meant", "repaired"]
READINGS: Final[tuple[Reading, ...]] = ("printed", "meant", "repaired")

LETTER_OF: Final = {
    quantity: str(Variant((quantity,), "none", "SUP")).removesuffix("-SUP")
    for quantity in QUANTITIES
}
"""The letters of the quantities: r, c, e, r' and c'."""

NEW_COLUMN: Final = "new column | T_A"
NEW_ROWS: Final = "k_A new rows / T_A"
_NEW_FIRST: Final = "new < T_A"
_UNION: Final = "c_A n_A + r_A m_A - c_A r_A"
_UNION_WITHIN: Final = "c n_A + r m_A - c r, c = min(c_A, m_A), r = min(r_A, n_A)"
_NEVER_IF_FEW: Final = "k_A if k_A <= n_A, else n_B + 1"

_NEW_COLUMN: Final[Fields] = {"table": NEW_COLUMN, "order": _NEW_FIRST}
_NEW_ROWS: Final[Fields] = {"table": NEW_ROWS, "order": _NEW_FIRST}

TEMPLATES: Final[Mapping[int, Fields]] = {
    1: {"table": "T_A", "rows": "0", "columns": "c_A", "k": "k_A"},
    2: {**_NEW_COLUMN, "per_column": "c'_A", "k": "k_A"},
    3: {"table": "T_A", "columns": "m_A", "entries": "e_A", "k": "k_A"},
    4: {"table": "T_A", "columns": "c_A", "entries": "c_A n_A", "k": "k_A"},
}
"""The instances that Lemmas 4.1.1 - 4.1.4 construct, by type."""

LETTERS: Final[Mapping[str, Fields]] = {
    "A": {"rows": "r_A", "columns": "0"},
    "B": {"entries": "e_A"},
    "C": {"per_row": "r'_A"},
    "D": {"per_column": "c'_A"},
    "E": {"order": "P_A"},
    "F": {"columns": "c_A"},
    "G": {"rows": "r_A"},
    "H": {**_NEW_ROWS, "per_column": None, "per_row": "r'_A"},
    "I": {"columns": None, "rows": "n_A"},
    "J": {"rows": "n_A"},
    "K": {"entries": None, "per_column": "c'_A"},
    "L": {"entries": None, "per_row": "r'_A"},
    "M": {"order": "P_A"},
    "N": {"entries": None, "per_column": "n_A"},
    "O": _NEW_COLUMN,
    "P": _NEW_ROWS,
    "Q": {"entries": None, "per_row": "c_A"},
    "R": {"columns": None, "rows": "r_A"},
    "S": {"entries": "r_A m_A"},
    "T": {"entries": None, "per_column": "r_A"},
    "U": {"entries": None, "per_row": "m_A"},
    "V": {"entries": _UNION},
    "W": {"rows": "r_A"},
    "H*": {**_NEW_ROWS, "per_column": None, "per_row": "r'_A", "k": _NEVER_IF_FEW},
    "P*": {**_NEW_ROWS, "k": _NEVER_IF_FEW},
    "V*": {"entries": _UNION_WITHIN},
}
"""The fields that each modification changes, as formulas; None removes a field."""

Given = Mapping[str, int]
"""The numbers n, m and k of the source's instance, and its limits by quantity."""


def _union(given: Given, columns: int, rows: int) -> int:
    return columns * given["n"] + rows * given["m"] - columns * rows


FORMULAS: Final[Mapping[str, Callable[[Given], int]]] = {
    "0": lambda _: 0,
    "n_A": lambda given: given["n"],
    "m_A": lambda given: given["m"],
    "k_A": lambda given: given["k"],
    **{f"{letter}_A": itemgetter(quantity) for quantity, letter in LETTER_OF.items()},
    "c_A n_A": lambda given: given["columns"] * given["n"],
    "r_A m_A": lambda given: given["rows"] * given["m"],
    _UNION: lambda given: _union(given, given["columns"], given["rows"]),
    _UNION_WITHIN: lambda given: _union(
        given, min(given["columns"], given["m"]), min(given["rows"], given["n"])
    ),
    _NEVER_IF_FEW: lambda given: (
        given["k"] if given["k"] <= given["n"] else given["n"] + given["k"] + 1
    ),
}
"""The numbers that formulas stand for."""


@dataclass(frozen=True)
class Rule:
    """One edge of the web."""

    source: Variant
    target: Variant
    """`source`, `target`: the problems."""
    type: int
    """Of the template, 1 - 4."""
    printed: tuple[str, ...]
    """The letters in the table; none for a template."""
    meant: tuple[str, ...]
    """The letters that the modifications' words ask for."""

    @property
    def kind(self) -> str:
        """``"many-one"`` or ``"L"``."""
        return "many-one" if self.minimise == "none" else "L"

    @property
    def minimise(self) -> str:
        """The quantity that both problems minimise, or ``"none"``."""
        return self.source.minimise

    @property
    def name(self) -> str:
        """Source and target, e.g. ``"c-DEL -> r-c-DEL"``."""
        return f"{self.source} -> {self.target}"

    @property
    def reference(self) -> str:
        """Where it is printed, e.g. ``"[Chaytor06] Table 4.4: P, Q"``."""
        chapter = 4 if self.minimise == "none" else 5
        letters = ", ".join(self.printed) or "template"
        return f"[Chaytor06] Table {chapter}.{self.type}: {letters}"

    def letters(self, reading: Reading) -> tuple[str, ...]:
        """Return the modifications of a reading."""
        if reading == "printed":
            return self.printed
        if reading == "meant":
            return self.meant
        return tuple(f"{x}*" if f"{x}*" in LETTERS else x for x in self.meant)

    def fields(self, reading: Reading) -> dict[str, str]:
        """Return the formulas of the target's fields; minimised ones are left out."""
        built: dict[str, str | None] = {**TEMPLATES[self.type]}
        for letter in self.letters(reading):
            built |= LETTERS[letter]
        return {
            name: formula
            for name, formula in built.items()
            if formula is not None and name != self.minimise
        }

    @cached_property
    def flaw(self) -> str:
        """Why the printed letters define no instance; empty if they do."""
        fields = self.fields("printed")
        expected = {"table", "k", *self.target.limits}
        if self.target.order:
            expected.add("order")
        flaws = [f"{_symbol(f)} is not set" for f in sorted(expected - fields.keys())]
        flaws += [
            f"{_symbol(f)} is set, which {self.target} does not have"
            for f in sorted(fields.keys() - expected)
        ]
        gone = f"{LETTER_OF.get(self.minimise)}_A"
        flaws += [
            f"{_symbol(f)} = {formula} needs {gone}, which is minimised"
            for f, formula in fields.items()
            if f in expected and gone in re.findall(r"[\w']+", formula)
        ]
        return "; ".join(flaws)

    @property
    def repaired(self) -> bool:
        """Whether the repaired reading is another one than the printed."""
        return bool(self.flaw) or self.letters("repaired") != self.printed

    def minimising(self, quantity: str) -> Rule:
        """Return the L-reduction in which this limit of the source is minimised."""
        return replace(
            self,
            source=self.source.minimising(quantity),
            target=self.target.minimising(quantity),
        )


def _symbol(field: str) -> str:
    return {"table": "T_B", "order": "P_B", "k": "k_B"}.get(
        field, f"{LETTER_OF.get(field, field)}_B"
    )


_TABLES: Final = """
1 c-DEL      r-c-DEL
1 r-DEL      r-c-DEL      A
1 c-e-SUP    r-c-e-SUP    B
1 r-e-SUP    r-c-e-SUP    A B
1 c-r'-SUP   r-c-r'-SUP   C
1 r-r'-SUP   r-c-r'-SUP   A C
1 c-c'-SUP   r-c-c'-SUP   D
1 r-c'-SUP   r-c-c'-SUP   A D
1 c-r'-PART  r-c-r'-PART  C E
1 r-r'-PART  r-c-r'-PART  A C E
1 c-c'-PART  r-c-c'-PART  D E
1 r-c'-PART  r-c-c'-PART  A D E
2 c'-SUP     c'-PART
2 c-c'-SUP   c-c'-PART    F
2 r-c'-SUP   r-c'-PART    G
2 r-c-c'-SUP r-c-c'-PART  F G
2 r'-SUP     r'-PART      H
2 c-r'-SUP   c-r'-PART    F H
2 r-r'-SUP   r-r'-PART    G H
2 r-c-r'-SUP r-c-r'-PART  F G H
3 e-SUP      c-e-SUP
3 e-SUP      r-e-SUP      I
3 e-SUP      r-c-e-SUP    J
3 c'-SUP     c-c'-SUP     K
3 c'-SUP     r-c'-SUP     I K
3 c'-SUP     r-c-c'-SUP   J K
3 r'-SUP     c-r'-SUP     L
3 r'-SUP     r-r'-SUP     I L
3 r'-SUP     r-c-r'-SUP   J L
3 c'-PART    c-c'-PART    K M
3 c'-PART    r-c'-PART    I K M
3 c'-PART    r-c-c'-PART  J K M
3 r'-PART    c-r'-PART    L M
3 r'-PART    r-r'-PART    I L M
3 r'-PART    r-c-r'-PART  J L M
4 c-DEL      c-e-SUP
4 c-DEL      c-c'-SUP     N
4 c-DEL      c-c'-PART    N O
4 c-DEL      c-r'-SUP     Q
4 c-DEL      c-r'-PART    P Q
4 r-DEL      r-e-SUP      R S
4 r-DEL      r-c'-SUP     R T
4 r-DEL      r-c'-PART    O R T
4 r-DEL      r-r'-SUP     R U
4 r-DEL      r-r'-PART    P R U
4 r-c-DEL    r-c-e-SUP    N V    > V W
4 r-c-DEL    r-c-c'-SUP   V W    > N W
4 r-c-DEL    r-c-c'-PART  O V W  > N O W
4 r-c-DEL    r-c-r'-SUP   U V    > U W
4 r-c-DEL    r-c-r'-PART  P U V  > P U W
"""
"""Tables 4.1 - 4.4: type, source, target, letters; after > the letters meant."""


def _rules(tables: str) -> Iterator[Rule]:
    for line in filter(None, tables.splitlines()):
        printed, _, meant = line.partition(">")
        kind, source, target, *letters = printed.split()
        problems = variant_named(source), variant_named(target)
        yield Rule(*problems, int(kind), (*letters,), (*(meant.split() or letters),))


MANY_ONE_RULES: Final = tuple(_rules(_TABLES))
"""The 50 reductions of Tables 4.1 - 4.4, templates included."""

L_RULES: Final = tuple(
    rule.minimising(quantity)
    for rule in MANY_ONE_RULES
    for quantity in QUANTITIES
    if quantity in rule.source.limits
)
"""The 73 reductions of Tables 5.1 - 5.4, templates included."""

RULES: Final = (*MANY_ONE_RULES, *L_RULES)
