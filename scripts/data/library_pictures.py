"""Draw some records of the library into docs/library.png.

python -m scripts.data.library_pictures [--out FILE]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import atleastk
from atleastk.plots.drawing import INK, save
from atleastk.runs.registry import problem_of

OUT = Path(__file__).parents[2] / "docs/library.png"

DRAWN: Final = (
    "bin-covering-worst-k8-n7",
    "interval-covering-uniform-n20-s1",
    "k-anonymity-adult-n20-m4-k3",
    "r-gather-places-oh-n30",
    "cellular-clustering-places-wy-n30",
    "connected-partition-mississippi-k100000-s1",
    "rectangle-tiling-places-co-n30",
    "rectangle-tiling-grid-peaks-rows20-p8-s2",
)
"""The records that are drawn, four in a row."""


def drawn() -> list[Axes]:
    figure = Figure(figsize=(13, 6.5), dpi=80, layout="constrained")
    places: list[Axes] = list(figure.subplots(2, 4).flat)
    for name, ax in zip(DRAWN, places, strict=True):
        record = atleastk.library[name]
        assert record.result is not None, f"{name} has a solution"
        assert record.known is not None, f"{name} has been solved"
        problem_of(record.instance).draw(record.instance, record.result, ax)
        ax.set_title("", loc="left")
        ax.set_title(f"{name}\ncost {record.known.cost:,}", fontsize=8, color=INK)
        ax.set(xlabel="", ylabel="")
        ax.tick_params(labelsize=5)
        if (legend := ax.get_legend()) is not None:
            legend.remove()
    return places


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=OUT)
    save(drawn()[0], parser.parse_args(arguments).out)


if __name__ == "__main__":
    main()
