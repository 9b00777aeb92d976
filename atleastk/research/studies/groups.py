"""Results by family, k, n, or whatever else tells instances apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from atleastk.research.studies.comparing import HEADS, comparison_cells, with_the_best
from atleastk.research.studies.ratios import Ratios
from atleastk.research.studies.results import StudyResults
from atleastk.research.tables.latex import latex_table
from atleastk.research.tables.markdown import markdown_table

MEANS: Final = (
    *("algorithm", "instances>", "worst>", "mean>", "from>", "to>"),
    *("optimal>", "solved>", "faults>"),
)
"""The columns of a table of means."""


class Told(NamedTuple):
    """A table of a study, as its page, Markdown and LaTeX have it."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[object]]


def group_table(
    results: StudyResults,
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Return the columns and the rows of a table of algorithms by groups."""
    rows = [
        [*(("" if value is None else value) for value in group), *cells]
        for group, part in results.groups().items()
        for cells in mean_cells(part.ratios())
    ]
    return (*results.by, *MEANS), rows


def mean_cells(ratios: Ratios) -> Iterator[list[object]]:
    """Yield the cells of every algorithm: its mean with an interval, and counts."""
    for tally in ratios:
        ends = tally.interval
        yield [
            tally.name,
            len(tally.by_instance),
            "" if tally.top is None else f"{tally.top.ratio:.4f}",
            f"{tally.mean:.4f}" if tally.ratios else "",
            *(map("{:.4f}".format, ends) if ends else ("", "")),
            f"{tally.share_optimal:.4f}" if tally.ratios else "",
            tally.solved,
            len(tally.wrong) + len(tally.broken) + len(tally.failed),
        ]


def tables_by_group(results: StudyResults) -> Iterator[Told]:
    """Yield the table of algorithms by groups, if results are grouped."""
    if results.by and results.ratios().tallies:
        yield Told(f"By {', '.join(results.by)}", *group_table(results))


def tables_of_means(ratios: Ratios) -> Iterator[Told]:
    """Yield how sure means are, and paired tests; nothing of a single algorithm."""
    pairs = with_the_best({tally.name: tally.by_instance for tally in ratios})
    if pairs:
        yield Told("Means", MEANS, list(mean_cells(ratios)))
        yield Told("Paired tests", HEADS, list(comparison_cells(pairs)))


def group_lines(results: StudyResults) -> Iterator[str]:
    """Yield the lines of Markdown: groups, means with intervals, and paired tests."""
    means = list(tables_of_means(results.ratios()))
    for title, heads, rows in (*tables_by_group(results), *means):
        yield from ("", f"## {title}", "", *markdown_table(heads, rows))
    yield from ("", TOLD) if means else ()


def latex_of(results: StudyResults) -> str:
    """Return the same for LaTeX, with booktabs, after the table of algorithms."""
    ratios = results.ratios()
    means = list(tables_of_means(ratios))
    told = (Told("Algorithms", *ratios.brief), *tables_by_group(results), *means)
    found = [
        "\n".join((f"% {title}", *latex_table(heads, rows)))
        for title, heads, rows in told
        if rows
    ]
    return "\n\n".join([*found, *([f"% {TOLD}"] if means else ())]) + "\n"


TOLD: Final = (
    "From, to: 95 % intervals of Student's t for the means of instances, which count "
    "once; p-values: sign test and Wilcoxon's test, two-sided, adjusted by Holm."
)
"""What the columns of intervals and tests are."""
