"""The report of a study: one self-contained HTML page.

Ratios and their distributions, how quickly exact methods close, the worst instances
drawn, faults, and why to believe the optima.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from html import escape
from itertools import islice
from typing import Final

from atleastk.instances.fields.html_table import table
from atleastk.packages import Axes
from atleastk.plots.html_page import definitions, drawn, figure, framed
from atleastk.plots.studies import draw_curves, draw_gaps, draw_profile, draw_ratios
from atleastk.research.studies.curves import panels_of
from atleastk.research.studies.groups import TOLD, tables_by_group, tables_of_means
from atleastk.research.studies.profiles import gaps_over_time, time_factors
from atleastk.research.studies.ratios import Ratios, Tally, amount, shown
from atleastk.research.studies.results import Row, StudyResults
from atleastk.research.studies.run import ALGORITHM, METHOD
from atleastk.research.studies.store import DONE
from atleastk.runs.api import plot

NAMES: Final = ("ratios", "times", "gaps", "curves")
"""The names of the pictures of a study: times with several methods only, curves only
of a study with `against`."""

_DRAWN: Final = 6
"""Worst instances that are drawn, each twice: not tuned."""

_PROFILES: Final = 8
"""Groups whose performance profiles are drawn: not tuned."""

_LISTED: Final = 20_000
"""Characters of an instance that the page holds as JSON; longer ones are named."""


def page_of(
    results: StudyResults,
    ratios: Ratios,
    pictures: Mapping[str, Axes],
    title: str,
    made: datetime,
) -> str:
    """Return the page.

    It shows `made`, the time when it was made.
    """
    sections = {
        "Summary": _summary(results, ratios),
        "Algorithms": _algorithms(ratios, pictures),
        "Curves": _curves(results, pictures),
        "What is wrong": _faults(ratios),
        "Exact methods": _methods(results, pictures),
        "Groups": _groups(results),
        "Means and paired tests": _comparisons(ratios),
        "Worst instances": _worst(results, ratios),
        "Versions": definitions(results.versions.items()),
    }
    return framed(title, made, sections)


def pictures_of(results: StudyResults, ratios: Ratios) -> Mapping[str, Axes]:
    """Return the pictures of a study by their names."""
    factors = time_factors(results)
    instances = ratios.instances
    pictures = {"ratios": draw_ratios(ratios.distribution, of=ratios.measured)}
    if len(factors) > 1:
        pictures["times"] = draw_profile(factors, instances)
    if results.against:
        pictures["curves"] = draw_curves(panels_of(results), results.against)
    return pictures | {"gaps": draw_gaps(gaps_over_time(results))}


def _summary(results: StudyResults, ratios: Ratios) -> Iterator[str]:
    yield f"<p>{escape(results.problem)}: {escape(ratios.told)}.</p>"
    if results.told_targets:
        yield f"<p>{escape(results.told_targets)}.</p>"
    yield f'<p class="soft">{escape(results.told)}.</p>'


def _algorithms(ratios: Ratios, pictures: Mapping[str, Axes]) -> Iterator[str]:
    if not ratios.tallies:
        return
    yield (
        f"<p>Ratios are {ratios.measured} / optimum, in the unit of the promise. "
        "Of promise: the greatest cost / promised cost, 1 if it is attained. A click "
        "on the head of a column sorts; columns of noughts are left out.</p>"
    )
    yield from table("", *ratios.brief, sorts=True)
    yield figure(pictures["ratios"], "Share of the instances within a ratio")


def _groups(results: StudyResults) -> Iterator[str]:
    """Show algorithms by groups, and the profiles of exact methods of a few of them."""
    if not results.by:
        return
    for title, heads, rows in tables_by_group(results):
        yield f"<p>{escape(title)}.</p>"
        yield from table("", heads, rows, sorts=True)
    parts = results.groups().items()
    for group, part in islice(parts, _PROFILES):
        factors = time_factors(part)
        if len(factors) > 1:
            profile = draw_profile(factors, part.ratios().instances)
            named = zip(results.by, group, strict=True)
            told = ", ".join(f"{name} {value}" for name, value in named)
            yield figure(profile, f"Performance profile of {told}")


def _comparisons(ratios: Ratios) -> Iterator[str]:
    """Show how sure means are, and paired tests."""
    means = list(tables_of_means(ratios))
    if means:
        yield f"<p>{escape(TOLD)}</p>"
    for title, heads, rows in means:
        yield f"<h3>{escape(title)}</h3>"
        yield from table("", heads, rows, sorts=True)


def _curves(results: StudyResults, pictures: Mapping[str, Axes]) -> Iterator[str]:
    if "curves" in pictures:
        caption = f"Cost, cost / bound and CPU seconds against {results.against}"
        yield figure(pictures["curves"], caption)


def _faults(ratios: Ratios) -> Iterator[str]:
    items = "".join(f"<li>{escape(line)}</li>" for line in ratios.told_faults)
    if items:
        yield f"<ul>{items}</ul>"


def _methods(results: StudyResults, pictures: Mapping[str, Axes]) -> Iterator[str]:
    ended = [r for r in results.rows if (r["kind"], r["state"]) == (METHOD, DONE)]
    rows = []
    for name in dict.fromkeys(row["name"] for row in ended):
        runs = [row for row in ended if row["name"] == name]
        counts = Counter(run["status"] for run in runs)
        trusts = Counter(run["trust"] for run in runs if run["trust"])
        seconds = sorted(run["seconds"] for run in runs)
        states = ", ".join(f"{n} {status.lower()}" for status, n in counts.items())
        trusted = ", ".join(f"{n} {trust}" for trust, n in trusts.items())
        times = (f"{each:.3f}" for each in (seconds[len(seconds) // 2], seconds[-1]))
        rows.append((name, len(runs), states, trusted, *times))
    yield (
        "<p>Why to believe the optima: certified ones are proved without any solver, "
        "agreed ones by two of different kinds, proved ones by one.</p>"
    )
    heads = ("method", "runs>", "status", "trust", "median s>", "most s>")
    yield from table("", heads, rows, sorts=True)
    for name, caption in (("times", "Performance profile"), ("gaps", "Gaps over time")):
        if name in pictures:
            yield figure(pictures[name], caption)


def _worst(results: StudyResults, ratios: Ratios) -> Iterator[str]:
    """Draw the worst instances, each with an algorithm's and with a best solution."""
    found: dict[str, list[Tally]] = {}
    for tally in sorted(ratios, key=lambda tally: -_ratio(tally)):
        if tally.top is not None:
            found.setdefault(tally.worst.instance.sha256, []).append(tally)
    for sha256, (tally, *others) in islice(found.items(), _DRAWN):
        _, instance, cost, optimum = tally.worst
        yield f"<h3>{escape(tally.name)}: {_ratio(tally):.4f}</h3>"
        text = f"Cost {amount(instance, cost)}, optimum {amount(instance, optimum)}"
        yield f"<p>{escape(text)}: {escape(shown(instance))}</p>"
        if tally.guarantee and (reason := tally.guarantee.outside(instance)):
            yield f"<p>{escape(reason)}.</p>"
        if others:
            text = ", ".join(f"{each.name} ({_ratio(each):.4f})" for each in others)
            yield f'<p class="soft">The worst one, too, of {escape(text)}.</p>'
        runs = [r for r in results.rows if r["instance"] == sha256]
        chosen = [r for r in runs if (r["kind"], r["name"]) == (ALGORITHM, tally.name)]
        chosen = [r for r in chosen if r["cost"] == cost][:1]
        exact = [r for r in runs if r["kind"] == METHOD and r["cost"] is not None]
        chosen += sorted(exact, key=lambda row: row["cost"])[:1]
        yield '<div class="pair">'
        for row in chosen:
            yield from _solution(results, row)
        yield "</div>"
        document = json.dumps(instance.to_dict())
        if len(document) <= _LISTED:
            yield (
                "<details><summary>the instance as JSON</summary>"
                f'<div class="wide"><pre>{escape(document)}</pre></div></details>'
            )


def _solution(results: StudyResults, row: Row) -> Iterator[str]:
    instance = results.instance(row["instance"])
    result = results.result(row)
    cost = f"cost {amount(instance, row['cost'])}"
    yield drawn(row["name"], lambda: plot(instance, result), cost)


def _ratio(tally: Tally) -> float:
    return 0.0 if tally.top is None else tally.top.ratio
