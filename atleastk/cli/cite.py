"""``atleastk cite``: how to cite a proven optimum."""

from __future__ import annotations

from dataclasses import dataclass

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import result_at
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import InvalidResultError, placed
from atleastk.instances.files import files
from atleastk.research.collecting.citing import citation


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    result: str = option(
        "RESULT", "what solve -o has written; several in a .jsonl", reads="the result"
    )


def run(options: Options) -> Exit:
    for place, document in files.documents(options.result, InvalidResultError):
        result = result_at(place, document)
        with placed(place):
            print(citation(result))
    return Exit(OK)
