"""Write a sheet of errata for every paper, from the records: ``docs/errata``.

    python -m scripts.data.write_errata [--check]

With ``--check`` it writes nothing, and ends with code 1 if a page is not the same. The
list of the sheets is below the mark of ``docs/errata.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Final

from atleastk.models.wording import counted
from atleastk.research.claims import counter_examples
from atleastk.research.claims.catalogue import PAPERS, Claims, claims
from atleastk.research.claims.claim import Claim, Standing
from atleastk.research.claims.examining import run_counter_example
from atleastk.research.tables.markdown import markdown_table
from scripts.data.pages import write_texts
from scripts.data.write_claims import MARK, PAGE, linked

ERRATA: Final = PAGE.with_name("errata.md")

HEADS: Final = {
    Standing.REFUTED: "What does not hold as printed",
    Standing.UNDEFINED: "What is not defined, or contradicts itself",
    Standing.REFUTED_AS_READ: "What may be misread",
}
"""The parts of a sheet, by how the claims in them stand."""

_ABOUT: Final = """\
Each has its place (pages differ between versions of a text, so it is a section or a
number), what is printed there, told in our words, what is wrong with it, a small case
that shows it, and what holds in its place. Cases are of a program that needs Python's
standard library only: `python -I -S {module}.py NAME` prints what is quoted, and exits
with 0 if it refutes the statement. [All claims of the paper](../claims.md) were put to
the test in this way; most of them hold, and are not listed here."""


def main(arguments: Sequence[str] | None = None) -> None:
    head = ERRATA.read_text(encoding="utf-8").partition(MARK)[0]
    index = head + MARK + "\n".join(_index()) + "\n"
    sheets = {sheet_of(paper): "\n".join(_sheet(paper)) + "\n" for paper in PAPERS}
    write_texts({ERRATA: index, **sheets}, __doc__, arguments)


def sheet_of(paper: str) -> Path:
    """Return the page of a paper."""
    return ERRATA.with_suffix("") / f"{paper.lower()}.md"


def _parts(paper: str) -> Iterator[tuple[str, Claims]]:
    for standing, head in HEADS.items():
        if found := claims(paper=paper, verdict=standing):
            yield head, found


def _index() -> Iterator[str]:
    yield ""
    rows = []
    for paper, full in PAPERS.items():
        many = dict(_parts(paper))
        link = f"[{paper}](errata/{sheet_of(paper).name})"
        rows.append([link, full, *(len(many.get(head, ())) for head in HEADS.values())])
    columns = "paper", "title", "does not hold>", "not defined>", "may be misread>"
    yield from markdown_table(columns, rows)


def _sheet(paper: str) -> Iterator[str]:
    parts = dict(_parts(paper))
    yield from (f"# Errata of [{paper}]", "", f"{PAPERS[paper]}.")
    total = counted(sum(map(len, parts.values())), "statement")
    yield from ("", f"{total}.", _ABOUT.format(module=paper.lower()))
    number = 0
    for head, found in parts.items():
        yield from ("", f"## {head}")
        for claim in found:
            number += 1
            known = claim.number.startswith(claim.part or claim.number)
            place = claim.number if known else f"{claim.number} ({claim.part})"
            yield from ("", f"### {number}. {place}", "", *_entry(claim))


def _entry(claim: Claim) -> Iterator[str]:
    yield f"- **Printed**: {claim.says}"
    if claim.reading:
        yield f"- **Read as**: {claim.reading}"
    if claim.counter_example:
        what, *example = _described(claim)
        _, shown = run_counter_example(claim.counter_example)
        yield f"- **Wrong**: {what}"
        example += [f"{linked(claim, '../')} prints: {shown}."]
        yield f"- **Case**: {' '.join(example)}"
    else:
        yield f"- **Open**: {claim.undefined}"
    yield f"- **Instead**: {claim.repair or 'we know of no repair.'}"


def _described(claim: Claim) -> Sequence[str]:
    """Return the paragraphs of what its program says of itself, each on a line."""
    module, _, name = claim.counter_example.partition(" ")
    program = import_module(f"{counter_examples.__name__}.{module}")
    text = getdoc(getattr(program, name)) or ""
    return [" ".join(each.split()) for each in text.split("\n\n")]


if __name__ == "__main__":
    main()
