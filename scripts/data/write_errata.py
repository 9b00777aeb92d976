"""Write a sheet of errata for every paper, from the records: ``docs/errata.md``.

    python -m scripts.data.write_errata [--check]

With ``--check`` it writes nothing, and ends with code 1 if the page is not the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from atleastk.research.claims.catalogue import PAPERS, claims
from atleastk.research.claims.claim import Claim, Standing
from atleastk.research.claims.examining import run_counter_example
from scripts.data.pages import write_below
from scripts.data.write_claims import MARK, PAGE, linked

ERRATA = PAGE.with_name("errata.md")
HEADS: Final = {
    Standing.REFUTED: "What does not hold as printed",
    Standing.UNDEFINED: "What is not defined, or contradicts itself",
    Standing.REFUTED_AS_READ: "What may be misread",
}
"""The parts of a sheet, by how the claims in them stand."""


def main(arguments: Sequence[str] | None = None) -> None:
    write_below(ERRATA, MARK, lines(), __doc__, arguments)


def lines() -> Iterator[str]:
    for paper, full in PAPERS.items():
        yield ""
        yield f"## {full}"
        for standing, head in HEADS.items():
            found = claims(paper=paper, verdict=standing)
            if found:
                yield ""
                yield f"### {head}"
            for claim in found:
                yield ""
                yield from _entry(claim)


def _entry(claim: Claim) -> Iterator[str]:
    known = claim.number.startswith(claim.part or claim.number)
    yield f"**{claim.number}**{'' if known else f' ({claim.part})'}. {claim.says}"
    yield ""
    if claim.reading:
        yield f"- We read it as: {claim.reading}"
    if claim.counter_example:
        _, shown = run_counter_example(claim.counter_example)
        yield f"- It fails for: {shown} ({linked(claim)})."
    else:
        yield f"- What is open: {claim.undefined}"
    yield f"- Instead: {claim.repair or 'we know of no repair.'}"


if __name__ == "__main__":
    main()
