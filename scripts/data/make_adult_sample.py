"""Make instances/datasets/adult_sample.csv from the files of UCI Adult.

    python -m scripts.data.make_adult_sample adult.data adult.test [--out FILE]

Draws 1,000 of the rows without a missing value, with a fixed seed, in their order.
Licence and source: instances/datasets/adult_sample.md.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Sequence
from pathlib import Path

from atleastk.instances.datasets.adult import COLUMNS, read_adult

OUT = Path(__file__).parents[2] / "atleastk/instances/datasets/adult_sample.csv"
ROWS, SEED = 1000, 2007


def write_sample(rows: Sequence[Sequence[str]], out: Path) -> None:
    drawn = sorted(random.Random(SEED).sample(range(len(rows)), ROWS))
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows[i] for i in drawn)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    write_sample(read_adult(*chosen.files), chosen.out)


if __name__ == "__main__":
    main()
