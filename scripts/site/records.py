"""The pages of the records of the library that are not closed: what was tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

import atleastk
from atleastk.models.results.result import gap_between
from atleastk.research.collecting.effort import EFFORT_HEADS, HALF_AN_HOUR, effort_cells
from atleastk.research.collecting.record import OPEN, Entry, Record
from atleastk.research.tables.markdown import markdown_table

FOLDER: Final = PurePosixPath("open")
"""Where the pages are, below those that are made."""

_HEADS: Final = ("record", "gap>", "tried for s>", "status", "cost>", "bound>")
_GAINS: Final = ("date", "cost>", "bound>", "gap>", "method", "s>", "certificate")


def pages() -> Mapping[str, str]:
    """Return the pages by their files: the list, and a page of each record."""
    records = [each for each in atleastk.library.values() if not each.is_closed]
    return {f"{FOLDER}.md": _list(records)} | {
        f"{FOLDER / record.name}.md": "\n".join(_page(record)) + "\n"
        for record in records
    }


def _list(records: list[Record]) -> str:
    earned = sum(record.status == OPEN for record in records)
    lines = [
        "# What is not closed",
        "",
        f"{len(records)} records of [the library](../library.md) have a cost above "
        f"their bound. {earned} of them are *open*: at least "
        f"{HALF_AN_HOUR / 60:.0f} minutes of a processor were spent in vain, by two "
        "methods and two seeds or more. The "
        "others have only been *tried*, for as long as the table says, since runs are "
        "kept; an hour may close them.",
        "",
        *markdown_table(_HEADS, map(_row, records)),
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *(f"{FOLDER.name}/{record.name}" for record in records),
        "```",
        "",
    ]
    return "\n".join(lines)


def _row(record: Record) -> tuple[str, ...]:
    known = record.known
    cost, bound, gap = ("", "", "") if known is None else _numbers(known)
    link = f"[{record.name}]({FOLDER.name}/{record.name}.md)"
    return link, gap, f"{_seconds(record):,.0f}", record.status, cost, bound


def _page(record: Record) -> Iterator[str]:
    spent = f"tried for {_seconds(record):,.0f} s of a processor since runs are kept"
    yield from (f"# {record.name}", "")
    yield f"An instance of {record.problem}: {record.size}. It is *{record.status}*,"
    yield f"{spent}, and *{record.difficulty}* for plain models."
    yield from ("", f"- Source: {record.source} ({record.licence}).")
    yield f"- Fingerprint: `{record.instance_sha256}`."
    yield f"- The instance: `atleastk library export {record.name} --to json`."
    yield from ("", "## What is known", "")
    yield from markdown_table(_GAINS, map(_gain, record.history))
    yield from ("", "## What was tried", "")
    if record.efforts:
        yield from markdown_table(EFFORT_HEADS, map(effort_cells, record.efforts))
    else:
        yield "Nothing since runs are kept."
    if record.history:
        yield from ("", "## How to cite it", "", "```text", record.citation, "```")


def _gain(entry: Entry) -> tuple[str, ...]:
    seconds, proof = f"{entry.seconds:.2f}", entry.certificate or ""
    return entry.date, *_numbers(entry), entry.method, seconds, proof


def _numbers(entry: Entry) -> tuple[str, str, str]:
    """Return cost, bound and gap as texts."""
    cost, bound = ("" if n is None else str(n) for n in (entry.cost, entry.bound))
    gap = gap_between(entry.cost, entry.bound)
    return cost, bound, "" if gap is None else f"{gap:.3%}"


def _seconds(record: Record) -> float:
    return sum(effort.seconds for effort in record.efforts)
