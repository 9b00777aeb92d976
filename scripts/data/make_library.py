"""Make the library: draw its instances, solve them, and write their records.

    python -m scripts.data.make_library [--data DIR] [--no-draw] [--folder DIR]
                                        [--only WORD] [--problem P]
                                        [--time-limit S] [--workers N]

Instances that the folder holds are kept with all that is known of them. Those of which
nothing is known, or which are not certified, are solved, from what is known: first with
a certificate, then, if there is none, by a second method that agrees. So the script can
be ended at any time and run again, with more time or with new certificates. Whatever
improves a record is checked first, and files are written whole or not at all. The page
docs/library.md is written at the end.

``--only`` is ``new`` (nothing is known) or ``uncertified`` (the default); or
``broken``: what does not hold any more, since a form of certificates has changed, is
forgotten and solved again. What stays open is for `scripts.data.efforts`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import atleastk
from atleastk import Result, Status, Trust
from atleastk.research.collecting.improving import improved, violation_of
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import STATUSES, Record
from scripts.data.library_draws import draws
from scripts.data.library_page import OUT, page

FOLDER = Path(__file__).parents[2] / "atleastk/instances/library"
DAY = datetime.now(UTC).date().isoformat()

BETWEEN = 20.0
"""Seconds between two times of writing: not tuned."""


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = _parser().parse_args(arguments)
    library = Library(chosen.folder)
    drawn = {}
    if not chosen.no_draw:
        drawn = {record.name: record for record in draws(chosen.data)}
    new = len([name for name in drawn if name not in library])
    described = [
        _described(record, library.get(name)) for name, record in drawn.items()
    ]
    library = library.with_all(described, chosen.folder)
    asked = library.filter(problem=chosen.problem)
    work = [record for record in asked if _is_wanted(record, chosen.only)]
    if chosen.only == "broken":
        nothing: dict[str, Any] = {"history": (), "witness": None, "certificate": None}
        work = [replace(record, **nothing) for record in work]
    print(f"{len(library)} instances, {new} are new, {len(work)} to be solved")
    keep(library, chosen.folder, _gained(work, chosen.time_limit, chosen.workers))


def _gained(
    work: Sequence[Record], time_limit: float, workers: int
) -> Iterator[Record]:
    for number, record in enumerate(work, 1):
        after = record
        for result in _results(record, time_limit, workers):
            after = improved(after, result, DAY, taking_claims=True)
        known = after.known
        before = "" if known is None else f"{known.cost} {known.bound}"
        mark = "" if after is not record else ", no gain"
        print(f"{number} {after.name}: {after.status} {before}{mark}", flush=True)
        if after is not record:
            yield after


def keep(library: Library, folder: Path, changing: Iterable[Record]) -> None:
    """Write records as they change, now and then and at the end.

    The page is written too if the folder is that of the package.
    """
    changed: dict[str, Record] = {}
    written = time.monotonic()
    try:
        for record in changing:
            changed[record.name] = record
            if time.monotonic() - written > BETWEEN:
                library = library.with_all([*changed.values()], folder)
                changed, written = {}, time.monotonic()
    finally:
        library = library.with_all([*changed.values()], folder)
        if folder == FOLDER:
            OUT.write_text(page(library), encoding="utf-8")


def _described(drawn: Record, held: Record | None) -> Record:
    """Return a record as it is drawn now, with what is known of it."""
    if held is None:
        return drawn
    if held.instance_sha256 != drawn.instance_sha256:
        raise SystemExit(
            f"{drawn.name}: is drawn differently now; give it another name"
        )
    known = ("history", "efforts", "witness", "certificate")
    return replace(drawn, **{name: getattr(held, name) for name in known})


def _is_wanted(record: Record, only: str) -> bool:
    match only:
        case "new":
            return record.known is None
        case "broken":
            return violation_of(record) is not None
    return record.status != STATUSES[0]


def _results(record: Record, limit: float, workers: int) -> Iterator[Result]:
    """Solve an instance; again by two methods if nothing but a certificate fails."""
    start = None if record.witness is None else record.result
    first = atleastk.solve(
        record.instance, limit, workers=workers, certify=True, start=start
    )
    yield first
    if first.interrupted:
        sys.exit(130)
    if first.status >= Status.INFEASIBLE and first.trust == Trust.PROVED:
        yield atleastk.solve(record.instance, limit, workers=workers, agree=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="a folder of larger data sets")
    parser.add_argument(
        "--no-draw", action="store_true", help="solve what the folder holds"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument(
        "--only", choices=("new", "uncertified", "broken"), default="uncertified"
    )
    parser.add_argument("--problem", choices=tuple(p.name for p in atleastk.problems()))
    parser.add_argument("--time-limit", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=1)
    return parser


if __name__ == "__main__":
    main()
