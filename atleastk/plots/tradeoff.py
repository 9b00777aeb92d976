"""Cost and bound over k: a picture, and a page to be filed that draws it by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from html import escape
from typing import Final

from atleastk.instances.fields.html_table import escaped, table
from atleastk.models.results.status import Status
from atleastk.models.results.tradeoff import Case, ColumnPrice, Kept, TradeoffPoint
from atleastk.models.wording import Warned, counted
from atleastk.packages import Axes
from atleastk.plots.costs import CostPoint, draw_costs
from atleastk.plots.drawing import INK, titled
from atleastk.plots.html_page import (
    Filing,
    again,
    definitions,
    digests,
    framed,
    warnings,
)
from atleastk.plots.hues import HUES

_WIDTH: Final = 360
_HEIGHT: Final = 210
_LEFT: Final = 58
_BOTTOM: Final = 180
_TOP: Final = 12
"""The curve on the page, in units of which a telephone has about as many."""

_MOST_TICKS: Final = 6
"""The most k that are written below the curve, about."""

_DASHES: Final = ("", "6 3", "2 3", "8 3 2 3", "1 2")
"""How lines of different allowances are drawn."""

_MOST_ROWS: Final = 10_000
"""The most points that are listed on a page."""

Curves = Mapping[str, Sequence[TradeoffPoint]]
"""The points of every rule and allowance, by what they are called."""

Value = Callable[[TradeoffPoint], float | None]


def curves_of(points: Sequence[TradeoffPoint]) -> Curves:
    """Return the points of every curve, in their order."""
    found: dict[str, list[TradeoffPoint]] = {}
    for one in points:
        off = one.case.allowed
        rows = "" if off is None else f"at most {counted(off, 'row')} off"
        name = ", ".join(filter(None, (one.case.rule, rows)))
        found.setdefault(name, []).append(one)
    return found


def draw_tradeoff(points: Sequence[TradeoffPoint], ax: Axes | None = None) -> Axes:
    """Draw cost and bound over k, the gap shaded; of several curves a line each."""
    curves = curves_of(points)
    if len(curves) == 1:
        drawn = [CostPoint(one.k, one.cost, one.bound) for one in points]
        return draw_costs(
            drawn, 0, ax, title="Cost against k", costs="cost", unit="cost"
        )
    share = _in_shares(points)
    ax = titled(ax, "Cost against k")
    for at, (name, each) in enumerate(curves.items()):
        for of, style in (("cost", "-"), ("bound", ":")):
            ys = [_level(one, of, share) for one in each]
            ax.plot(
                [one.k for one in each],
                [float("nan") if y is None else y for y in ys],
                style,
                color=HUES[at % len(HUES)],
                label=name if style == "-" else None,
            )
    ks = sorted({one.k for one in points})
    ax.set_xticks(ks[:: -(-len(ks) // (3 * _MOST_TICKS))])
    ax.set_xlabel("k", color=INK)
    ax.set_ylabel("share of the greatest cost" if share else "cost", color=INK)
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def tradeoff_page(
    points: Sequence[TradeoffPoint],
    prices: Sequence[ColumnPrice],
    seconds: float,
    filing: Filing,
    *,
    asked: Iterable[tuple[str, str]] = (),
    unit: str = "",
    warned: Iterable[Warned] = (),
) -> str:
    """Return the page on the trade-off of what is filed; of a table with its unit."""
    versions = points[0].result.versions
    of_table = any(one.kept is not None for one in points)
    sections = {
        "Summary": [*warnings(warned), *_summary(points, seconds, unit)],
        "Files": digests(filing.files),
        "What was asked": [*definitions(asked), *again(filing.words, versions)],
        "Cost against k": _cost_curves(points),
        "Risk": _risk_curves(points) if of_table else (),
        "Figures": table("", *_filled(points), most=_MOST_ROWS),
        "What a column costs": _priced(prices, unit) if prices else (),
        "How to read it": _reading(points),
    }
    title = f"What a k costs: {filing.table}"
    return framed(title, datetime.now(UTC), sections, explained=of_table)


def _summary(
    points: Sequence[TradeoffPoint], seconds: float, unit: str
) -> Iterator[str]:
    optimal = sum(one.result.status is Status.OPTIMAL for one in points)
    gaps = [one.gap for one in points if one.gap is not None]
    searched = sum(one.seconds > 0 for one in points)
    ks = sorted({one.k for one in points})
    curves = len(curves_of(points))
    each = f" on {curves} curves" * (curves > 1)
    yield (
        f"<p>{counted(len(ks), 'value')} of k from {ks[0]} to {ks[-1]}{each}: "
        f"<strong>{optimal}</strong> proved optimal, {searched} searched, in "
        f"{seconds:.1f} s.</p>"
    )
    if unit:
        found = {one.most for one in points}
        (most,) = found if len(found) == 1 else (None,)
        left = "" if most is None else f" It is {most} if nothing of the table is left."
        yield f"<p>The cost counts: {escaped(unit)}.{left}</p>"
    if gaps:
        yield f"<p>The greatest gap between cost and bound is {max(gaps):.2%}.</p>"
    none = sum(one.result.status is Status.INFEASIBLE for one in points)
    if none:
        yield f"<p>For {none} of them there is no solution.</p>"


def _in_shares(points: Sequence[TradeoffPoint]) -> bool:
    """Tell whether costs are drawn as shares, since those of rules have other units."""
    return all(one.most for one in points)


def _level(one: TradeoffPoint, name: str, share: bool) -> float | None:
    """Return the cost or bound of a point, as a share if so drawn."""
    level: float | None = getattr(one, name)
    return level / (one.most or 1) if share and level is not None else level


def _cost_curves(points: Sequence[TradeoffPoint]) -> Iterator[str]:
    """Draw costs and bounds as lines, the gap between them shaded."""
    if all(one.cost is None for one in points):
        return
    share, ks = _in_shares(points), sorted({one.k for one in points})
    unit = ", as a share of that of a table that says nothing," if share else ""
    what = f"Cost{unit} and proved bound (dotted) for k = {ks[0]} to {ks[-1]}"
    levels = [partial(_level, name=name, share=share) for name in ("cost", "bound")]
    yield from _drawn(points, levels, what, share)


def _risk_curves(points: Sequence[TradeoffPoint]) -> Iterator[str]:
    yield from _drawn(
        points,
        (lambda one: None if one.kept is None else one.kept.mean_risk, lambda _: None),
        "With which probability a guess about a person is right, on average",
        True,
    )


def _drawn(
    points: Sequence[TradeoffPoint], values: Sequence[Value], what: str, share: bool
) -> Iterator[str]:
    """Draw a solid and a dotted line over k for every curve."""
    curves, (solid, dotted) = curves_of(points), values
    levels = [y for one in points for of in values if (y := of(one)) is not None]
    low, high = min(0, *levels), max(*levels, *([] if share else [1]), 1e-9)
    ks = sorted({one.k for one in points})

    def place(k: int, level: float) -> tuple[float, float]:
        across = (k - ks[0]) / max(1, ks[-1] - ks[0])
        x = _LEFT + across * (_WIDTH - _LEFT - 12)
        return x, _BOTTOM - (level - low) / (high - low) * (_BOTTOM - _TOP)

    rules = list(dict.fromkeys(one.case.rule for one in points))
    allowances = list(dict.fromkeys(one.case.allowed for one in points))
    drawn, legend = [], []
    for name, each in curves.items():
        colour = HUES[rules.index(each[0].case.rule) % len(HUES)]
        dash = _DASHES[allowances.index(each[0].case.allowed) % len(_DASHES)]
        known = [(one, y) for one in each if (y := solid(one)) is not None]
        around = [place(one.k, y) for one, y in known]
        for one, y in reversed(known):
            z = dotted(one)
            around.append(place(one.k, y if z is None else z))
        if around:
            shape = f'd="{_path(around)}Z" fill="{colour}" fill-opacity="0.2"'
            drawn.append(f"<path {shape}/>")
        for of, dashes in ((dotted, "1 3"), (solid, dash)):
            at = [place(one.k, y) for one in each if (y := of(one)) is not None]
            if at:
                style = f'stroke="{colour}" stroke-dasharray="{dashes}"'
                drawn.append(f'<path d="{_path(at)}" fill="none" {style}/>')
                drawn += [
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.5" fill="{colour}"/>'
                    for x, y in at
                ]
        if name:
            legend.append(
                f'<svg class="plate" viewBox="0 0 24 8" width="24" '
                'style="display:inline;width:24px">'
                f'<path d="M0 4H24" stroke="{colour}" stroke-width="2" '
                f'stroke-dasharray="{dash}"/></svg> {escaped(name)}'
            )
    axes = "".join(_axes(ks, low, high, share))
    yield (
        f'<figure><svg class="plate" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(what)}">{"".join(drawn)}{axes}</svg>'
        f'<figcaption class="soft">{escape(what)}. {"; ".join(legend)}</figcaption>'
        "</figure>"
    )


def _path(places: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _axes(ks: Sequence[int], low: float, high: float, share: bool) -> Iterator[str]:
    right = _WIDTH - 12
    yield (
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{right}" fill="none" '
        'stroke="var(--soft)"/>'
    )
    for level, y in ((low, _BOTTOM), (high, _TOP + 4)):
        label = f"{level:.1%}" if share else f"{level:.15g}"
        yield f'<text x="{_LEFT - 4}" y="{y}" text-anchor="end">{label}</text>'
    step = max(1, -(-(len(ks) - 1) // (_MOST_TICKS - 1)))
    for k in dict.fromkeys((*ks[:-1:step], ks[-1])):
        across = (k - ks[0]) / max(1, ks[-1] - ks[0])
        x = _LEFT + across * (right - _LEFT)
        at = f'x="{x:.1f}" y="{_BOTTOM + 16}" text-anchor="middle"'
        yield f"<text {at}>{k}</text>"


Table = tuple[tuple[str, ...], list[tuple[object, ...]]]
"""Headings and rows."""


def _table(rows: Sequence[Mapping[str, object]]) -> Table:
    return tuple(rows[0]), [tuple(row.values()) for row in rows]


def _asked(cases: Iterable[Case]) -> dict[str, str]:
    """Return what is a question beside k, and the headings of that."""
    cases, heads = list(cases), {"rule": "rule", "allowed": "allowed>"}
    return {
        name: head
        for name, head in heads.items()
        if any(getattr(one, name) is not None for one in cases)
    }


def _cells(case: Case, asked: Mapping[str, str]) -> dict[str, object]:
    cells = {head: getattr(case, name) for name, head in asked.items()}
    return {**cells, "k>": case.k}


def figures(points: Sequence[TradeoffPoint]) -> Table:
    """Return the table of the figures of these points."""
    return _table(_figures(points))


def _figures(points: Sequence[TradeoffPoint]) -> list[dict[str, object]]:
    asked = _asked(one.case for one in points)
    kept = any(one.kept is not None for one in points)
    return [
        {
            **_cells(one.case, asked),
            "status": one.result.status.lower(),
            "cost>": "-" if one.cost is None else one.cost,
            "at least>": "-" if one.bound is None else one.bound,
            "gap>": "-" if one.gap is None else f"{one.gap:.2%}",
            **(dict(zip(_KEPT, _kept(one), strict=True)) if kept else {}),
            "from": one.handed_on,
            "s>": f"{one.seconds:.2f}" if one.seconds else "-",
        }
        for one in points
    ]


_KEPT: Final = ("lost>", "rows off>", "mean risk>", "greatest>", "levels")
"""The headings of what a table keeps."""


def _kept(one: TradeoffPoint) -> tuple[object, ...]:
    if one.kept is None:
        return ("-",) * len(_KEPT)
    kept = one.kept
    return (
        f"{kept.lost:.2%}",
        kept.suppressed_rows,
        f"{kept.mean_risk:.2%}",
        f"{kept.highest_risk:.2%}",
        ", ".join(levels_in_words(kept)),
    )


def levels_in_words(kept: Kept) -> Iterator[str]:
    """Yield every column with its level of how many, or the share suppressed."""
    for name, level in kept.levels.items():
        top = kept.heights.get(name)
        shown = f"{level:.2%} suppressed" if top is None else f"{level:.3g} of {top}"
        nothing = " (nothing left)" if name in kept.emptied else ""
        yield f"{name} {shown}{nothing}"


def price_figures(prices: Sequence[ColumnPrice]) -> Table:
    """Return the table of prices: k, the column, and what it costs."""
    asked = _asked(one.case for one in prices)
    return _table(
        [
            {
                **_cells(one.case, asked),
                "without": one.column,
                "cost falls by>": _range(one),
                "of the greatest>": "-" if one.share is None else f"{one.share:.2%}",
            }
            for one in prices
        ]
    )


def _range(price: ColumnPrice) -> str:
    if price.least is None or price.most is None:
        return "-"
    if price.least == price.most:
        return f"{price.most:.15g}"
    return f"{price.least:.15g} to {price.most:.15g}"


def _priced(prices: Sequence[ColumnPrice], unit: str) -> Iterator[str]:
    yield from table(
        "What the cost falls by if a column is left out, and published no more: in "
        f"what the cost counts ({unit}), and as a share of the cost of a table that "
        "says nothing.",
        *price_figures(prices),
    )


def _filled(points: Sequence[TradeoffPoint]) -> Table:
    """Return the table of the page; lines are broken between levels, not in them."""
    rows = _figures(points)
    for row, one in zip(rows, points, strict=True):
        for name in {"levels", "from"} & row.keys():
            row[name] = str(row[name]).replace(" ", "\xa0").replace(",\xa0", ", ")
        groups = one.result.number_of_groups
        row["groups>"] = "-" if groups is None else groups
    return _table(rows)


def _reading(points: Sequence[TradeoffPoint]) -> Iterator[str]:
    yield (
        "<p>The cost is that of the best solution found, recomputed for this k; no "
        "solution costs less than the bound. Groups of k + 1 are groups of k, so the "
        "best cost does not fall as k rises: a solution for a greater k, and a bound "
        "for a smaller one, are taken over where they are better.</p>"
    )
    if any(one.case.allowed is not None for one in points):
        yield (
            "<p>What is published with fewer rows suppressed may be published where "
            "more are allowed, so the best cost does not rise with the allowance: "
            "solutions and bounds are taken over likewise.</p>"
        )
    if any(one.kept is not None for one in points):
        yield (
            "<p>Lost is the precision that goes (1 less the mean of what cells keep of "
            "their hierarchies, but for rows that are off: suppressed altogether), or "
            "the share of suppressed cells, or of the spread where there are means. "
            "The level of a column is told with its highest one, at which nothing is "
            "left of it, or the share of its cells that are suppressed. "
            "Risk is the probability that a guess about a person is right: on average "
            "over the rows, and the greatest. All of it was counted in the table that "
            "would be published; of tables that cost the same another one may have "
            "other figures.</p>"
        )
    instance = points[0].result.instance
    if instance is not None and not instance.nested:
        yield (
            "<p>Here the cost itself depends on k, so bounds of other k are not "
            "used.</p>"
        )
    yield (
        f"<p>SHA-256 of the instance for {escaped(str(points[0].case))}: "
        f"<code>{escape(points[0].result.instance_sha256)}</code></p>"
    )
