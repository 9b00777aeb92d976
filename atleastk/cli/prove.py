"""``atleastk prove``: proofs that other people's checkers read."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import VIPR, read_result
from atleastk.cli.shared_options import Running
from atleastk.instances.fields.errors import WrongAnswerError, placed
from atleastk.instances.files.paths import is_standard
from atleastk.runs import api
from atleastk.runs.proving import FORMATS, prove
from atleastk.runs.solving import solve_within

_CHECKERS: Final = {
    "vipr": ("viprchk", (".vipr",), "Successfully verified infeasibility"),
    "veripb": ("veripb", (".opb", ".pbp"), "s VERIFIED UNSATISFIABLE"),
}
"""By format, the program that checks proofs, the ends of the names of the files that it
reads, and what it prints if a proof holds."""


@dataclass(frozen=True, kw_only=True)
class Options(Running):
    instance: str = option("INSTANCE", "one instance", reads="the instance")
    result: str | None = option(
        "RESULT",
        "a result with a certificate (default: solve for one)",
        reads="the result",
        nargs="?",
    )
    to: str = option(
        "--to",
        "the format of the whole proof (default), or of the lemmas of one bin: with "
        "their proofs, or formulas alone",
        choices=FORMATS,
        default="vipr",
    )
    output: str = option(
        "-o --output OUT",
        "a .vipr file; a folder for veripb and opb",
        writes=lambda options: VIPR if options.to == "vipr" else None,
        required=True,
    )


def run(options: Options) -> Exit:
    """Write the proof of a bound, and print its size."""
    instance = api.load(options.instance)
    abandoned = False
    if options.result is not None:
        result, place = read_result(options.result), options.result
    else:
        place = options.instance
        running = f"{options.instance} by {options.method}"
        ask = options.ask(certify=True)
        with options.watching(ask, running) as watched:
            outcome = solve_within(instance, watched)
        result, abandoned = outcome.result, outcome.abandoned
    with placed(place):
        made = prove(instance, result, options.output, to=options.to)
    checker = _checked(options, made)
    sizes = {_path(options, name): len(text) for name, text in made.items()}
    if options.json:
        print(json.dumps({"files": sizes, "accepted_by": checker}))
        return Exit(OK, abandoned)
    for path, size in sizes.items():
        print(f"{path}: {size:,} bytes")
    if checker is not None:
        print(f"  accepted by {checker}")
    return Exit(OK, abandoned)


def _path(options: Options, name: str) -> str:
    folder = options.to != "vipr"
    return str(Path(options.output) / name) if folder else options.output


def _checked(options: Options, made: Mapping[str, str]) -> str | None:
    """Run the checker of the format on the files, if it is on PATH; return its name.

    Raises WrongAnswerError if it does not accept one of them.
    """
    name, ends, accepted = _CHECKERS.get(options.to, ("", (), ""))
    program = shutil.which(name) if name else None
    if program is None or is_standard(options.output):
        return None
    for proof in (one for one in made if one.endswith(ends[-1])):
        names = [str(Path(proof).with_suffix(end)) for end in ends]
        read = [_path(options, name) for name in names]
        checked = subprocess.run(
            [program, *read], capture_output=True, text=True, check=False
        )
        if accepted not in checked.stdout:
            raise WrongAnswerError(f"{read[-1]}: {name} does not accept it")
    return name
