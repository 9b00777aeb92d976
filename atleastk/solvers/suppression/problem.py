"""Suppression: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "suppression",
    "Suppress within limits on cells, rows, columns; lose the least",
    certify_less="solvers.suppression.certify.certify_less",
    refuted="models.proofs.tables.refuted_cells",
    ground="research.adversary.grounds.SUPPRESSED",
    tiny="research.adversary.tiny.tables",
)
