"""Claims that are chosen by paper, name and verdict, and shown as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.fields.errors import UnknownNameError, known_are, meant
from atleastk.instances.fields.html_table import notebook
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.claims.claim import Claim, Standing
from atleastk.research.tables.markdown import markdown_table

COLUMNS: Final = ("claim", "says", "as printed", "as repaired")


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
