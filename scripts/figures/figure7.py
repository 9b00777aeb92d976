"""Reproduce Figure 7 of [Du09], with proven optima.

    python -m scripts.figures.figure7 [--out DIR] [--seed N] [--workers N]

For the three sets of census names and every k from the greatest frequency to half the
total: the optimum (proved by balanced partitions, every one checked) and what Fold and
Spread make of random and sorted order. Writes into DIR

- figure7.png: overfull ratios cost / k, maxima per subrange of k, one panel a set;
- figure7.md: greatest and mean ratios to k and to the optimum;
- figure7.csv.gz: all costs, one line per set and k.

The paper does not say in which direction "sorted" sorts, nor whether Fold's leftovers
go to the last or to the least bin: all readings are computed.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from atleastk.instances.datasets.census_names import NameSet, census_counts
from atleastk.instances.errors import BackendUnavailableError
from atleastk.solvers.bin_covering.algorithms.catalogue import ordered
from atleastk.solvers.bin_covering.algorithms.greedy_bins import Leftovers, costs_over_k
from atleastk.solvers.bin_covering.balanced import optima_for_all_k

CURVES = {
    "random Fold": ("random", Leftovers.FOLD_LEAST),
    "random Fold (last)": ("random", Leftovers.FOLD_LAST),
    "random Spread": ("random", Leftovers.SPREAD),
    "decreasing Fold": ("decreasing", Leftovers.FOLD_LEAST),
    "decreasing Fold (last)": ("decreasing", Leftovers.FOLD_LAST),
    "decreasing Spread": ("decreasing", Leftovers.SPREAD),
    "increasing Fold": ("increasing", Leftovers.FOLD_LEAST),
    "increasing Fold (last)": ("increasing", Leftovers.FOLD_LAST),
    "increasing Spread": ("increasing", Leftovers.SPREAD),
}
OPTIMUM = "optimum"
OUT = Path(__file__).parents[2] / "docs/figure7"
COLOURS = {OPTIMUM: "black", "random": "C0", "decreasing": "C1", "increasing": "C2"}


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of names: the costs of every curve, the optimum first, for every k."""

    names: NameSet
    ks: range
    costs: dict[str, list[int]]

    def overfull(self, curve: str) -> list[float]:
        """Return cost / k for every k."""
        pairs = zip(self.costs[curve], self.ks, strict=True)
        return [cost / k for cost, k in pairs]

    def to_optimum(self, curve: str) -> list[float]:
        """Return cost / OPT for every k."""
        pairs = zip(self.costs[curve], self.costs[OPTIMUM], strict=True)
        return [cost / optimum for cost, optimum in pairs]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--seed", type=int, default=1, help="of the random order")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    sets = get_args(NameSet)
    with Stopwatch("optima"):
        panels = [optima(names) for names in sets]
    with Stopwatch("curves"):
        for panel in panels:
            add_curves(panel, chosen.seed, chosen.workers)
    write_costs(panels, chosen.out / "figure7.csv.gz")
    write_table(panels, chosen.seed, chosen.out / "figure7.md")
    draw(panels, chosen.out / "figure7.png")
    print(f"written to {chosen.out}: figure7.png, figure7.md, figure7.csv.gz")


class Stopwatch:
    """Prints the wall and CPU seconds of its body."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        print(f"{self.name}: {wall:.2f} s wall, {cpu:.2f} s CPU")


def optima(names: NameSet) -> Panel:
    """Prove the optimum for every k of the paper's range."""
    progress(f"{names}: optima")
    counts = census_counts(names)
    ks = range(max(counts), sum(counts) // 2 + 1)
    costs: list[int] = []
    for solved in optima_for_all_k(counts, ks[0], ks[-1]):
        if solved.cost is None:
            message = f"{names}: no balanced partition into {solved.bins} bins found"
            raise SystemExit(message)
        costs += [solved.cost] * (solved.last_k - solved.first_k + 1)
    print(f"{names}: {len(ks)} optima proved")
    return Panel(names, ks, {OPTIMUM: costs})


def add_curves(panel: Panel, seed: int, workers: int) -> None:
    """Run every algorithm in every order for every k."""
    counts = census_counts(panel.names)
    for curve, (order, leftovers) in CURVES.items():
        progress(f"{panel.names}: {curve}")
        items = [counts[i] for i in ordered(counts, order, seed)]
        costs = costs_over_k(items, panel.ks, leftovers, workers)
        panel.costs[curve] = costs
        if any(c < o for c, o in zip(costs, panel.costs[OPTIMUM], strict=True)):
            message = f"{panel.names}: {curve} beats a proven optimum"
            raise SystemExit(message)
    progress("")


def write_costs(panels: Sequence[Panel], out: Path) -> None:
    """Write all costs; the same run gives the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["set", "k", *panels[0].costs])
    for panel in panels:
        rows = zip(panel.ks, *panel.costs.values(), strict=True)
        writer.writerows([panel.names, *row] for row in rows)
    out.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def write_table(panels: Sequence[Panel], seed: int, out: Path) -> None:
    """Write greatest and mean ratios, and how often a curve meets the optimum."""
    lines = [
        "# Figure 7 of [Du09], with proven optima",
        "",
        f"Ratios over all k, greatest / mean; random order of seed {seed}.",
    ]
    for panel in panels:
        counts = census_counts(panel.names)
        lines += [
            "",
            f"## {panel.names.upper()}-1990",
            "",
            f"{len(counts)} names, total {sum(counts)}, k = {panel.ks[0]}.."
            f"{panel.ks[-1]}: {len(panel.ks)} optima proved.",
            "",
            "| | cost / k | cost / OPT | = OPT at |",
            "| --- | --- | --- | --- |",
        ]
        for curve in panel.costs:
            ratios = panel.to_optimum(curve)
            met = sum(ratio == 1 for ratio in ratios) / len(ratios)
            lines.append(
                f"| {curve} | {summary(panel.overfull(curve))} | {summary(ratios)} "
                f"| {met:.2%} of k |"
            )
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def summary(ratios: Sequence[float]) -> str:
    """Return the greatest and the mean ratio."""
    return f"{max(ratios):.3f} / {sum(ratios) / len(ratios):.3f}"


def draw(panels: Sequence[Panel], out: Path, subranges: int = 120) -> None:
    """Draw the greatest overfull ratio of every subrange of k."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        message = "the figure needs matplotlib: install atleastk[plot]"
        raise BackendUnavailableError(message) from missing

    figure = Figure(figsize=(9, 11), layout="constrained")
    grid = figure.subplots(len(panels), squeeze=False)
    for axes, panel in zip(grid[:, 0], panels, strict=True):
        size = -(-len(panel.ks) // subranges)
        starts = range(0, len(panel.ks), size)
        middles = [panel.ks[min(s + size // 2, len(panel.ks) - 1)] for s in starts]
        for curve in panel.costs:
            if "last" in curve:
                continue
            ratios = panel.overfull(curve)
            axes.plot(
                middles,
                [max(ratios[s : s + size]) for s in starts],
                color=COLOURS[curve.split()[0]],
                linestyle="--" if curve.endswith("Fold") else "-",
                linewidth=1.8 if curve == OPTIMUM else 1,
                label=curve,
            )
        axes.set_title(f"{panel.names.upper()}-1990")
        axes.set_ylabel("greatest level / k")
        axes.set_xlabel("k")
    lines, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(lines, labels, ncols=4, loc="outside upper center")
    figure.savefig(out, dpi=110, metadata={"Software": None})


def progress(message: str) -> None:
    """Show what is being done if somebody is watching."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{message}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
