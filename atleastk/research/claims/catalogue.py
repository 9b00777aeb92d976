"""All claims of all papers, chosen by paper, name and verdict, and shown as a table."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from atleastk.instances.fields.errors import UnknownNameError, known_are, meant
from atleastk.instances.fields.html_table import notebook
from atleastk.research.claims.claim import Claim, Kind, Standing, Trial, kind_of
from atleastk.research.tables.markdown import markdown_table

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

Each has a file of records, all that is told of its claims. How they are tested, by
number, is in `TRIALS` of the module of that name, or of those of the package for its
chapters or sections; what recorded runs tell of their evidence is in `EVIDENCE`.
"""

_WHOLE: Final = "paper"
"""Stands for the chapter or section in the records of a short paper."""

COLUMNS: Final = ("claim", "says", "as printed", "as repaired")

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
        claim
        for paper in papers or PAPERS
        for claim in _claims_of(by_lower[paper.lower()])
    ]


@cache
def _claims_of(paper: str) -> Sequence[Claim]:
    """Return the claims of a paper, of its records and its trials."""
    text = (files(__package__) / f"{paper.lower()}.toml").read_text("utf-8")
    trials, evidence = dict[str, Trial](), dict[str, str]()
    for module in modules_of(paper):
        trials |= getattr(module, "TRIALS", {})
        evidence |= getattr(module, "EVIDENCE", {})
    return [
        _claim(
            paper, part, number, record, trials.get(number), evidence.get(number, "")
        )
        for part, records in tomllib.loads(text).items()
        for number, record in records.items()
    ]


def _claim(
    paper: str,
    part: str,
    number: str,
    record: Mapping[str, Any],
    trial: Trial | None,
    evidence: str,
) -> Claim:
    """Return the claim of a record; what fails as printed is tried as repaired."""
    told = {name: _told(value) for name, value in record.items()}
    fails = told.keys() & {"counter_example", "undefined"}
    if "counter_example" in told:
        told["counter_example"] = f"{paper.lower()} {told['counter_example']}"
    told["evidence"] = " ".join(filter(None, (told.get("evidence"), evidence)))
    told["kind"] = Kind(told["kind"]) if "kind" in told else kind_of(number)
    told["part"] = part.replace("-", " ") if part != _WHOLE else ""
    told["repaired" if fails else "trial"] = trial
    return Claim(paper=paper, number=number, **told)


def _told(value: Any) -> Any:
    """Return a text on one line, and a list of texts as a tuple of them."""
    if isinstance(value, list):
        return tuple(map(_told, value))
    return " ".join(value.split()) if isinstance(value, str) else value


def modules_of(paper: str) -> Iterator[ModuleType]:
    """Yield the module of a paper, and those of its package if it is one."""
    whole = import_module(f"{__package__}.{paper.lower()}")
    yield whole
    for part in iter_modules(getattr(whole, "__path__", ()), f"{whole.__name__}."):
        yield import_module(part.name)


class Claims(tuple[Claim, ...]):
    """Claims of papers in the order of the texts; they print as a table."""

    __slots__ = ()

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """Name, words, standing as printed and as repaired of each."""
        return [[c.name, c.says, c.printed, c.mended or ""] for c in self]

    def __str__(self) -> str:
        return "\n".join(markdown_table(COLUMNS, self.rows))

    def __repr__(self) -> str:
        return f"<{len(self)} claims>"

    def _repr_html_(self) -> str:
        return notebook("", COLUMNS, self.rows)


def claims(
    *words: str, paper: str | Sequence[str] = (), verdict: str | None = None
) -> Claims:
    """Return what the papers claim, each with how it stands.

    Parameters
    ----------
    words
        Parts of names: a claim is taken if its name holds one of them. None: all.
    paper
        A paper, such as ``"Du09"``, or several. Empty: all.
    verdict
        How they stand as printed: holds, refuted, refuted as read (a reading of ours),
        not well-defined, or not tested. None: in any way.

    Raises
    ------
    UnknownNameError
        If there is no such paper or verdict, or no name holds any of the words.

    Examples
    --------
    >>> import atleastk
    >>> for claim in atleastk.claims("lemma-1", paper="Du09", verdict="refuted"):
    ...     print(claim.name, claim.printed, claim.mended)
    du09-lemma-1-proof refuted holds
    """
    if verdict is not None and verdict not in [*Standing]:
        known = known_are(verdict, Standing)
        raise UnknownNameError(f'no verdict is called "{verdict}"; {known}')
    every = claims_of([paper] if isinstance(paper, str) else paper)
    named = [
        claim
        for claim in every
        if not words or any(word.lower() in claim.name for word in words)
    ]
    if not named:
        listed = " or ".join(words)
        names = [name for c in every for name in (c.name, c.name.partition("-")[2])]
        hint = "".join(dict.fromkeys(meant(word, names) for word in words))
        raise UnknownNameError(
            f"no claim is called {listed}; {hint}see atleastk claims"
        )
    return Claims(claim for claim in named if verdict in (None, claim.printed))
