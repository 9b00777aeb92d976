"""How to cite a proven optimum or a tested claim: a reader can find and check it."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Final

from atleastk.instances.fields.errors import InvalidResultError
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.claims.catalogue import PAPERS
from atleastk.research.claims.claim import Claim, Standing
from atleastk.research.claims.examining import run_counter_example
from atleastk.research.tables.latex import escaped
from atleastk.runs.versions import __version__

_SHORT = 12
"""Digits of a fingerprint in a key: no two instances share them in practice."""

_STANDINGS: Final = {
    Standing.HOLDS: "no counter-example was found",
    Standing.REFUTED: "refuted as printed",
    Standing.REFUTED_AS_READ: "fails in a reading that the text leaves open",
    Standing.UNDEFINED: "not well-defined as printed",
    Standing.UNTESTED: "not tested",
}
"""How a claim stands, in a title."""


def citation(result: Result, name: str = "", day: str = "") -> str:
    """Return a sentence and a BibTeX entry for what a result proves.

    Raise `InvalidResultError` if it proves neither an optimum nor that there is no
    solution. What has a name, in a library since that day, may be open. Without a day
    the year is that of the citation.
    """
    if result.status < Status.INFEASIBLE and not name:
        raise InvalidResultError(f"it is {result.status}: only what is proved is cited")
    what = {
        Status.INFEASIBLE: "No solution",
        Status.OPTIMAL: f"Optimum {result.cost}",
    }.get(
        result.status, f"Best cost {result.cost} (not closed, at least {result.bound})"
    )
    proof = "no certificate"
    if result.certificate is not None:
        text = json.dumps(result.certificate, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode()).hexdigest()
        proof = f"certificate of kind {result.certificate.get('kind')}, sha256 {digest}"
        if result.certified_bound is not None:
            proof = f"bound {result.certified_bound} certified, {proof}"
    version = result.versions.get("atleastk", "unknown")
    called = f" {name}" * bool(name)
    instance = f"{result.problem} instance{called} of sha256 {result.instance_sha256}"
    key = f"atleastk-{name or result.problem}-{result.instance_sha256[:_SHORT]}"
    note = f"{result.trust}; {proof}; method {result.method}"
    return _cited(f"{what} of the {instance}", key, note, version, day)


def claim_citation(claim: Claim) -> str:
    """Return a sentence and a BibTeX entry for how a claim of a paper stands.

    The note holds the paper, with its year, and what a counter-example shows.
    """
    standing = _STANDINGS[claim.printed]
    if claim.mended is not None:
        standing += f", {claim.mended} as repaired"
    note = f"claim {claim.name} of {PAPERS[claim.paper]}"
    if claim.counter_example:
        note += f"; counter-example {run_counter_example(claim.counter_example)[1]}"
    what = f"[{claim.paper}] {claim.number}: {standing}"
    return _cited(what, f"atleastk-{claim.name}", note, __version__)


def _cited(what: str, key: str, note: str, version: str, day: str = "") -> str:
    since, year = f" {day}." * bool(day), day[:4] or str(datetime.now(UTC).year)
    return "\n".join(
        [
            f"{what}: {note}. atleastk {version}.{since}",
            "",
            f"@misc{{{key},",
            f"  title = {{{escaped(what)}}},",
            "  author = {{The atleastk authors}},",
            f"  year = {{{year}}},",
            f"  version = {{atleastk {version}}},",
            f"  note = {{{escaped(note)}}},",
            "}",
        ]
    )
