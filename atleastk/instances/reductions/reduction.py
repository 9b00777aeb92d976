"""Reductions: maps from the instances of one problem to those of another, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Reduction:
    """A claim that one problem can be solved by way of another.

    Attributes
    ----------
    source, target
        The names of the problems; those of the suppression family as in
        :mod:`atleastk.instances.suppression_names`.
    kind
        ``"many-one"`` (yes iff yes), ``"metric"`` (the optimum of the source follows
        from that of the target) or ``"L"`` (costs of solutions too).
    claim
        What is claimed beyond "yes iff yes", as a formula; empty if nothing.
    reference
        Where it is claimed, e.g. ``"[Chaytor06] Lemma 4.1.5"``.
    forward
        Maps an instance of the source to one of the target.
    back
        Maps an instance of the source and a solution of its image - for tables the set
        of suppressed cells - to a solution of the source.
    cost
        The optimum of the source, given its instance and the optimum of its image, as
        the claim has it; None for many-one reductions.
    hypotheses
        What must hold of the source's instance, in words; empty if nothing must.
    applies
        Whether that holds.
    repaired
        Whether this is our correction of what is printed; the docstrings say why.
    ours
        Whether no text has it.
    alpha
        Of L-reductions from outside of the family: the optimum of the image is at most
        this factor times that of the source, given its instance and that optimum.
    """

    source: str
    target: str
    kind: str
    reference: str
    forward: Callable[[Any], Any]
    back: Callable[[Any, Any], Any]
    claim: str = ""
    cost: Callable[[Any, int], Any] | None = None
    hypotheses: str = ""
    applies: Callable[[Any], bool] = lambda _instance: True
    repaired: bool = False
    ours: bool = False
    alpha: Callable[[Any, int], Fraction] | None = None

    @property
    def name(self) -> str:
        """Source and target, e.g. ``"X3C -> e-SUP"``."""
        return f"{self.source} -> {self.target}"
