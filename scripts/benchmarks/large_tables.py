"""Measure tables that stay in their files: levels of columns, or suppressed cells.

    python -m scripts.benchmarks.large_tables FOLDER --table ADULT.csv.gz
        [--rows N,...] [--k K] [--share PERCENT] [--loss LOSS] [--memory SIZE]
    python -m scripts.benchmarks.large_tables FOLDER --table ADULT.csv.gz
        --cells SECONDS [--seed S] [--columns M] [--rows N,...] [--k K] [--memory SIZE]
    python -m scripts.benchmarks.large_tables FOLDER --distinct [--rows N,...] ...

Makes a Parquet file of each number of rows in a folder, anonymises it by the command
line in a process of its own, checks what was published by another one, and prints a
table in Markdown: different rows, cost and bound, suppressed rows, seconds by the clock
of each step, seconds of CPU time, and the most memory of the process. Files are deleted
when they are measured. With --cells single cells are suppressed, by one worker, and
all seconds are of CPU time, those of the limit too.

Rows are drawn from Adult, and two in a hundred cells are drawn again from their column,
so that the different rows go on growing. With --distinct rows are zip codes and
birthdays with three short columns: nearly all are different.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

import atleastk
from atleastk.research.tables.markdown import markdown_table
from scripts.benchmarks.measured import cpu_of_ended, ended
from scripts.studies.datasets import QUASI_IDENTIFIERS, read_rows

RULES = Path(atleastk.__file__).parent / "instances/datasets/adult_hierarchies"
"""The hierarchies of Adult."""

_CHUNK = 1_000_000
_AGAIN = 0.02
_STEPS = ("reading>", "search>", "publishing>", "CPU s>", "peak MB>")
_HEADS = ("rows>", "different>", "cost>", "bound>", "suppressed>", "trust", *_STEPS)
_CELLS = ("cells suppressed>", "bound>", "gap>", "of all cells>")
_HEADS_OF_CELLS = ("rows>", "different>", *_CELLS, *_STEPS)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--distinct", action="store_true")
    parser.add_argument("--rows", default="1000000,10000000,100000000")
    parser.add_argument("--k", default="10")
    parser.add_argument("--share", default="0.1")
    parser.add_argument("--loss", default="precision")
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--cells", metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--columns", type=int, default=8)
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(exist_ok=True)
    heads = _HEADS_OF_CELLS if chosen.cells else _HEADS
    print("\n".join(markdown_table(heads, ())))
    for text in chosen.rows.split(","):
        print(markdown_table(heads, [_measured(chosen, int(text))])[-1], flush=True)


def _measured(chosen: argparse.Namespace, rows: int) -> list[str]:
    path, out = chosen.folder / "table.parquet", chosen.folder / "out.parquet"
    rules = chosen.folder / "rules"
    if chosen.distinct:
        write(path, _distinct(rows, rules))
    else:
        write(path, resampled(rows, chosen.table, chosen.seed, chosen.columns))
        rules = RULES
    names = parquet.read_schema(path).names
    columns = ["--columns", ",".join(names), "-k", chosen.k, "--json"]
    engine = ["--engine", "duckdb", "--memory", chosen.memory]
    wishes = ["--time-limit", chosen.cells, "--workers", "1"]
    if not chosen.cells:
        wishes = ["--hierarchies", str(rules), "--loss", chosen.loss]
        wishes += ["--suppress-rows", f"{chosen.share}%", "--time-limit", "none"]
    before = cpu_of_ended()
    made, peak = _run(path, *columns, *engine, *wishes, "-o", str(out))
    cpu = cpu_of_ended() - before
    checked, _ = _run(out, *columns, *engine, "--check")
    assert checked["holds"], checked
    assert checked["rows"] == rows, checked
    path.unlink()
    out.unlink()
    seconds = [f"{made[step]:.0f}" for step in ("reading", "seconds", "publishing")]
    found = [f"{rows:,}", f"{made['distinct']:,}"]
    if chosen.cells:
        found += [f"{made[name]:,}" for name in ("cost", "bound")]
        found += [f"{made['gap']:.1%}", f"{made['cost'] / rows / len(names):.2%}"]
    else:
        found += [str(made[name]) for name in ("cost", "bound")]
        found += [f"{made['suppressed']:,}", made["trust"]]
    return [*found, *seconds, f"{cpu:.0f}", f"{peak:,}"]


def _run(path: Path, *options: str) -> tuple[dict[str, Any], int]:
    """Return what a command says, and the most memory of its process."""
    clock = "cpu" if "--workers" in options else "wall"
    done = ended(["anonymize", str(path), *options], clock)
    assert done.code == 0, done.told
    return json.loads(done.out), done.megabytes


def write(path: Path, chunks: Iterator[Mapping[str, Any]]) -> None:
    writer = None
    for chunk in chunks:
        cells = {name: each.cast(pyarrow.string()) for name, each in chunk.items()}
        table = pyarrow.table(cells)
        if writer is None:
            writer = parquet.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    assert writer is not None
    writer.close()


def resampled(
    rows: int, source: Path, seed: int = 1, width: int = len(QUASI_IDENTIFIERS)
) -> Iterator[Mapping[str, Any]]:
    """Yield rows of Adult, drawn with some cells changed, a million at a time."""
    rng, names = np.random.default_rng(seed), list(QUASI_IDENTIFIERS[:width])
    columns = zip(*read_rows(source, names), strict=True)
    known = [np.unique(np.array(cells), return_inverse=True) for cells in columns]
    for start in range(0, rows, _CHUNK):
        count = min(_CHUNK, rows - start)
        drawn = rng.integers(0, len(known[0][1]), count)
        chunk = {}
        for name, (values, codes) in zip(names, known, strict=True):
            found = codes[drawn]
            again = rng.random(count) < _AGAIN
            found[again] = codes[rng.integers(0, len(codes), int(again.sum()))]
            chunk[name] = _coded(found, values.tolist())
        yield chunk


def _distinct(rows: int, rules: Path) -> Iterator[Mapping[str, Any]]:
    """Yield rows that are nearly all different; write their hierarchies."""
    rng = np.random.default_rng(7)
    zips = [f"{x:05}" for x in np.sort(rng.choice(99_999, 30_000, replace=False))]
    weights = rng.permutation(1 / np.arange(1, 30_001) ** 0.7)
    first, last = np.datetime64("1935-01-01"), np.datetime64("2007-01-01")
    days = np.arange(first, last).astype(str).tolist()
    rules.mkdir(exist_ok=True)
    lines = {
        "zip": [[x, *(x[:n] + "*" * (5 - n) for n in (4, 3, 2, 1)), "*"] for x in zips],
        "born": [[x, x[:7], x[:4], f"{x[:3]}0s", "*"] for x in days],
        "sex": [[x, "*"] for x in "fm"],
        "race": [[x, "*"] for x in "ABCDE"],
        "marital": [[x, "*"] for x in "abcdefg"],
    }
    for name, chains in lines.items():
        text = "".join(f"{';'.join(chain)}\n" for chain in chains)
        (rules / f"{name}.csv").write_text(text, encoding="utf-8")
    shares = {
        "zip": weights / weights.sum(),
        "race": np.array([0.75, 0.12, 0.08, 0.04, 0.01]),
        "marital": np.array([0.45, 0.33, 0.13, 0.04, 0.03, 0.015, 0.005]),
    }
    for start in range(0, rows, _CHUNK):
        count = min(_CHUNK, rows - start)
        yield {
            name: _coded(
                rng.choice(len(chains), count, p=shares.get(name)),
                [chain[0] for chain in chains],
            )
            for name, chains in lines.items()
        }


def _coded(codes: Any, values: Sequence[str]) -> Any:
    return pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(codes.astype(np.int32)), pyarrow.array(values)
    )


if __name__ == "__main__":
    main()
