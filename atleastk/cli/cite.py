"""``atleastk cite``: how to cite a proven optimum, or how a claim stands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import result_at
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import (
    InvalidResultError,
    UnknownNameError,
    meant,
    placed,
    quoted,
)
from atleastk.instances.files import files
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.collecting.citing import citation, claim_citation
from atleastk.research.collecting.library import library


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    result: str = option(
        "RESULT|CLAIM|NAME",
        "what solve -o has written, several in a .jsonl; or the name of a claim, or "
        "of an instance of the library",
        reads="the result",
    )


def run(options: Options) -> Exit:
    if Path(options.result).exists():
        for place, document in files.documents(options.result, InvalidResultError):
            result = result_at(place, document)
            with placed(place):
                print(citation(result))
    else:
        print(_citation_of(options.result))
    return Exit(OK)


def _citation_of(name: str) -> str:
    claims = {claim.name: claim for claim in claims_of()}
    if name in claims:
        return claim_citation(claims[name])
    if name in library:
        return library[name].citation
    raise UnknownNameError(
        f"{quoted(name)} is no file, no claim and no instance of the library; "
        f"{meant(name, [*claims, *library])}see claims and library list"
    )
