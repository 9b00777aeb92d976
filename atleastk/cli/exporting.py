"""Options of commands that write an instance as a model for other solvers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from atleastk.cli.options import Kind, Options, expect_none, option
from atleastk.cli.outputs import JSON
from atleastk.cli.readers import integer
from atleastk.instances.files.files import write_text
from atleastk.instances.instance import Instance
from atleastk.research.collecting.exporting import FORMATS, exported

_WRITTEN: Final = {
    "json": JSON,
    "cp-sat": Kind("a model of CP-SAT as text", (".txt", ".pbtxt")),
    **{
        name: Kind(f"a model in {name}", (f".{name}",))
        for name in ("mps", "lp", "opb", "wcnf", "cnf")
    },
}
"""What an export is written to, by its format."""


@dataclass(frozen=True, kw_only=True)
class Exporting(Options):
    """What is written: the format, the formulation and the file."""

    formulation: str | None = option(
        "--formulation NAME", "one of `atleastk models list` (default: the usual one)"
    )
    to: str | None = option(
        "--to", "the format (default: as OUT is called, or mps)", choices=FORMATS
    )
    at_most: int | None = option(
        "--at-most COST", "cnf: what it may cost (default: what is known)", integer
    )
    output: str | None = option(
        "-o --output OUT",
        "write the model",
        writes=lambda options: _WRITTEN[options.format],
    )

    @property
    def format(self) -> str:
        """The format that is asked for, by itself or by the name of the file."""
        ends = Path(self.output or "").suffixes
        called = [name for name in FORMATS if {*ends} & {*_WRITTEN[name].suffixes}]
        return self.to or (called[0] if called else "mps")

    def write(self, instance: Instance, known: int | None = None) -> None:
        """Write the model of an instance of a known cost."""
        if self.format != "cnf":
            why = f"{self.format} asks for the least cost, and only a cnf for less"
            expect_none(self, why, ("at_most",))
        if self.format == "json":
            expect_none(self, "json is the instance, not a model", ("formulation",))
        at_most = known if self.at_most is None else self.at_most
        text = exported(instance, self.format, at_most, self.formulation)
        if self.output is None:
            print(text, end="")
        else:
            write_text(self.output, text)
