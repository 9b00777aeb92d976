"""``atleastk cite``: how to cite a proven optimum, or how a claim stands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import result_at
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import InvalidResultError, placed
from atleastk.instances.files import files
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.collecting.citing import citation, claim_citation


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    result: str = option(
        "RESULT|CLAIM",
        "what solve -o has written, several in a .jsonl; or the name of a claim",
        reads="the result",
    )


def run(options: Options) -> Exit:
    if not Path(options.result).exists():
        for claim in claims_of():
            if claim.name == options.result:
                print(claim_citation(claim))
                return Exit(OK)
    for place, document in files.documents(options.result, InvalidResultError):
        result = result_at(place, document)
        with placed(place):
            print(citation(result))
    return Exit(OK)
