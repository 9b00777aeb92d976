"""Reproduce Figures 12 and 13 of [ParkShim07], with the lower bound.

    python -m scripts.figures.figure12 --table NAME=FILE.csv.gz [--table ...]
        [--columns 9] [--k 2,4,...] [--algorithms A,B,...] [--out DIR]

For every table, a CSV file with a header: suppressed cells and CPU seconds of the
algorithms, and OPT-LB, on its first so many columns for all k (Figure 12); and for
k = 4 on its first 3, 4, ... columns (Figure 13). Writes into DIR

- figure12.csv: one line per table, number of columns, k and algorithm;
- figure12.md: the same as tables, and what the paper states beside what was measured;
- figure12.png, figure13.png.

The seconds include mining the patterns, as in the paper, and exclude reading the table,
merging equal rows, and compilation. The checker recounts every cost.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from statistics import mean

from atleastk.instances.errors import BackendUnavailableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import check
from atleastk.registry import algorithm_named, problem_named
from atleastk.solvers.k_anonymity.bounds import opt_lb
from atleastk.solvers.k_anonymity.closed_patterns import closed_patterns
from atleastk.studies.markdown import markdown_table

OUT = Path(__file__).parents[2] / "docs/figure12"
KS = (2, 4, 8, 16, 32, 64, 128)
ALGORITHMS = ("approx-fq", "approx-cf", "approx-cf-1.8", "approx-dr", "approx-gr")
BOUND = "opt-lb"
K_OF_FIGURE_13 = 4
FEWEST_COLUMNS = 3

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Point:
    """What an algorithm made of the first columns of a table."""

    table: str
    columns: int
    k: int
    algorithm: str
    cells: int
    seconds: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", action="append", required=True, metavar="NAME=FILE")
    parser.add_argument("--columns", type=int, default=9)
    parser.add_argument("--k", default=",".join(map(str, KS)))
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    ks = [int(k) for k in chosen.k.split(",")]
    algorithms = chosen.algorithms.split(",")
    varied_k: list[Point] = []
    varied_columns: list[Point] = []
    for named in chosen.table:
        name, _, file = named.partition("=")
        rows = read(Path(file), chosen.columns)
        measure_all(name, rows[: max(ks)], chosen.columns, 2, algorithms)
        for k in ks:
            varied_k += told(measure_all(name, rows, chosen.columns, k, algorithms))
        for columns in range(FEWEST_COLUMNS, chosen.columns + 1):
            varied_columns += told(
                measure_all(name, rows, columns, K_OF_FIGURE_13, algorithms)
            )
    chosen.out.mkdir(parents=True, exist_ok=True)
    write_points([*varied_k, *varied_columns], chosen.out / "figure12.csv")
    report = "\n".join(report_lines(varied_k, varied_columns)) + "\n"
    (chosen.out / "figure12.md").write_text(report, encoding="utf-8")
    draw(varied_k, "k", lambda point: point.k, chosen.out / "figure12.png")
    draw(
        varied_columns,
        "columns",
        lambda point: point.columns,
        chosen.out / "figure13.png",
    )
    print(f"written to {chosen.out}")


def read(path: Path, columns: int) -> Rows:
    """Return the first columns of a CSV file with a header."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    rows = csv.reader(content.decode().splitlines())
    next(rows)
    return [row[:columns] for row in rows]


def measure_all(
    table: str, rows: Rows, columns: int, k: int, algorithms: Sequence[str]
) -> list[Point]:
    """Run the bound and all algorithms that take the table."""
    instance = KAnonymity([row[:columns] for row in rows], k)
    records = instance.records
    start = time.process_time()
    patterns = closed_patterns(records, k)
    if patterns is None:
        message = f"{table}: too many closed patterns for k = {k}"
        raise SystemExit(message)
    lower = opt_lb(records, patterns)
    seconds = time.process_time() - start
    points = [Point(table, columns, k, BOUND, lower, round(seconds, 3))]
    del patterns
    problem = problem_named(KAnonymity.problem)
    for name in algorithms:
        algorithm = algorithm_named(problem, name)
        if algorithm.refuses(instance) is not None:
            continue
        start = time.process_time()
        solution = algorithm.run(instance, 0)
        seconds = time.process_time() - start
        verdict = check(instance, solution)
        if not verdict.feasible or verdict.cost is None or verdict.cost < lower:
            message = f"WRONG: {name} on {table}, k = {k}: {verdict}, bound {lower}"
            raise SystemExit(message)
        cost, spent = verdict.cost, round(seconds, 3)
        points.append(Point(table, columns, k, name, cost, spent))
    return points


def told(points: Sequence[Point]) -> Sequence[Point]:
    """Print points, and return them."""
    for point in points:
        print(*astuple(point), flush=True)
    return points


def write_points(points: Sequence[Point], out: Path) -> None:
    """Write one line per point."""
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in fields(Point)])
        writer.writerows(dict.fromkeys(map(astuple, points)))


def report_lines(
    varied_k: Sequence[Point], varied_columns: Sequence[Point]
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# Figures 12 and 13 of [ParkShim07], with the lower bound"
    yield ""
    yield (
        "Suppressed cells (share above OPT-LB) and CPU seconds, mining included, one "
        "core. All solutions are checked."
    )
    for table in names(varied_k):
        points = [point for point in varied_k if point.table == table]
        yield from ["", f"## {table}, {points[0].columns} columns", ""]
        yield from _cells_table(points, "k", lambda point: point.k)
        yield ""
        yield from _seconds_table(points, "k", lambda point: point.k)
        yield ""
        yield from statements(points)
    yield from ["", f"# Figure 13: the first columns, k = {K_OF_FIGURE_13}"]
    for table in names(varied_columns):
        points = [point for point in varied_columns if point.table == table]
        yield from ["", f"## {table}", ""]
        yield from _cells_table(points, "columns", lambda point: point.columns)
        yield ""
        about = ratios(points, "approx-gr", "approx-cf", "cells")
        if about:
            yield f'- GR / CF: {spread(about)}; the paper: "about twice".'


def statements(points: Sequence[Point]) -> Iterator[str]:
    """Yield what the paper states of Figure 12 beside what was measured."""
    for one, other, what, stated in (
        ("approx-gr", "approx-cf", "cells", '"about 3 times more"'),
        ("approx-gr", "approx-dr", "cells", '"about 3 times more"'),
        ("approx-dr", "approx-cf", "cells", 'DR is "the best"'),
        ("approx-cf-1.8", "approx-cf", "cells", '"increases with the factor of 1.8"'),
        ("approx-fq", "approx-cf", "cells", '"very close"'),
        ("approx-cf-1.8", "approx-cf", "seconds", '"about 40% faster"'),
        ("approx-cf", "approx-dr", "seconds", 'DR is "about 8 times faster"'),
        ("approx-gr", "approx-cf", "seconds", 'CF is "10 times faster" for large k'),
    ):
        found = ratios(points, one, other, what)
        if found:
            yield f"- {one} / {other}, {what}: {spread(found)}; the paper: {stated}."


def ratios(points: Sequence[Point], one: str, other: str, what: str) -> list[float]:
    """Return the ratio of two algorithms wherever both were run."""
    values = {(p.columns, p.k, p.algorithm): getattr(p, what) for p in points}
    return [
        value / values[columns, k, other]
        for (columns, k, name), value in values.items()
        if name == one and values.get((columns, k, other))
    ]


def spread(found: Sequence[float]) -> str:
    """Return the least, mean and greatest ratio."""
    return f"{min(found):.2f} to {max(found):.2f}, mean {mean(found):.2f}"


def names(points: Sequence[Point]) -> list[str]:
    """Return the tables in their order."""
    return list(dict.fromkeys(point.table for point in points))


def _cells_table(
    points: Sequence[Point], head: str, key: Callable[[Point], int]
) -> list[str]:
    bounds = {key(point): point.cells for point in points if point.algorithm == BOUND}

    def cell(point: Point) -> str:
        lower = bounds[key(point)]
        if point.algorithm == BOUND or lower == 0:
            return f"{point.cells}"
        return f"{point.cells} (+{point.cells / lower - 1:.0%})"

    return _table(points, head, key, cell)


def _seconds_table(
    points: Sequence[Point], head: str, key: Callable[[Point], int]
) -> list[str]:
    return _table(points, head, key, lambda point: f"{point.seconds:.2f}")


def _table(
    points: Sequence[Point],
    head: str,
    key: Callable[[Point], int],
    cell: Callable[[Point], str],
) -> list[str]:
    shown = {(key(point), point.algorithm): cell(point) for point in points}
    algorithms = list(dict.fromkeys(point.algorithm for point in points))
    rows = [
        [value, *(shown.get((value, name), "") for name in algorithms)]
        for value in dict.fromkeys(key(point) for point in points)
    ]
    columns = [f"{name}>" for name in algorithms]
    return list(markdown_table([f"{head}>", *columns], rows))


def draw(
    points: Sequence[Point], label: str, key: Callable[[Point], int], out: Path
) -> None:
    """Draw cells and seconds of every table."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        message = "the figure needs matplotlib: install atleastk[plot]"
        raise BackendUnavailableError(message) from missing

    tables = names(points)
    figure = Figure(figsize=(10, 3.4 * len(tables)), layout="constrained")
    grid = figure.subplots(len(tables), 2, squeeze=False)
    for axes, table in zip(grid, tables, strict=True):
        for part, what in zip(axes, ("cells", "seconds"), strict=True):
            for i, name in enumerate((BOUND, *ALGORITHMS)):
                line = [p for p in points if (p.table, p.algorithm) == (table, name)]
                if not line or (what == "seconds" and name == BOUND):
                    continue
                part.plot(
                    [key(point) for point in line],
                    [getattr(point, what) for point in line],
                    color="black" if name == BOUND else f"C{i}",
                    linestyle="--" if name == BOUND else "-",
                    marker=".",
                    label=name,
                )
            part.set_title(table)
            part.set_xlabel(label)
            part.set_ylabel("suppressed cells" if what == "cells" else "CPU seconds")
        axes[1].set_yscale("log")
    lines, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(lines, labels, ncols=6, loc="outside upper center")
    figure.savefig(out, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
