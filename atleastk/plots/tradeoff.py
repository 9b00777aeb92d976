"""Cost and bound over k: a picture, and a page to be filed that draws it by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final

from atleastk.instances.fields.html_table import table
from atleastk.models.results.status import Status
from atleastk.models.results.tradeoff import TradeoffPoint
from atleastk.models.wording import counted
from atleastk.packages import Axes
from atleastk.plots.costs import CostPoint, draw_costs
from atleastk.plots.html_page import framed

FIGURES: Final = ("k>", "status", "cost>", "at least>", "gap>", "from", "s>")
"""The columns of the figures."""

_WIDTH: Final = 360
_HEIGHT: Final = 210
_LEFT: Final = 58
_BOTTOM: Final = 180
_TOP: Final = 12
"""The curve on the page, in units of which a telephone has about as many."""

_MOST_TICKS: Final = 6
"""The most k that are written below the curve, about."""


def draw_tradeoff(points: Sequence[TradeoffPoint], ax: Axes | None = None) -> Axes:
    """Draw cost and bound over k, the gap shaded."""
    drawn = [CostPoint(one.k, one.cost, one.bound) for one in points]
    return draw_costs(drawn, 0, ax, title="Cost against k", costs="cost", unit="cost")


def tradeoff_page(
    points: Sequence[TradeoffPoint], seconds: float, name: str, made: datetime
) -> str:
    """Return the page on the trade-off of what has this name."""
    sections = {
        "Summary": _summary(points, seconds),
        "Cost against k": _curve(points),
        "Figures": _figures(points),
        "How to read it": _reading(points),
    }
    return framed(f"What a k costs: {name}", made, sections)


def _summary(points: Sequence[TradeoffPoint], seconds: float) -> Iterator[str]:
    optimal = sum(one.result.status is Status.OPTIMAL for one in points)
    gaps = [one.gap for one in points if one.gap is not None]
    searched = sum(one.seconds > 0 for one in points)
    yield (
        f"<p>{counted(len(points), 'value')} of k from {points[0].k} to "
        f"{points[-1].k}: <strong>{optimal}</strong> proved optimal, {searched} "
        f"searched, in {seconds:.1f} s.</p>"
    )
    if gaps:
        yield f"<p>The greatest gap between cost and bound is {max(gaps):.2%}.</p>"
    none = sum(one.result.status is Status.INFEASIBLE for one in points)
    if none:
        yield f"<p>For {none} of them there is no solution.</p>"


def _curve(points: Sequence[TradeoffPoint]) -> Iterator[str]:
    """Draw costs and bounds as lines, the gap between them shaded."""
    costs = [(one.k, one.cost) for one in points if one.cost is not None]
    bounds = [(one.k, one.bound) for one in points if one.bound is not None]
    if not costs:
        return
    levels = [level for _, level in (*costs, *bounds)]
    low, high = min(0, *levels), max(1, *levels)
    first, last = points[0].k, points[-1].k

    def place(k: int, level: int) -> tuple[float, float]:
        across = (k - first) / max(1, last - first)
        up = (level - low) / (high - low)
        x = _LEFT + across * (_WIDTH - _LEFT - 12)
        return x, _BOTTOM - up * (_BOTTOM - _TOP)

    def line(values: Sequence[tuple[int, int]], colour: str) -> str:
        at = [place(*value) for value in values]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        dots = "".join(
            f'<rect x="{x - 1.5:.1f}" y="{y - 1.5:.1f}" width="3" height="3" '
            f'fill="{colour}"/>'
            for x, y in at
        )
        return f'<path d="M{path}" fill="none" stroke="{colour}"/>{dots}'

    both = [(one.k, one.cost, one.bound) for one in points]
    known = [(k, c, b) for k, c, b in both if c is not None and b is not None]
    shade = ""
    if known:
        around = [place(k, c) for k, c, _ in known]
        around += [place(k, b) for k, _, b in reversed(known)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in around)
        shade = f'<path d="M{path}Z" fill="#c6d8ea" fill-opacity="0.5"/>'
    what = f"Cost (red) and proved bound (blue) for k = {first} to {last}"
    yield (
        f'<figure><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{what}">{shade}{line(bounds, "#3a7ca5") if bounds else ""}'
        f"{line(costs, '#c8442e')}{''.join(_axes(points, low, high))}"
        f'</svg><figcaption class="soft">{what}.</figcaption></figure>'
    )


def _axes(points: Sequence[TradeoffPoint], low: int, high: int) -> Iterator[str]:
    """Yield the lines of both axes and their labels."""
    right = _WIDTH - 12
    yield (
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{right}" fill="none" stroke="#5b6570"/>'
    )
    for level, y in ((low, _BOTTOM), (high, _TOP + 4)):
        yield f'<text x="{_LEFT - 4}" y="{y}" text-anchor="end">{level}</text>'
    first, last = points[0].k, points[-1].k
    step = max(1, -(-(len(points) - 1) // (_MOST_TICKS - 1)))
    for one in (*points[:-1:step], points[-1]):
        across = (one.k - first) / max(1, last - first)
        x = _LEFT + across * (right - _LEFT)
        at = f'x="{x:.1f}" y="{_BOTTOM + 16}" text-anchor="middle"'
        yield f"<text {at}>{one.k}</text>"


def figures(points: Sequence[TradeoffPoint]) -> list[tuple[object, ...]]:
    """Return a row of the columns `FIGURES` for every point."""
    return [
        (
            one.k,
            one.result.status.lower(),
            "-" if one.cost is None else one.cost,
            "-" if one.bound is None else one.bound,
            "-" if one.gap is None else f"{one.gap:.2%}",
            _handed_on(one),
            f"{one.seconds:.2f}" if one.seconds else "-",
        )
        for one in points
    ]


def _figures(points: Sequence[TradeoffPoint]) -> Iterator[str]:
    groups = (one.result.number_of_groups for one in points)
    rows = zip(figures(points), groups, strict=True)
    filled = [(*row, "-" if count is None else count) for row, count in rows]
    yield from table("", (*FIGURES, "groups>"), filled)


def _handed_on(point: TradeoffPoint) -> str:
    """Return which neighbours the cost and the bound of a point come from."""
    told = [("cost", point.found_at), ("bound", point.proved_at)]
    return ", ".join(
        f"{what} of k = {at}" for what, at in told if at not in (None, point.k)
    )


def _reading(points: Sequence[TradeoffPoint]) -> Iterator[str]:
    yield (
        "<p>The cost is that of the best solution found, recomputed for this k; no "
        "solution costs less than the bound. Groups of k + 1 are groups of k, so the "
        "best cost does not fall as k rises: a solution for a greater k, and a bound "
        "for a smaller one, are taken over where they are better.</p>"
    )
    instance = points[0].result.instance
    if instance is not None and not instance.nested:
        yield (
            "<p>Here the cost itself depends on k, so bounds of other k are not "
            "used.</p>"
        )
    yield (
        f"<p>SHA-256 of the instance for k = {points[0].k}: "
        f"<code>{escape(points[0].result.instance_sha256)}</code></p>"
    )
