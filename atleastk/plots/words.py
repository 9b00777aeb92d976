"""The words and figures of pages to be filed, explained for whoever reads one.

A page ends with those that are on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

_TAG: Final = re.compile(r"<[^>]*>")

_WORDS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "k",
        r"\bk = ",
        "How many rows have to look alike at least. With k = 5 whoever knows a "
        "person finds five rows or more, not one.",
    ),
    (
        "columns (anonymised)",
        r"\bcolumns\b",
        "Those that somebody may know of a person from elsewhere, such as age and "
        "zip code. k counts rows that are equal in these.",
    ),
    (
        "class",
        r"\bclass(es)?\b",
        "All rows that are equal in the columns that were anonymised.",
    ),
    (
        "suppressed",
        r"\bsuppress",
        "Published as * or as a missing value, so that nobody can read it.",
    ),
    (
        "hierarchy, level",
        r"\blevels?\b",
        "For every value the coarser ones that may stand in its place: 31, 30-39, "
        "*. Level 0 is the value itself, and at the top all values are one.",
    ),
    (
        "cost",
        r"\bcost\b",
        "What was made as small as possible: suppressed cells, unless something "
        "else was asked for.",
    ),
    (
        "at least, bound",
        r"\b(at least|bound)\b",
        "A number that is proved: no table with what was asked costs less.",
    ),
    (
        "gap",
        r"\bgap\b",
        "How far cost and bound are apart, as a share of the cost. Without a gap no "
        "better table exists; with 5% there may be one that saves a twentieth.",
    ),
    ("OPTIMAL", r"\bOPTIMAL\b", "No table with what was asked costs less."),
    (
        "FEASIBLE",
        r"\bFEASIBLE\b",
        "The table keeps all that was asked; a cheaper one may exist.",
    ),
    ("INFEASIBLE", r"(?i)\binfeasible\b", "No table keeps all that was asked."),
    (
        "certified",
        r"\bcertified\b",
        "The bound was checked again from the table, without any solver.",
    ),
    (
        "agreed",
        r"\(agreed\)",
        "Two programs that have nothing in common came to the same bound.",
    ),
    ("proved", r"\(proved\)", "One program says that the bound holds."),
    (
        "heuristic",
        r"\bheuristic\b",
        "The table was checked; that it is the best one is not proved.",
    ),
    (
        "prosecutor's risk",
        r"prosecutor",
        "Somebody knows that a person is in the table, and guesses one of the rows "
        "that look like the person: the highest chance to be right, 1 over the "
        "fewest rows that look alike.",
    ),
    (
        "marketer's risk",
        r"marketer",
        "Somebody guesses for every row: the share of right guesses, on average.",
    ),
    (
        "like no other",
        r"like no other",
        "Rows that equal no other row: whoever knows these values finds the person.",
    ),
    (
        "learnt",
        r"\b(learnt|tells it)\b",
        "All rows of a class have one value of a column: it is known of everybody "
        "in the class, though nobody's row is found.",
    ),
    (
        "singled out",
        r"\bsingled? out|\bsingles out",
        "Rows with a value, or several together, that no other row has: whoever "
        "knows it finds the row.",
    ),
    (
        "unchanged",
        r"\bunchanged\b",
        "Published as it was. k says nothing of these columns.",
    ),
    (
        "information, bits, kept",
        r"\b(bits|keeps)\b",
        "How much of what told rows apart in a column is still there: 100% if every "
        "value can be told from what is published, 0% if all cells look alike.",
    ),
    ("mean", r"\bmeans?\b", "The sum of the numbers over how many there are."),
    (
        "standard error",
        r"standard error",
        "How far a mean of so many rows may be off by chance alone: in two of three "
        "samples less than this.",
    ),
    (
        "correlation",
        r"\b[Cc]orrelations?\b",
        "How far two columns go together: 1 if one grows with the other, -1 if it "
        "falls, 0 if they have nothing to do with each other.",
    ),
    ("height", r"\bheight\b", "The sum of the levels; less is better."),
    (
        "precision",
        r"\bprecision\b",
        "1 less the mean of level over highest level; more is better.",
    ),
    (
        "discernibility",
        r"\bdiscernibility\b",
        "For every row the number of rows that look like it, summed up; less is "
        "better.",
    ),
    (
        "average-class-size",
        r"average-class-size",
        "The mean number of rows of a class, as a multiple of k; 1 is best.",
    ),
    (
        "l",
        r"\bl = ",
        "l-diversity: the rows of every class have at least so many different "
        "sensitive values (by frequency: no value more than 1/l of them).",
    ),
    (
        "t, distance",
        r"\bdistance at most|\bt = ",
        "t-closeness: how much of the sensitive values of a class would have to "
        "change to be distributed as those of the whole table.",
    ),
    (
        "k-map",
        r"k-map",
        "The fewest persons of the population whom a published row may be.",
    ),
    (
        "matches",
        r"\bmatch(es|ing)\b",
        "A suppressed cell is taken for any value. Whoever looks for equal rows "
        "need not do so: this is no protection.",
    ),
    (
        "alone, together",
        r"\balone\b.*\btogether\b",
        "Rows that a column singles out by itself; and rows that it singles out "
        "with others, where none of them can be left out.",
    ),
    (
        "SHA-256",
        r"SHA-256",
        "A fingerprint of a file: who changes a single character changes it.",
    ),
)
"""A word, what a page has that uses it, and what it means without other entries."""


def glossary(body: str) -> Iterator[tuple[str, str]]:
    """Yield the words that a page has, and what they mean."""
    text = " ".join(unescape(_TAG.sub(" ", body)).split())
    for word, sign, meaning in _WORDS:
        if re.search(sign, text):
            yield word, meaning
