"""Make instances/datasets/census1990_names.csv from the package `names`.

    python -m scripts.data.make_census_counts [--out FILE]

The run-length table of the published frequencies in units of 0.001 percent, for names
of at least one unit, in decreasing order.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path
from typing import get_args

from atleastk.instances.datasets.census_names import NameSet, load_names

OUT = Path(__file__).parents[2] / "atleastk/instances/datasets/census1990_names.csv"


def write_table(out: Path) -> None:
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["set", "count", "multiplicity"])
        for names in get_args(NameSet):
            counted = Counter(count for _, count in load_names(names) if count >= 1)
            for count in sorted(counted, reverse=True):
                writer.writerow([names, count, counted[count]])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=OUT)
    write_table(parser.parse_args().out)


if __name__ == "__main__":
    main()
