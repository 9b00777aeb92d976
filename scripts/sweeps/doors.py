"""Sweep the front doors: tables and maps as files, judged by what is published.

    python -m scripts.sweeps.doors [--runs N] [--seed S] [--minutes M]

Small random files go through `anonymize`, `cluster` and `partition`. What they publish
is read again as text, and held against the file that was given: nothing but what was
asked for has changed, every group is as large as it has to be, and nothing better
exists, by the judges that try everything. Each failure is printed as a line of JSON;
the exit code is 1 if there was one. The same seed makes the same runs.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import math
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic

import networkx as nx

from atleastk.cli.main import main as command
from scripts.sweeps.judges import judge_of
from scripts.sweeps.report import Tally
from scripts.sweeps.runs import Kind

Rows = list[list[str]]
Run = dict[str, object]

_LIMIT = ("--time-limit", "20", "--workers", "1")


def run_anonymize(rng: random.Random, folder: Path) -> tuple[Run, str]:
    """Suppress cells of some columns; return the run, and what is wrong or nothing."""
    n, m, k = rng.randint(1, 7), rng.randint(1, 3), rng.randint(1, 4)
    rows = [[str(rng.randint(0, 2)) for _ in range(m + 1)] for _ in range(n)]
    names = [f"c{j}" for j in range(m + 1)]
    write(folder / "table.csv", [names, *rows])
    words = ["anonymize", "table.csv", "-k", str(k), "--columns", ",".join(names[:m])]
    run: Run = {"words": words, "rows": rows}
    code, message, shown = outcome(words, folder)
    if n < k:
        return run, "" if code and not shown else f"published too few rows: {message}"
    if code or len(shown) != n + 1 or shown[0] != names:
        return run, f"nothing, or another table was published: {message}"
    looks = Counter(tuple(row[:m]) for row in shown[1:])
    hidden = 0
    for before, after in zip(rows, shown[1:], strict=True):
        if after[m] != before[m]:
            return run, "a column that was not named has changed"
        if any(a not in ("*", b) for b, a in zip(before[:m], after[:m], strict=True)):
            return run, "a cell is neither suppressed nor what it was"
        if looks[tuple(after[:m])] < k:
            return run, "a row equals too few others"
        hidden += after[:m].count("*")
    table = [row[:m] for row in rows]
    best = judge_of({"problem": "k-anonymity", "table": table, "k": k}).best
    return run, "" if hidden == best else f"{hidden} cells, where {best} do"


def run_cluster(rng: random.Random, folder: Path) -> tuple[Run, str]:
    """Publish centres in place of points; return the run, and what is wrong."""
    n, r = rng.randint(1, 6), rng.randint(1, 3)
    rows = [[rng.randint(0, 9), rng.randint(0, 9)] for _ in range(n)]
    write(folder / "table.csv", [["x", "y"], *([str(v) for v in row] for row in rows)])
    words = ["cluster", "table.csv", "-r", str(r), "--columns", "x,y"]
    run: Run = {"words": words, "rows": rows}
    code, message, shown = outcome(words, folder)
    if n < r:
        return run, "" if code and not shown else f"published too few points: {message}"
    if code or not shown or shown[0] != ["cluster", "x", "y", "points", "radius"]:
        return run, f"nothing, or another table was published: {message}"
    held = [[float(value) for value in row[1:]] for row in shown[1:]]
    if sum(row[2] for row in held) != n or any(row[2] < r for row in held):
        return run, "clusters do not hold all points, or too few"
    if any([int(row[0]), int(row[1])] not in rows for row in held):
        return run, "a centre is no point"
    document = {"problem": "cellular-clustering", "r": r, "points": rows}
    best = judge_of({**document, "metric": "manhattan"}).best
    total = sum(row[2] * row[3] for row in held)
    return run, "" if total == best else f"a total of {total}, where {best} is enough"


def run_partition(rng: random.Random, folder: Path) -> tuple[Run, str]:
    """Divide a map into parts; return the run, and what is wrong or nothing."""
    n = rng.randint(1, 7)
    weights = [rng.randint(1, 9) for _ in range(n)]
    k = rng.randint(1, max(1, sum(weights) // 2))
    tree = [[rng.randrange(i), i] for i in range(1, n)]
    more = [[i, j] for j in range(n) for i in range(j) if rng.random() < 0.3]
    edges = tree + [edge for edge in more if edge not in tree]
    regions = [[str(i), f"r{i}", str(w)] for i, w in enumerate(weights)]
    write(folder / "regions.csv", [["fips", "name", "population"], *regions])
    borders = [[str(u), str(v)] for u, v in edges]
    write(folder / "edges.csv", [["fips_u", "fips_v"], *borders])
    words = ["partition", "regions.csv", "--edges", "edges.csv", "-k", str(k)]
    run: Run = {"words": words, "weights": weights, "edges": edges}
    code, message, shown = outcome(words, folder)
    if code or len(shown) != n + 1 or [row[:3] for row in shown[1:]] != regions:
        return run, f"nothing, or another table was published: {message}"
    parts: dict[str, set[int]] = {}
    for i, row in enumerate(shown[1:]):
        parts.setdefault(row[3], set()).add(i)
    graph: nx.Graph[int] = nx.empty_graph(n)
    graph.add_edges_from((u, v) for u, v in edges)
    if not all(nx.is_connected(graph.subgraph(part)) for part in parts.values()):
        return run, "a part is not connected"
    loads = [sum(weights[i] for i in part) for part in parts.values()]
    document = {"problem": "connected-partition", "weights": weights, "k": k}
    best = judge_of({**document, "edges": edges}).best
    fair = min(loads) >= k and max(loads) == best
    return run, "" if fair else f"parts of {sorted(loads)}, where {best} is the best"


def run_pack(rng: random.Random, folder: Path) -> tuple[Run, str]:
    """Pack weights with decimals; return the run, and what is wrong or nothing."""
    sizes = [rng.randint(1, 60) for _ in range(rng.randint(1, 8))]
    k = rng.randint(1, sum(sizes))
    kilograms = [[f"{size / 10:.1f}"] for size in sizes]
    write(folder / "orders.csv", [["kg"], *kilograms])
    words = ["pack", "orders.csv", "--weight", "kg", "-k", f"{k / 10:.1f}"]
    run: Run = {"words": words, "sizes": sizes}
    code, message, shown = outcome(words, folder)
    if code or not shown or [row[:1] for row in shown[1:]] != kilograms:
        return run, f"nothing, or another table was packed: {message}"
    loads: dict[str, int] = {}
    for (_, batch), size in zip(shown[1:], sizes, strict=True):
        loads[batch] = loads.get(batch, 0) + size
    best = judge_of({"problem": "bin-covering", "sizes": sizes, "k": k}).best
    fair = min(loads.values()) >= k and max(loads.values()) == best
    return run, "" if fair else f"{sorted(loads.values())}, where {best} is the best"


DOORS: dict[str, Callable[[random.Random, Path], tuple[Run, str]]] = {
    "anonymize": run_anonymize,
    "cluster": run_cluster,
    "pack": run_pack,
    "partition": run_partition,
}


def write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def outcome(words: Sequence[str], folder: Path) -> tuple[int, str, Rows]:
    """Run a command; return its code, its first line, and the rows that it wrote."""
    output = folder / "out.csv"
    output.unlink(missing_ok=True)
    said = io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        code = command([*words, "-o", output.name, *_LIMIT])
    message = (said.getvalue().strip().splitlines() or [""])[0]
    if not output.exists():
        return code, message, []
    with output.open(newline="", encoding="utf-8") as file:
        return code, message, list(csv.reader(file))


def attack(
    most_runs: int, seed: int = 0, minutes: float = math.inf
) -> Iterator[tuple[str, Run, str]]:
    end = monotonic() + 60.0 * minutes
    with tempfile.TemporaryDirectory() as folder:
        for number in range(most_runs):
            if monotonic() > end:
                return
            name = list(DOORS)[number % len(DOORS)]
            rng = random.Random(f"{seed} {name} {number}")
            try:
                run, wrong = DOORS[name](rng, Path(folder))
            except Exception:  # whatever it is, it is what this looks for
                run, wrong = {"number": number}, traceback.format_exc()
            yield name, run, wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=math.inf, help="at most")
    chosen = parser.parse_args(arguments)
    tally = Tally()
    for name, run, wrong in attack(chosen.runs, chosen.seed, chosen.minutes):
        tally.add(name, Kind.FAILED if wrong else Kind.HELD)
        if wrong:
            print(json.dumps({"door": name, "wrong": wrong, **run}), flush=True)
    print(tally.table())
    return tally.code


if __name__ == "__main__":
    sys.exit(main())
