"""All claims of all papers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from atleastk.instances.fields.errors import UnknownNameError, known_are
from atleastk.research.claims.claim import Claim

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
"""The papers by their short names.

Each has a module of that name, or a package with one for each chapter or section.
"""

_CHAPTER: Final = re.compile(r"\.(chapter|section)_(\d+)\w*$")

LEFT_OUT: Final[Mapping[str, str]] = {
    "Du09": "All 11 theorems and lemmas are records. None are: the definitions of the "
    "problems, reports on other texts, running times, and that problems are in "
    "NP. Hardness is tested by its reductions. The pictures, Figures 1 to 6, are not "
    "in the text.",
    "ParkShim07": "All 18 theorems, lemmas, corollaries and examples are records. "
    "None are: Definitions 3.1, 3.3, 3.5, 3.6, 4.1 and 4.12, the programs of Figures "
    "5, 6, 7, 9 and 11, which Theorems 4.7 to 4.14 and Lemma 4.16 test, running "
    "times, which algorithms ran out of time or memory in 2007, and reports on "
    "other texts.",
    "Aggarwal10": "All 14 theorems and lemmas are records. None are: Definitions 2.1 "
    "and 3.1, the linear program and its dual, running times, reports on other "
    "texts, and what follows at once from a definition (there are at most n / r "
    "clusters, radii are among O(n^2) distances).",
    "Chaytor06": "All 35 theorems, lemmas and corollaries and all 8 tables are "
    "records. None are: the 21 definitions, the inclusions of complexity classes, the "
    "frame for families of problems (sections 2.1.4 and 3.2), reports on other "
    "texts, numbers of schemes of these, and plans. Figures 2.9, 2.10, 4.2 and 5.1 "
    "are not in the text.",
    "Chakaravarthy10": "All 7 theorems, corollaries and claims are records. None are: "
    "the definition of the problem, reports on other texts, that a program with "
    "a fixed number of variables is polynomial (Lenstra), and the open problems.",
}
"""What has no record in each paper, since no finite case can refute it."""


def claims_of(papers: Sequence[str] = ()) -> Sequence[Claim]:
    """Return the claims of some papers, or of all of them.

    Raise `UnknownNameError` if there is no such paper.
    """
    by_lower = {paper.lower(): paper for paper in PAPERS}
    for paper in papers:
        if paper.lower() not in by_lower:
            known = known_are(paper, PAPERS)
            raise UnknownNameError(f'no paper is called "{paper}"; {known}')
    return [
        replace(claim, paper=by_lower[paper.lower()], part=_part_of(module))
        for paper in papers or PAPERS
        for module in _modules_of(paper.lower())
        for claim in import_module(module).CLAIMS
    ]


def _part_of(module: str) -> str:
    found = _CHAPTER.search(module)
    return " ".join(found.groups()) if found else ""


def _modules_of(paper: str) -> Sequence[str]:
    """Return the module of a paper, or those of its chapters or sections in order."""
    whole = f"{__package__}.{paper}"
    parts = iter_modules(getattr(import_module(whole), "__path__", ()), f"{whole}.")
    chapters = sorted(part.name for part in parts if _CHAPTER.search(part.name))
    return chapters or [whole]
