"""The report as a page to be filed: one HTML file that needs nothing else.

The request, the result and its bound; risk and use, before and after; pictures,
versions, and how to re-check it. Everything that stems from the table is escaped, and
nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from html import escape
from shlex import join
from typing import Any, Final

from atleastk.doors.anonymizing.hierarchies import Sourced
from atleastk.doors.anonymizing.report.report import Report
from atleastk.doors.anonymizing.report.risk import persons_in_words
from atleastk.doors.anonymizing.report.thresholds import shown
from atleastk.doors.anonymizing.report.use import use_of
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Task
from atleastk.frames.frame import Name
from atleastk.instances.fields.errors import quoted
from atleastk.instances.fields.html_table import table as html_table
from atleastk.instances.fields.visible import visible_lines
from atleastk.instances.files.csv_rows import line_of
from atleastk.instances.generalization import Generalization
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import UNITS
from atleastk.models.results.result import Event, Result
from atleastk.models.tables.risk import Risk
from atleastk.models.tables.sample_risk import SampleRisk
from atleastk.models.wording import counted
from atleastk.plots.html_page import (
    Filing,
    again,
    definitions,
    digests,
    framed,
    warnings,
)

_MOST_BARS: Final = 40
"""Bars of a histogram; more are drawn as bars of several sizes each."""


GUESS: Final = (
    "A guess about a person who is known to be in the table is right with this "
    "probability, if one of the rows is guessed that look equal."
)
"""What is said of the risk of a table."""

_COUNTED: Final = {
    "height": "the sum of the levels, of every {of}",
    "precision": "the sum of the levels of every {of}, each as a share of the highest "
    "one, in whole numbers",
    "discernibility": "for every row the number of rows that look like it, summed up",
    "average-class-size": "the number of rows less that of classes",
}
"""What costs count, by the loss."""


def page_of(
    report: Report,
    request: Request,
    instance: Task,
    result: Result,
    columns: Sequence[str],
    filing: Filing,
) -> str:
    """Return the page; `columns` are the names of those that were anonymised."""
    unit, most = unit_of(instance, request), most_of(instance)
    left, hidden = f"{most} if nothing were left", report.by_column
    return filed_page(
        f"Anonymisation of {filing.table}",
        filing,
        result,
        asked=asked_of(str(report.k), columns, request),
        done=str(report),
        summary=_summary(report),
        risk=_risk(report),
        use=() if report.use is None else use_of(report.use, hidden, report.rows),
        recheck=_recheck(report.k, columns, request, result),
        unit=unit if most is None or _weighs(instance) else f"{unit}; {left}",
    )


def filed_page(
    title: str,
    filing: Filing,
    result: Result,
    *,
    asked: Iterable[tuple[str, str]],
    done: str,
    summary: Iterable[str],
    risk: Iterable[str] = (),
    use: Iterable[str] = (),
    recheck: Iterable[str] = (),
    unit: str = "",
) -> str:
    """Return a page to be filed of a table that was published; see `page_of`.

    `asked` has every wish, and its value in words; `done` is the report, and `unit`
    what the cost counts.
    """
    sections = {
        "Summary": summary,
        "Files": digests(filing.files),
        "What was asked": [*definitions(asked), *again(filing.words, result.versions)],
        "What was done": [f"<pre>{escape(visible_lines(done))}</pre>"],
        "Risk": risk,
        "Use": use,
        "Search": searched(result, unit),
        "How to re-check": recheck,
    }
    return framed(title, datetime.now(UTC), sections, explained=True)


def _summary(report: Report) -> Iterator[str]:
    if report.attained is None:
        yield f"<p>No table was published: {escape(report.status.lower())}.</p>"
        return
    general, sensitive = report.generality, report.sensitive
    yield from warnings(report.warned)
    yield from passing_unchanged(report.untouched_columns)
    yield counted_again(report.attained, ambiguous=report.ambiguous)
    if report.suppressed is not None:
        yield (
            f"<p><strong>{report.suppressed}</strong> of {report.cells} cells are "
            f"suppressed, {report.share:.2%}.</p>"
        )
    if general is not None and general.suppress_rows:
        gone, rows = general.suppressed_rows, max(1, general.rows)
        how = "suppressed" if general.on == "attributes" else "dropped"
        yield (
            f"<p><strong>{gone}</strong> of {general.rows} rows are {how} altogether, "
            f"{gone / rows:.2%}; at most {general.suppress_rows} were allowed.</p>"
        )
    if sensitive is not None and sensitive.asked:
        yield (
            "<p>In every class of equal rows sensitive values keep "
            f"<strong>{escape(sensitive.asked)}</strong>, counted again in the "
            "published table.</p>"
        )
    if report.gap is not None:
        proved = "No table within what was asked costs less"
        if report.gap:
            proved = f"No table saves more than {report.gap:.2%} of this cost"
        if report.weighting is not None:
            proved += f", {report.weighting.cost:.15g} by weights"
        yield f"<p>{proved} ({report.trust}).</p>"


def counted_again(k: int, *, ambiguous: bool = False) -> str:
    """Return how many others every row is like."""
    others, looks, how = max(0, k - 1), "equals", ""
    if ambiguous:
        looks, how = "matches", " by matching"
    return (
        f"<p>Every row {looks} at least <strong>{others}</strong> other"
        f"{'' if others == 1 else 's'} (k = {k}{how}, counted again in the published "
        "table).</p>"
    )


def passing_unchanged(columns: Sequence[str]) -> Iterator[str]:
    """Yield the warning of columns that are published as they were."""
    if columns:
        names = ", ".join(map(quoted, columns))
        yield (
            f'<p class="warning">Published unchanged: {escape(names)}. k says nothing '
            "of these columns: whoever knows what a person has in them may find the "
            "row. Leave out what is not needed (--drop).</p>"
        )


def of_one_table() -> Iterator[str]:
    """Yield what is to be said of repeated releases."""
    yield (
        "<p>All this is of one table. Another release of the same persons - this one "
        "with another k, next year's, or one of somebody else - may be put beside it, "
        "and the two together may single out whom neither does: publish one, or count "
        "them as one table.</p>"
    )


def sources_of(hierarchies: Mapping[Name, Sourced]) -> dict[Name, str]:
    """Return where the hierarchy of every column comes from."""
    return {name: one.source for name, one in hierarchies.items()}


_TOLD: Final[Mapping[str, Callable[[Any], object]]] = {
    "column_order": lambda classes: " > ".join(map(in_words, classes)),
    "hierarchies": sources_of,
    "levels": lambda given: _pairs_as("{} to {}", given),
    "recode": lambda given: _pairs_as("{} at level {}", given),
}
"""What is told of wishes that are no plain texts, numbers or names."""


def _pairs_as(form: str, given: Mapping[Name, object]) -> dict[Name, str]:
    return {
        name: form.format(*of) if isinstance(of, tuple) else str(of)
        for name, of in given.items()
    }


def asked_of(
    k: str, columns: Sequence[str], request: Request
) -> Iterator[tuple[str, str]]:
    """Yield every wish that was given, in words."""
    yield "k", k
    yield "columns", ", ".join(line_of([name]) for name in columns)
    for wish in fields(request):
        value = getattr(request, wish.name)
        if wish.name in ("k", "columns") or value is None or value is False:
            continue
        if (told := _TOLD.get(wish.name)) is not None:
            value = told(value)
        yield wish.name.replace("_", " "), in_words(value)


def in_words(value: object) -> str:
    """Return the value of a wish in words."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return "yes" if value is True else str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {in_words(each)}" for key, each in value.items())
    return ", ".join(map(in_words, value))


def _risk(report: Report) -> Iterator[str]:
    risk = report.risk
    if risk is None:
        return
    yield from risks(
        f"{GUESS[:-1]}; the table itself is taken for the population.",
        (risk.before, risk.after),
    )
    if risk.matching is not None:
        yield from risks(
            "As if rows that match were equal; whoever looks for equal rows finds "
            "persons with the probability above, whatever matches.",
            (risk.before, risk.matching),
            "rows that match no other",
        )
    if risk.weighed is not None:
        yield from risks(
            "The same of somebody in the population that the rows stand for, as their "
            "weights say; rows that no other person is like are estimated.",
            risk.weighed,
        )
    if risk.sampled is not None:
        yield from _samples(*risk.sampled)
    if risk.mapped is not None and risk.least is not None:
        yield from risks(
            f"The same of one of the {risk.persons} persons of the population: a row "
            "may be everyone who has its labels (k-map), found in another row or not.",
            risk.mapped,
            more=[("persons whom a row may be, at least", *risk.least)],
        )
    if report.thresholds is not None:
        yield from html_table(
            "What was asked of the risk, counted again in the published table.",
            ("", "before>", "after>"),
            [
                (one.words, shown(one.before or 0), shown(one.after or 0))
                for one in report.thresholds.each
            ],
        )
    yield from of_one_table()
    yield from histogram(risk.sizes)
    if report.sensitive is not None:
        before, after = report.sensitive.before, report.sensitive.after
        pairs = {
            n: zip(before[n].measures, after[n].measures, strict=True) for n in after
        }
        asked = f": {report.sensitive.asked}" if report.sensitive.asked else ""
        yield from html_table(
            "Sensitive values in classes of equal rows: a class of one value tells it "
            f"of everybody in it{asked}. The distance is 0 if every class has the "
            "values of the whole table, as often: the nearer to 1, the more a class "
            "tells of whoever is in it.",
            ("column", "before", "after"),
            [(name, then, now) for name in after for then, now in pairs[name]],
        )
    if risk.singling_out.by_column:
        classes, rows = risk.classes, risk.singling_out.rows
        yield from html_table(
            "Columns that were not anonymised. Classes whose rows share one value of "
            "it: that is learnt of everybody in them. Rows singled out by a value that "
            "no other row has: whoever knows the value finds the row.",
            ("column", "classes>", "of all>", "rows singled out>", "of all>"),
            [
                (n, *_share(risk.shared.get(n), classes), *_share(alone, rows))
                for n, alone in risk.singling_out.by_column.items()
            ],
        )


def _samples(before: SampleRisk, after: SampleRisk) -> Iterator[str]:
    percent = "{:.2%}".format
    yield from html_table(
        "If the table is a sample of the population, as large as the weights say: what "
        "models say. These are estimates, and as good as what they assume. "
        "Benedetti and Franconi: the persons of a class came to the table one by one, "
        "each with the chance that the weights of its rows give. Pitman: classes were "
        "drawn by his sampling formula, whose parameters fit the numbers of classes "
        "and of rows like no other. SNB: every class of the population has one person "
        "more than a negative binomial number, and all came to the table with the same "
        "chance.",
        ("model", "before>", "after>"),
        [
            (words, *(told(getattr(one, name)) for one in (before, after)))
            for words, name, told in (
                ("risk of a row, at most (Benedetti-Franconi)", "highest", percent),
                ("risk of a row, on average", "mean", percent),
                ("persons like no other (Pitman)", "pitman", persons_in_words),
                ("persons like no other (SNB)", "snb", persons_in_words),
            )
        ],
    )


def _share(count: int | None, whole: int) -> tuple[object, str]:
    """Return cells of a table: a number, and its share of all."""
    if count is None:
        return "", ""
    return count, f"{count / whole:.2%}" if whole else ""


def risks(
    caption: str,
    found: Sequence[Risk],
    unique: str = "rows like no other",
    more: Sequence[Sequence[object]] = (),
) -> Iterator[str]:
    """Yield a table of a risk before and after, or of a single one as it is now."""
    alone = [f"{one.unique:.1f}".removesuffix(".0") for one in found]
    yield from html_table(
        caption,
        ("", *(("before>", "after>") if found[1:] else ("now>",))),
        [
            ("highest (prosecutor's risk)", *(f"{x.highest:.2%}" for x in found)),
            ("mean over the rows (marketer's risk)", *(f"{x.mean:.2%}" for x in found)),
            (unique, *alone),
            *more,
        ],
    )


def unit_of(instance: Task, request: Request) -> str:
    """Return what a cost counts, in words."""
    unit = "suppressed cells"
    if isinstance(instance, Suppression):
        unit = UNITS.get(instance.minimise, instance.minimise)
    elif isinstance(instance, Generalization) and request.generalises:
        of = "column" if instance.on == "attributes" else "cell"
        unit = _COUNTED[instance.loss].format(of=of)
    return f"{unit}, by their weights" if _weighs(instance) else unit


def _weighs(instance: Task) -> bool:
    if not isinstance(instance, Generalization | Suppression):
        return False
    return not (instance.column_weights is None and instance.row_weights is None)


def most_of(instance: Task) -> int | None:
    """Return the cost of a table that says nothing any more; None if there is none."""
    n, m = instance.n, instance.m
    if isinstance(instance, Generalization):
        if instance.loss == "discernibility":
            return n * n
        if instance.loss == "average-class-size":
            return max(1, n - 1)
        entries = instance.on == "entries"
        times = instance.persons if entries else 1
        return instance.most_of_row * times
    if isinstance(instance, Suppression):
        most = {"entries": n * m, "rows": n, "columns": m, "per_row": m}
        return {**most, "per_column": n}.get(instance.minimise)
    return n * m


def searched(result: Result, unit: str = "") -> Iterator[str]:
    """Yield what the search found, and its progress; the cost counts the unit."""
    of = f": {unit}" * bool(unit)
    yield from definitions(
        [
            ("status", f"{result.status} ({result.trust})"),
            ("cost", f"{result.cost}{of}" if result.cost is not None else "none"),
            ("proved bound", str(result.bound)),
            ("seconds", f"{result.seconds:.2f}"),
            ("method, seed", f"{result.method}, {result.seed}"),
        ]
    )
    yield from _progress(result.events, result.seconds)


def _recheck(
    k: int, columns: Sequence[str], request: Request, result: Result
) -> Iterator[str]:
    command = f"atleastk anonymize FILE {join(_counting(k, columns, request))}"
    yield (
        "<p>How anonymous the published table is needs no trust in this program: count "
        "its equal rows. With this program, of a published file:</p>\n"
        f"<p><code>{escape(visible_lines(command))}</code></p>\n"
        "<p>Cost and proof are re-checked from the files that --instance and --result "
        "write:</p>\n<p><code>atleastk check INSTANCE RESULT</code></p>"
    )
    yield from definitions(
        [("instance, SHA-256", result.instance_sha256), *result.versions.items()]
    )


def _counting(k: int, columns: Sequence[str], request: Request) -> Iterator[str]:
    yield from ("--check", "-k", str(k), "--columns", line_of(columns))
    if request.ambiguous:
        yield from ("--wildcard", "--marker", request.marker)
    if request.sensitive_names:
        yield from ("--sensitive", line_of(map(str, request.sensitive_names)))
    if request.ordered:
        yield "--ordered"
    risk = ("household", "mean_risk", "small", "at_risk")
    for wish in ("l", "diversity", "c", "t", *risk):
        if (value := getattr(request, wish)) is not None:
            yield from (f"--{wish.replace('_', '-')}", str(value))


def histogram(sizes: Mapping[int, int]) -> Iterator[str]:
    """Draw how many classes have how many rows."""
    if not sizes:
        return
    low, high = min(sizes), max(sizes)
    width = -(-(high - low + 1) // _MOST_BARS)
    bars = [0] * -(-(high - low + 1) // width)
    for size, count in sizes.items():
        bars[(size - low) // width] += count
    most, step = max(bars), 600 / len(bars)
    drawn = "".join(
        f'<rect x="{i * step + 1:.1f}" y="{100 - 90 * bar / most:.1f}" '
        f'width="{max(1.0, step - 2):.1f}" height="{90 * bar / most:.1f}" '
        'fill="var(--bar)"/>'
        for i, bar in enumerate(bars)
        if bar
    )
    what = (
        f"Classes by their number of rows, from {low} on the left to {high} on the "
        f"right; the highest bar stands for {counted(most, 'class')}"
    )
    yield _figure(
        f'{drawn}<line x1="0" x2="600" y1="100" y2="100" stroke="var(--soft)"/>'
        f'<text x="0" y="115">{low}</text>'
        f'<text x="600" y="115" text-anchor="end">{high}</text>',
        120,
        what,
    )


def _figure(drawn: str, height: int, what: str) -> str:
    return (
        f'<figure style="margin:1rem 0"><svg viewBox="0 0 600 {height}" role="img" '
        f'aria-label="{what}">{drawn}</svg>'
        f'<figcaption class="soft">{what}.</figcaption></figure>'
    )


def _progress(events: Sequence[Event], seconds: float) -> Iterator[str]:
    costs = [(e.seconds, e.cost) for e in events if e.cost is not None]
    bounds = [(e.seconds, e.bound) for e in events if e.bound is not None]
    if len(costs) < 2 or seconds <= 0:
        return
    levels = [level for _, level in (*costs, *bounds)]
    low, high = min(levels), max(levels)

    def line(points: Sequence[tuple[float, int]], colour: str) -> str:
        steps: list[str] = []
        for i, (at, level) in enumerate(points):
            x = 600 * min(1.0, at / seconds)
            y = 100 - 90 * (level - low) / max(1, high - low)
            steps.append(f"H{x:.1f}V{y:.1f}" if i else f"M{x:.1f} {y:.1f}")
        path = "".join(steps)
        return f'<path d="{path}H600" fill="none" stroke="{colour}" stroke-width="2"/>'

    drawn = line(costs, "var(--bar)") + (line(bounds, "var(--bound)") if bounds else "")
    what = f"Cost (blue) and proved bound (orange), {low} to {high}, {seconds:.1f} s"
    yield _figure(drawn, 105, what)
