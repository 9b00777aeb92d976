"""Compare with other anonymisers: suppressed cells and time on the same tables.

    python -m scripts.benchmarks.peers_k_anonymity --adult FILE [--time-limit S]
        [--workers N] [--only PATTERN] [--out DIR]

The tables: all of Adult with 8 and 9 columns, and a sample of 2,000 rows with 8. FILE
is adult_qi9.csv.gz of scripts/studies/datasets.py. The figures of the other systems
were measured once on these tables, with the versions named below, on two cores; a
suppressed cell counts 1, and so does a cell that was made coarser. Writes into DIR

- peers_k_anonymity.db: the runs as a study. What it holds is not repeated;
- peers_k_anonymity.md: everybody's cells and seconds side by side.

The exit code is 0 if no system has fewer cells anywhere, else 1.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.studies.markdown import markdown_table
from scripts.benchmarks.measured import OUT, Measured, measured, software
from scripts.studies.datasets import read_rows

NAME = "peers_k_anonymity"
KS = (2, 5, 10, 50)
EIGHT, NINE = "adult, 8 columns, raw ages", "adult, 9 columns, raw ages"
SAMPLE = "adult, 8 columns, raw ages, 2,000 rows"


@dataclass(frozen=True, slots=True)
class Peer:
    """Another system and its cells per k on one table."""

    system: str
    table: str
    cells: Mapping[int, int]
    seconds: str
    memory: str
    remark: str = ""


PEERS: Sequence[Peer] = (
    Peer(
        "ARX 3.9.2, local recoding, suppression only",
        EIGHT,
        {2: 24_456, 5: 45_208, 10: 58_358, 50: 89_135},
        "23 - 33",
        "111 - 333 (heap)",
        "leaves fewer than k fully suppressed records at k = 2 and 50",
    ),
    Peer(
        "ARX 3.9.2, local recoding, sample hierarchies",
        EIGHT,
        {2: 29_726, 5: 58_412},
        "72 - 172",
        "348 (heap)",
    ),
    Peer(
        "ARX 3.9.2, global recoding, suppression only",
        EIGHT,
        {2: 148_952, 5: 242_456, 10: 290_472, 50: 358_432},
        "about 1",
        "83 - 182 (heap)",
        "optimal over its lattice",
    ),
    Peer(
        "ARX 3.9.2, global recoding, sample hierarchies, 5 % of records",
        EIGHT,
        {2: 188_692, 5: 188_824, 10: 232_221, 50: 275_600},
        "7 - 14",
        "63 - 155 (heap)",
        "optimal over its lattice",
    ),
    Peer(
        "anonypy 0.2.1, Mondrian",
        EIGHT,
        {5: 103_033, 10: 144_724, 50: 240_735},
        "36 - 198",
        "83",
        "k = 2 was stopped after 500 s",
    ),
    Peer(
        "anjana 1.2.3, 0 % of rows dropped",
        EIGHT,
        {2: 316_554, 5: 316_554, 10: 316_554, 50: 316_554},
        "24 - 48",
        "111",
    ),
    Peer(
        "anjana 1.2.3, up to 5 % of rows dropped",
        EIGHT,
        {2: 188_692, 5: 275_178, 10: 274_486, 50: 318_239},
        "16 - 20",
        "115",
    ),
    Peer(
        "anjana 1.2.3, up to 20 % of rows dropped",
        EIGHT,
        {2: 168_681, 5: 206_908, 10: 210_920, 50: 288_118},
        "10 - 19",
        "112",
    ),
    Peer(
        "ARX 3.9.2, local recoding, suppression only",
        NINE,
        {2: 27_741, 5: 50_488, 10: 64_521, 50: 96_950},
        "20 - 52",
        "",
        "leaves fewer than k fully suppressed records at k = 10 and 50",
    ),
    Peer(
        "ARX 3.9.2, local recoding, suppression only",
        SAMPLE,
        {2: 2_683, 5: 4_305},
        "4",
        "",
    ),
    Peer(
        "sdcMicro 5.8.1, local suppression",
        SAMPLE,
        {2: 3_076, 5: 4_725},
        "143, 73",
        "",
        "a weaker promise: a missing value matches anything",
    ),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    chosen = _parser().parse_args(arguments)
    tables = [
        table
        for table in cases(chosen.adult)
        if chosen.only.search(f"{table.name} k={table.k}")
    ]
    path = chosen.out / f"{NAME}.db"
    runs = measured(tables, path, chosen.time_limit, chosen.workers)
    report = "\n".join(report_lines(runs, chosen.workers)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    beaten = [f"{peer.system}, k = {k}" for peer, k in better_peers(runs)]
    if beaten:
        message = f"fewer cells elsewhere: {'; '.join(beaten)}"
        raise SystemExit(message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--adult", type=Path, metavar="FILE", required=True)
    add("--time-limit", type=float, default=60.0, help="of each run")
    add("--workers", type=int, default=2)
    add("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    add("--out", type=Path, default=OUT)
    return parser


def cases(adult: Path) -> Iterator[KAnonymity]:
    """Yield the tables, each with its k."""
    for name, columns, ks in ((EIGHT, 8, KS), (NINE, 9, KS), (SAMPLE, 8, (2, 5))):
        rows = read_rows(adult, columns)
        if name == SAMPLE:
            rows = [rows[i] for i in r_sample(1, len(rows), 2000)]
        for k in ks:
            yield KAnonymity(rows, k, name=name)


def r_sample(seed: int, n: int, size: int) -> list[int]:
    """Return what ``set.seed(seed); sample(n, size) - 1`` returns in R since 3.6."""
    uniform = _r_uniform(seed)
    pool = list(range(n))
    drawn = []
    for left in range(n, n - size, -1):
        place = _r_index(uniform, left)
        drawn.append(pool[place])
        pool[place] = pool[left - 1]
    return drawn


def _r_uniform(seed: int) -> Iterator[float]:
    """Yield the uniform numbers of R's Mersenne Twister."""
    scrambled = seed
    words = []
    for place in count():
        scrambled = (69069 * scrambled + 1) % 2**32
        if place > 50:
            words.append(scrambled)
        if len(words) == 624:
            break
    twister = np.random.MT19937()
    key = np.array(words, dtype=np.uint32)
    twister.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}
    while True:
        yield int(twister.random_raw()) / (2**32 - 1)


def _r_index(uniform: Iterator[float], n: int) -> int:
    """Return a number below n by rejection of random bits, 16 at a time."""
    bits = math.ceil(math.log2(n)) if n > 1 else 0
    while True:
        value = 0
        for _ in range(0, bits + 1, 16):
            value = value << 16 | int(next(uniform) * 65536)
        value &= (1 << bits) - 1
        if value < n:
            return value


def better_peers(runs: Sequence[Measured]) -> Iterator[tuple[Peer, int]]:
    """Yield who has fewer cells than a run on the same table, and at which k."""
    for run in runs:
        k, cost = _k(run), run.row["cost"]
        for peer in PEERS:
            if peer.table != run.name or k not in peer.cells:
                continue
            if cost is None or peer.cells[k] < cost:
                yield peer, k


def _k(run: Measured) -> int:
    assert isinstance(run.instance, KAnonymity)
    return run.instance.k


def report_lines(runs: Sequence[Measured], workers: int) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# k-anonymity: other anonymisers on the same tables"
    yield ""
    yield (
        "Cells that are suppressed, or made coarser by those who generalise. atleastk "
        f"within {runs[0].row['time_limit']:g} s on {workers} cores, all of it used "
        "unless the optimum is proved; below it the bound that it proves. The others "
        "were measured once on two cores, in the versions named."
    )
    yield ""
    yield software()
    for table in dict.fromkeys(run.name for run in runs):
        of_table = [run for run in runs if run.name == table]
        ks = [_k(run) for run in of_table]
        yield from ["", f"## {table}", ""]
        yield from markdown_table(
            ["system", *(f"k = {k}>" for k in ks), "seconds>", "MB>", "remark"],
            _rows(table, of_table, ks),
        )


def _rows(
    table: str, runs: Sequence[Measured], ks: Sequence[int]
) -> Iterator[Sequence[object]]:
    seconds = [run.row["seconds"] for run in runs]
    yield [
        "**atleastk**",
        *(f"**{run.row['cost']:,}**" for run in runs),
        f"{min(seconds):.0f} - {max(seconds):.0f}",
        "",
        "",
    ]
    bounds = (f"{run.row['bound']:,}" for run in runs)
    yield ["atleastk, lower bound", *bounds, "", "", ""]
    for peer in PEERS:
        if peer.table == table:
            cells = [f"{peer.cells[k]:,}" if k in peer.cells else "-" for k in ks]
            yield [peer.system, *cells, peer.seconds, peer.memory, peer.remark]


if __name__ == "__main__":
    main()
