"""How to cite a proven optimum, so that a reader can find and check it."""

from __future__ import annotations

import hashlib
import json

from atleastk.instances.fields.errors import InvalidResultError
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status

_SHORT = 12
"""Digits of a fingerprint in a key: no two instances share them in practice."""


def citation(result: Result) -> str:
    """Return a sentence and a BibTeX entry for what a result proves.

    Raise `InvalidResultError` if it proves neither an optimum nor that there is no
    solution.
    """
    if result.status < Status.INFEASIBLE:
        raise InvalidResultError(f"it is {result.status}: only what is proved is cited")
    infeasible = result.status is Status.INFEASIBLE
    what = "No solution" if infeasible else f"Optimum {result.cost}"
    proof = "no certificate"
    if result.certificate is not None:
        text = json.dumps(result.certificate, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode()).hexdigest()
        proof = f"certificate of kind {result.certificate.get('kind')}, sha256 {digest}"
        if result.certified_bound is not None:
            proof = f"bound {result.certified_bound} certified, {proof}"
    version = result.versions.get("atleastk", "unknown")
    instance = f"{result.problem} instance of sha256 {result.instance_sha256}"
    key = f"atleastk-{result.problem}-{result.instance_sha256[:_SHORT]}"
    note = f"{result.trust}; {proof}; method {result.method}"
    return "\n".join(
        [
            f"{what} of the {instance}: {note}. atleastk {version}.",
            "",
            f"@misc{{{key},",
            f"  title = {{{what} of the {instance}}},",
            "  author = {{The atleastk authors}},",
            f"  version = {{atleastk {version}}},",
            f"  note = {{{note}}},",
            "}",
        ]
    )
