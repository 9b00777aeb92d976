"""Claims of papers, and how they are tested."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from importlib.util import find_spec
from random import Random
from typing import Final

from atleastk.instances.fields.html_table import notebook

Attempt = Callable[[Random], str | None]
"""Draws one case, and returns why the claim is wrong there; None if it is not."""


class Kind(StrEnum):
    """What the paper calls it."""

    THEOREM = "theorem"
    LEMMA = "lemma"
    COROLLARY = "corollary"
    REDUCTION = "reduction"
    ALGORITHM = "algorithm"
    EXAMPLE = "worked example"
    STATEMENT = "statement"
    FINDING = "experimental finding"


class Standing(StrEnum):
    """The result of testing one wording of a claim."""

    HOLDS = "holds"
    """No counter-example among the cases tried: it is not a proof."""
    REFUTED = "refuted"
    """A program of the standard library shows a counter-example."""
    REFUTED_AS_READ = "refuted as read"
    """A counter-example to our reading; the text itself does not print what fails."""
    UNDEFINED = "not well-defined"
    """The text does not define the claim or its cases."""
    UNTESTED = "not tested"
    """No finite case can refute it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How one wording of a claim is tested."""

    family: str  # the cases that are drawn, and their sizes, in words
    attempt: Attempt  # draws and tests one of them
    needs: str = ""  # an optional package that drawing needs; empty if none

    @property
    def possible(self) -> bool:
        """Whether what it needs is installed."""
        return not self.needs or find_spec(self.needs) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim of a paper, as printed and, where it fails, as repaired."""

    paper: str = ""
    """The paper, such as ``"Du09"``."""
    part: str = ""
    """Its chapter or section, such as ``"section 4"``; empty in a short paper."""
    number: str
    """Where it is printed, such as ``"Theorem 10"``."""
    kind: Kind
    """What the paper calls it."""
    says: str
    """The claim, in our words."""
    reading: str = ""
    """What exactly is tested, where that does not follow from `says`."""
    hypotheses: str = ""
    """What must hold of a case, in words."""
    trial: Trial | None = None
    """How it is tested as printed; None if it is refuted, or cannot be tested."""
    counter_example: str = ""
    """The program that refutes it as printed, such as ``"du09 light_map"``: module and
    function of `counter_examples`; empty if there is none."""
    ours: bool = False
    """Whether that refutes only our reading, which the text does not print."""
    repair: str = ""
    """The repaired claim, or why the claim survives."""
    repaired: Trial | None = None
    """How the repair is tested."""
    nearby: tuple[str, ...] = ()
    """Other readings that were tried, with the results."""
    evidence: str = ""
    """On how many cases it was tested at length, with the results."""
    degenerate: str = ""
    """Which small cases (n = 0, k = 1, n < k) are included."""
    undefined: str = ""
    """What its wording leaves undefined, or contradicts."""
    untested: str = ""
    """Why no finite case can refute it."""

    def __post_init__(self) -> None:
        """Refuse contradictory or missing fields."""
        ways = (self.trial, self.counter_example, self.undefined, self.untested)
        if sum(map(bool, ways)) != 1:
            raise ValueError(
                f"{self.name}: has one of a trial, a counter-example, why it has none"
            )
        if self.repaired is not None and not self.repair:
            raise ValueError(f"{self.name}: says how it is repaired")
        if self.ours and not (self.counter_example and self.reading):
            raise ValueError(f"{self.name}: says how it is read, and what refutes that")

    @property
    def name(self) -> str:
        """Paper and number as one word, such as ``du09-theorem-10``."""
        words = re.findall(r"[a-z0-9.]+", f"{self.paper} {self.number}".lower())
        return "-".join(words)

    @property
    def tested(self) -> Trial | None:
        """How it is tested: as printed, or else as repaired; None if it is not."""
        return self.trial or self.repaired

    @property
    def printed(self) -> Standing:
        """Its standing as printed."""
        if self.counter_example:
            return Standing.REFUTED_AS_READ if self.ours else Standing.REFUTED
        if self.undefined:
            return Standing.UNDEFINED
        return Standing.HOLDS if self.trial else Standing.UNTESTED

    @property
    def mended(self) -> Standing | None:
        """Its standing as repaired; None if there is no repair."""
        if not self.repair:
            return None
        return Standing.HOLDS if self.repaired else Standing.UNTESTED

    def _repr_html_(self) -> str:
        own = ((f.name.replace("_", "-"), getattr(self, f.name)) for f in fields(self))
        told = ("as printed", self.printed), ("as repaired", self.mended), *own
        texts = [(n, text) for n, text in told if text and isinstance(text, str)]
        return notebook(self.name, ("", ""), texts)


_KINDS: Final = {
    "Theorem": Kind.THEOREM,
    "Lemma": Kind.LEMMA,
    "Claim": Kind.LEMMA,
    "Corollary": Kind.COROLLARY,
    "Table": Kind.REDUCTION,
    "Example": Kind.EXAMPLE,
    "Figure": Kind.EXAMPLE,
}
"""The kinds of claims by the first word of their number."""


def kind_of(number: str) -> Kind:
    """Return what a number calls a claim; what follows a comma is a statement."""
    word = number.split()[0].removesuffix("s")
    return Kind.STATEMENT if "," in number else _KINDS.get(word, Kind.STATEMENT)
