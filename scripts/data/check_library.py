"""Check the whole library by both checkers, and compare what they say.

    python -m scripts.data.check_library [--problem P] [--folder DIR] [--every N]

Every result is read by `atleastk.check` and by `scripts/second_checker.py`. A table by
problem is printed: how many results hold, how many bounds a certificate proves to both,
how many can only be claimed, and the seconds of the processor that each checker took.
What one of them refuses, or proves and the other does not, is named; the exit code is 1
then.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import atleastk
from atleastk.research.collecting.improving import violation_of
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import Record
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.registry import PROBLEMS
from scripts import second_checker

_HEAD = ("problem", "results>", "proved>", "claimed>", "check, s>", "second, s>")


def second_says(document: dict[str, Any], result: dict[str, Any]) -> bool | str:
    """Tell whether a certificate proves the bound; or say what does not hold."""
    try:
        return second_checker.check(document, result)
    except (second_checker.UnknownError, *second_checker.ERRORS) as error:
        return repr(error)


def disagreement(violation: str | None, certified: bool, second: bool | str) -> str:
    """Say what one checker refuses, or proves and the other does not; or nothing."""
    if violation is not None:
        return violation
    if isinstance(second, str):
        return f"the second checker: {second}"
    return "" if second == certified else f"proved to the second checker: {second}"


def _checked(problem: str, records: Iterable[Record], wrongs: list[str]) -> list[str]:
    counts: Counter[bool] = Counter()
    first_seconds = second_seconds = 0.0
    for record in records:
        begun = process_time()
        violation = violation_of(record)
        first_seconds += process_time() - begun
        wrong = violation or ""
        if record.result is not None:
            certified = record.result.certificate is not None
            document, result = (
                json.loads(json.dumps(held.to_dict()))
                for held in (record.instance, record.result)
            )
            begun = process_time()
            second = second_says(document, result)
            second_seconds += process_time() - begun
            counts[certified] += 1
            wrong = disagreement(violation, certified, second)
        wrongs += [f"{record.name}: {wrong}"] * bool(wrong)
    figures = (counts.total(), counts[True], counts[False])
    return [
        problem,
        *map(str, figures),
        f"{first_seconds:.1f}",
        f"{second_seconds:.1f}",
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.data.check_library",
        description=(__doc__ or "").partition("\n")[0],
    )
    parser.add_argument("--problem", choices=list(PROBLEMS), help="default: all")
    parser.add_argument("--folder", type=Path, help="a library of your own")
    parser.add_argument("--every", type=int, default=1, help="each Nth record")
    chosen = parser.parse_args(arguments)
    library = atleastk.library if chosen.folder is None else Library(chosen.folder)
    wrongs: list[str] = []
    problems = PROBLEMS if chosen.problem is None else (chosen.problem,)
    print("\n".join(markdown_table(_HEAD, [])), flush=True)
    for problem in problems:
        records = library.filter(problem=problem)[:: chosen.every]
        row = _checked(problem, records, wrongs)
        print(markdown_table(_HEAD, [row])[-1], flush=True)
    print("\n".join(wrongs), end="\n" * bool(wrongs))
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
