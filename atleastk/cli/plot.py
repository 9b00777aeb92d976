"""``atleastk plot``: a picture of a result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Paths, option
from atleastk.cli.outputs import picture, read_result
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import AtleastkError, placed
from atleastk.instances.files.paths import is_standard
from atleastk.runs import api


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    instance: str = option(
        "INSTANCE", "the instance that was solved", reads="the instance"
    )
    result: str = option("RESULT", "what solve -o has written", reads="the result")
    kind: str = option(
        "--kind",
        "draw the solution (default), or the best cost and bound over the seconds",
        choices=("solution", "events"),
        default="solution",
    )
    output: str | None = option(
        "-o --output FILE", "the picture (default: RESULT with .png)"
    )

    @property
    def picture(self) -> str:
        if self.output is None and is_standard(self.result):
            raise AtleastkError("plot of a result from standard input needs -o")
        return self.output or str(Path(self.result).with_suffix(".png"))

    def paths(self) -> Paths:
        written = [(self.picture, picture(self.picture))]
        return super().paths()._replace(written=written)


def run(options: Options) -> Exit:
    instance, result = api.load(options.instance), read_result(options.result)
    with placed(options.result):
        api.plot(instance, result, options.picture, kind=options.kind)
    print(options.picture)
    return Exit(OK)
