"""What a claim of a paper is, and how it is put to the test."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from random import Random
from typing import Any

Attempt = Callable[[Random], str | None]
"""Draws one case, and says what the claim gets wrong there; None if nothing."""


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
    """What is known of one wording of a claim."""

    HOLDS = "holds"
    """No counter-example among the cases tried: it is not a proof."""
    REFUTED = "refuted"
    """A program of the standard library shows a counter-example."""
    REFUTED_AS_READ = "refuted as read"
    """It shows one of our reading; the text itself does not say what fails there."""
    UNDEFINED = "not well-defined"
    """What is printed does not say what is claimed of which cases."""
    UNTESTED = "not tested"
    """No finite case can speak against it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How one wording of a claim is tested.

    Attributes
    ----------
    family
        What is drawn, and how large, in words.
    attempt
        Draws one of them and judges it.
    needs
        An optional package that it draws from; empty if none.
    """

    family: str
    attempt: Attempt
    needs: str = ""

    @property
    def possible(self) -> bool:
        """Whether what it needs is installed."""
        return not self.needs or find_spec(self.needs) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim of a paper, as printed and, where it fails, as repaired.

    Attributes
    ----------
    paper, number
        Where it stands: ``"Du09"`` and ``"Theorem 10"``.
    kind
        What the paper calls it.
    says
        What it says, in our words.
    reading
        What exactly is tested, where that does not follow from `says`.
    hypotheses
        What must hold of a case, in words.
    trial
        How it is tested as printed; None if it is refuted, or cannot be tested.
    counter_example
        What refutes it as printed, such as ``"du09 light_map"``: module and function of
        `counter_examples`; empty if nothing does.
    ours
        Whether what it refutes is a reading of ours that the text does not print.
    repair
        What is said in its place, or why it survives.
    repaired
        How that is tested.
    nearby
        Other readings that were tried, and what came of them.
    evidence
        On how many cases it was tried at length, and what came of that.
    degenerate
        Which small cases (n = 0, k = 1, n < k) are in or out.
    undefined
        What its words leave undefined, or contradict themselves in.
    untested
        Why no finite case can speak against it.
    """

    paper: str
    number: str
    kind: Kind
    says: str
    reading: str = ""
    hypotheses: str = ""
    trial: Trial | None = None
    counter_example: str = ""
    ours: bool = False
    repair: str = ""
    repaired: Trial | None = None
    nearby: tuple[str, ...] = ()
    evidence: str = ""
    degenerate: str = ""
    undefined: str = ""
    untested: str = ""

    def __post_init__(self) -> None:
        """Refuse a claim of which it is not clear how it stands."""
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
        """How it stands as printed."""
        if self.counter_example:
            return Standing.REFUTED_AS_READ if self.ours else Standing.REFUTED
        if self.undefined:
            return Standing.UNDEFINED
        return Standing.HOLDS if self.trial else Standing.UNTESTED

    @property
    def mended(self) -> Standing | None:
        """How it stands as repaired; None if there is no repair."""
        if not self.repair:
            return None
        return Standing.HOLDS if self.repaired else Standing.UNTESTED


def claims_of_paper(paper: str) -> Callable[..., Claim]:
    """Return what makes the claims of a paper, given number, kind and what it says."""

    def claim(number: str, kind: Kind, says: str, **fields: Any) -> Claim:
        return Claim(paper=paper, number=number, kind=kind, says=says, **fields)

    return claim
