"""A picture of ratios: which share of the instances an algorithm solves how well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from atleastk.plots.drawing import INK, begun, nothing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_ratios"]

_STYLES: Final = ("-", "--", ":", "-.")


def draw_ratios(ratios: Mapping[str, Sequence[float]], ax: Axes | None = None) -> Axes:
    """Draw, for every algorithm, the share of its ratios that are at most so great."""
    ax = begun(ax, "Instances within a ratio of the optimum")
    drawn = {name: sorted(found) for name, found in ratios.items() if found}
    if not drawn:
        return nothing(ax, "no ratios")
    greatest = max(found[-1] for found in drawn.values())
    for i, (name, found) in enumerate(drawn.items()):
        shares = [(j + 1) / len(found) for j in range(len(found))]
        style = _STYLES[i // 10 % len(_STYLES)]
        ends = [*found, max(greatest, 1.0)], [*shares, 1.0]
        ax.step(*ends, where="post", label=name, linestyle=style)
    ax.set_xlabel("cost / optimum", color=INK)
    ax.set_ylabel("share of the instances", color=INK)
    ax.set_ylim(0.0, 1.02)
    ax.legend(frameon=False, fontsize=8, loc="lower right")
    return ax
