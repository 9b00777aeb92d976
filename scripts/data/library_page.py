"""Write docs/library.md: what the library holds, and how it is used.

python -m scripts.data.library_page [--check]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import atleastk
from atleastk.models.results.status import Status
from atleastk.research.collecting.effort import DIFFICULTIES, PLAIN, UNMEASURED
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import STATUSES, Record
from atleastk.research.tables.markdown import markdown_table
from scripts.data.pages import write_texts

OURS = "CC BY 4.0"
"""The licence of what is drawn here."""

EXAMPLES = ("employees", "figure", "patients", "people")
"""How families of the papers' examples begin."""

OUT = Path(__file__).parents[2] / "docs/library.md"

PAGE = Path(__file__).with_suffix(".md")
"""The words of the page, and what is filled in."""


def page(library: Library) -> str:
    records = list(library.values())
    still = [record for record in records if not record.is_closed]
    efforts = [effort for record in records for effort in record.efforts]
    unmeasured = [record for record in records if record.difficulty == UNMEASURED]
    data = [record for record in records if record.licence != OURS]
    worst = [record for record in records if record.family == "worst"]
    tight = sum(record.family.startswith("tight-") for record in records)
    examples = sum(record.family.startswith(EXAMPLES) for record in records)
    data_open = sum(not record.is_closed for record in data)
    return PAGE.read_text(encoding="utf-8").format(
        total=len(records),
        by_status=_table(records, "status", STATUSES),
        by_difficulty=_table(records, "difficulty", DIFFICULTIES),
        unmeasured=len(unmeasured),
        too_large=sum(map(_is_refused, unmeasured)),
        runs=f"{len(efforts):,}",
        hours=f"{sum(effort.seconds for effort in efforts) / 3600:.1f}",
        infeasible=sum(
            record.known is not None and record.known.status is Status.INFEASIBLE
            for record in records
        ),
        data=len(data),
        data_closed=len(data) - data_open,
        data_certified=sum(record.status == STATUSES[0] for record in data),
        data_open=data_open,
        tight=tight,
        worst=len(worst),
        worst_bins=sum(record.problem == "bin-covering" for record in worst),
        examples=examples,
        drawn=len(records) - len(data) - tight - examples,
        drawn_open=len(still) - data_open,
        open=len(still),
        open_ones="\n".join(
            f"- `{record.name}`: {record.size}"
            for problem in atleastk.problems()
            for record in [r for r in still if r.problem == problem.name][:2]
        ),
    )


def _table(records: Iterable[Record], what: str, words: Sequence[str]) -> str:
    counts = Counter((record.problem, getattr(record, what)) for record in records)
    words = [word for word in words if any(held == word for _, held in counts)]
    names = [problem.name for problem in atleastk.problems()]
    rows: list[list[object]] = []
    for name in names:
        found = [counts[name, word] for word in words]
        rows.append([f"`{name}`", *found, sum(found)])
    sums = [sum(counts[name, word] for name in names) for word in words]
    heads = ["problem", *(f"{word}>" for word in words), "all>"]
    return "\n".join(markdown_table(heads, [*rows, ["all", *sums, sum(sums)]]))


def _is_refused(record: Record) -> bool:
    """Tell whether no plain model takes an instance."""
    plain = [each for each in record.efforts if each.method in PLAIN]
    return bool(plain) and not any(each.answered for each in plain)


def main(arguments: Sequence[str] | None = None) -> None:
    write_texts({OUT: page(atleastk.library)}, __doc__, arguments)


if __name__ == "__main__":
    main()
