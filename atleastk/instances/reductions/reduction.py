"""Reductions: maps from instances of one problem to another, and of solutions back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Reduction:
    """A claim that one problem can be solved by solving another."""

    source: str
    target: str
    """`source`, `target`: the names of the problems; those of the suppression family as
    in :mod:`atleastk.instances.suppression_names`."""
    kind: str
    """``"many-one"`` (yes iff yes), ``"metric"`` (the optimum of the source follows
    from that of the target) or ``"L"`` (costs of solutions too)."""
    reference: str
    """Where it is claimed, e.g. ``"[Chaytor06] Lemma 4.1.5"``."""
    forward: Callable[[Any], Any]
    """Maps an instance of the source to one of the target."""
    back: Callable[[Any, Any], Any]
    """Maps an instance of the source and a solution of its image - for tables the set
    of suppressed cells - to a solution of the source."""
    claim: str = ""
    """The claim beyond "yes iff yes", as a formula; empty if there is none."""
    cost: Callable[[Any, int], Any] | None = None
    """The claimed optimum of the source, given its instance and the optimum of its
    image; None for many-one reductions."""
    hypotheses: str = ""
    """Conditions on the source's instance, in words; empty if there are none."""
    applies: Callable[[Any], bool] = lambda _instance: True
    """Whether these hold."""
    repaired: bool = False
    """Whether this is our correction of the text; the docstrings say why."""
    ours: bool = False
    """Whether it is not in any text."""
    alpha: Callable[[Any, int], Fraction] | None = None
    """Of L-reductions from outside of the family: the optimum of the image is at most
    this factor times that of the source, given its instance and that optimum."""

    @property
    def name(self) -> str:
        """Source and target, e.g. ``"X3C -> e-SUP"``."""
        return f"{self.source} -> {self.target}"
