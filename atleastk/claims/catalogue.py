"""All claims of all papers, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

from atleastk.claims.claim import Claim
from atleastk.instances.errors import UnknownNameError, meant

__all__ = ["PAPERS", "claims_of"]

PAPERS: Final[Mapping[str, str]] = {
    "Du09": "W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, On the Approximability "
    "of Geometric and Geographic Generalization and the Min-Max Bin Covering Problem, "
    "2009",
    "ParkShim07": "H. Park, K. Shim, Approximate Algorithms for k-Anonymity, 2007",
    "Aggarwal10": "G. Aggarwal, T. Feder, K. Kenthapadi, S. Khuller, R. Panigrahy, "
    "D. Thomas, A. Zhu, Achieving Anonymity via Clustering, 2010",
    "Chaytor06": "R. Chaytor, Utility-Preserving k-Anonymity, 2006",
    "Chakaravarthy10": "V. T. Chakaravarthy, V. Pandit, Y. Sabharwal, On the "
    "Complexity of the k-Anonymization Problem, 2010",
}
"""The papers, by the name that they go by; each has a file of that name."""


def claims_of(papers: Sequence[str] = ()) -> Sequence[Claim]:
    """Return the claims of some papers, or of all of them.

    Raises
    ------
    UnknownNameError
        If there is no such paper.
    """
    by_lower = {paper.lower(): paper for paper in PAPERS}
    for paper in papers:
        if paper.lower() not in by_lower:
            message = f"no paper is called {paper!r}{meant(paper, PAPERS)}"
            raise UnknownNameError(message)
    asked = [by_lower[paper.lower()] for paper in papers or PAPERS]
    claims: list[Claim] = []
    for paper in asked:
        claims += import_module(f"atleastk.claims.{paper.lower()}").CLAIMS
    return claims
