"""Write the page of all claims, as the records have them: ``docs/claims.md``.

    python -m scripts.data.write_claims [--check]

With ``--check`` it writes nothing, and ends with code 1 if the page is not the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from atleastk.research.claims.catalogue import LEFT_OUT, PAPERS, claims_of
from atleastk.research.claims.claim import Claim, Standing
from atleastk.research.tables.markdown import markdown_table
from scripts.data.pages import write_below

PAGE = Path(__file__).parents[2] / "docs/claims.md"
COUNTER_EXAMPLES = "../atleastk/research/claims/counter_examples"
MARK = "<!-- what follows is written from the records -->\n"


def main(arguments: Sequence[str] | None = None) -> None:
    write_below(PAGE, MARK, lines(), __doc__, arguments)


def lines() -> Iterator[str]:
    yield ""
    columns = (
        *("paper", "claims>", "hold as printed>", "refuted>", "refuted as read>"),
        *("not well-defined>", "not tested>", "hold as repaired>"),
    )
    yield from markdown_table(columns, map(_counts, PAPERS))
    for paper, full in PAPERS.items():
        yield ""
        yield f"## [{paper}] {full}"
        yield ""
        yield LEFT_OUT[paper]
        for claim in claims_of([paper]):
            yield ""
            yield from _paragraph(claim)


def _counts(paper: str) -> Sequence[object]:
    claims = claims_of([paper])
    printed = Counter(claim.printed for claim in claims)
    repaired = sum(claim.repaired is not None for claim in claims)
    return [paper, len(claims), *(printed[each] for each in Standing), repaired]


def linked(claim: Claim, up: str = "") -> str:
    """Return the link to the program that refutes a claim, from `up` folders below."""
    module, _, name = claim.counter_example.partition(" ")
    return f"[{module}.py {name}]({up}{COUNTER_EXAMPLES}/{module}.py)"


def _paragraph(claim: Claim) -> Iterator[str]:
    yield f"**{claim.number}** ({claim.kind}): {claim.says}"
    yield ""
    for head, text in (
        ("If", claim.hypotheses),
        ("Read as", claim.reading),
        ("Tested on", claim.trial.family if claim.trial else ""),
        ("Not well-defined", claim.undefined),
        ("Not tested", claim.untested),
    ):
        if text:
            yield f"- {head}: {text}"
    standing = f"As printed: **{claim.printed}**"
    if claim.counter_example:
        standing += f", {linked(claim)}"
    yield f"- {standing}."
    if claim.repair:
        tested = f" Tested on {claim.repaired.family}." if claim.repaired else ""
        yield f"- As repaired: **{claim.mended}**. {claim.repair}{tested}"
    yield from (f"- Nearby: {reading}." for reading in claim.nearby)
    for head, text in (("Evidence", claim.evidence), ("Degenerate", claim.degenerate)):
        if text:
            yield f"- {head}: {text}"


if __name__ == "__main__":
    main()
