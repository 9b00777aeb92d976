"""Rows with the centres of their clusters, as a page to be filed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from atleastk.doors.anonymizing.report.page import (
    GUESS,
    counted_again,
    filed_page,
    histogram,
    of_one_table,
    passing_unchanged,
    risks,
)
from atleastk.doors.anonymizing.report.use import Use, use_of
from atleastk.frames.frame import Selection, codes_of
from atleastk.instances.files.csv_rows import line_of
from atleastk.models.tables.anonymity import Anonymity, strict
from atleastk.plots.html_page import Filing, warnings

if TYPE_CHECKING:
    from atleastk.doors.clustering.cluster import Clustered


def page_of(made: Clustered, filing: Filing) -> str:
    """Return the page on rows that were published with the centres of their clusters.

    Raises InvalidInstanceError if rows are left out, which have no centre.
    """
    rows = made.in_rows()
    before = Selection.of(made.source, made.where.names)
    names = ", ".join(line_of([name]) for name in before.texts)
    asked = [("least rows", str(made.least)), ("columns", names)]
    title = f"{'Means' if made.is_of_means else 'Clusters'} of {filing.table}"
    summary, risk, use = ["<p>No table was published.</p>"], list[str](), list[str]()
    if rows is not None:
        columns = tuple(rows.column(name) for name in before.names)
        found = strict(codes_of(columns))
        summary = [*_summary(made, found, before)]
        risk = [
            *risks(GUESS, (strict(codes_of(before.columns)).risk, found.risk)),
            *of_one_table(),
            *histogram(Counter(found.classes.tolist())),
        ]
        use = [*use_of(Use.of(before, columns), {}, before.frame.n)]
    return filed_page(
        title,
        filing,
        made.result,
        asked=[*asked, ("minimised", made.measured)],
        done=made.report(),
        summary=summary,
        risk=risk,
        use=use,
    )


def _summary(made: Clustered, found: Anonymity, before: Selection) -> Iterator[str]:
    if made.losses is not None:
        yield from warnings(made.losses.singling_out.warnings)
    yield from passing_unchanged(tuple(map(str, before.others)))
    yield counted_again(found.k or 1)
    if made.losses is not None and made.losses.information is not None:
        yield (
            f"<p><strong>{made.losses.information:.2%}</strong> of the spread of the "
            "columns is lost: the squares of the distances to the means, of those to "
            "the means of whole columns.</p>"
        )
    if made.gap is not None:
        yield (
            f"<p>The gap of what was minimised is {made.gap:.2%}. The search, further "
            "down, tells of what was solved, whose lengths are whole numbers.</p>"
        )
