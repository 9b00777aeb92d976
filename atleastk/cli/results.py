"""Reading, writing and printing results."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from atleastk.cli.console import BAD_INPUT, NO, OK, complain
from atleastk.cli.outputs import write_results
from atleastk.instances.fields.errors import AtleastkError, InvalidResultError, placed
from atleastk.instances.files import files
from atleastk.instances.files.paths import is_standard
from atleastk.models.results.result import Result

_MOST_GROUPS_SHOWN: Final = 25
"""The most groups that are printed, about what a screen holds."""


def read_result(path: str) -> Result:
    """Return the one result of a file."""
    (place, document), *others = files.documents(path, InvalidResultError)
    if others:
        raise InvalidResultError(
            f"{path}: holds {len(others) + 1} results; expected one"
        )
    return result_at(place, document)


def result_at(place: str, document: Mapping[str, Any]) -> Result:
    """Return the result that a JSON object is; errors name its place."""
    with placed(place):
        return Result.from_dict(document)


def write_or_complain(output: str, results: Sequence[Result], new: int) -> int:
    """Write results, of which the last `new` are new; return the exit code.

    A failure is reported and does not end the command, since results are printed, too.
    """
    try:
        start = len(results) - new if is_standard(output) else 0
        write_results(output, results[start:])
    except AtleastkError as error:
        complain(error)
        return BAD_INPUT
    return OK


def code_of(result: Result) -> int:
    """Return the exit code of a result."""
    return NO if result.solution is None else OK


def print_result(
    result: Result,
    as_json: bool,
    path: str | None = None,
    relaxed: Sequence[str] | None = None,
) -> None:
    """Print a result; with the `path` of one of several, and what to relax."""
    if as_json:
        more = {} if relaxed is None else {"relaxations": list(relaxed)}
        print(json.dumps({**result.to_dict(), **more}), flush=True)
        return
    if path is not None:
        print(f"{path}:")
    print(result)
    for line in relaxed or ():
        print(f"  relax   {line}")
    groups = result.groups or ()
    for group in islice(groups, _MOST_GROUPS_SHOWN):
        print(f"    {' '.join(map(str, group))}")
    if len(groups) > _MOST_GROUPS_SHOWN:
        print(f"    ... {len(groups) - _MOST_GROUPS_SHOWN} more; -o or --json has all")
    sys.stdout.flush()
