"""``atleastk cite``: how to cite a proven optimum."""

from __future__ import annotations

from dataclasses import dataclass

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import option
from atleastk.cli.paths import Paths
from atleastk.cli.results import documents, result_at
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import placed
from atleastk.research.collecting.citing import citation


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    """What ``atleastk cite`` is asked."""

    result: str = option("RESULT", "what solve -o has written; several in a .jsonl")

    def paths(self) -> Paths:
        return Paths((("the result", self.result),))


def run(options: Options) -> Exit:
    """Print how to cite results."""
    for place, document in documents(options.result):
        result = result_at(place, document)
        with placed(place):
            print(citation(result))
    return Exit(OK)
