"""Pair partition beside plain models: published graphs, fresh ones, least squares.

    python -m scripts.benchmarks.pairs [--graphs FOLDER] [--time-limit S] [--workers N]
        [--runs FILE] [--markdown PAGE]

`--graphs` has instances of M. Cordero et al. as JSON: `nodes`, `edges`, `costs`,
`groups`, `at_least`, and in `print` what is published of them. Fresh instances come
from the families of the package. Every instance is solved by the automatic choice,
fresh ones by the plain models too that a user would write; PAR-2 counts what stays open
as twice the limit. An interrupted command goes on with its file. Seconds are of the
wall.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import atleastk
from atleastk.instances.instance import Instance
from atleastk.instances.pair_partition import PairPartition
from atleastk.research.studies.markdown import markdown_table
from atleastk.runs.registry import problem_named

PLAIN: Final = ("pairs", "pairs-highs", "listed", "listed-highs")

FRESH: Final[Sequence[tuple[str, Mapping[str, Any]]]] = (
    *(("uniform", {"n": n, "k": 3}) for n in (15, 20, 30, 40)),
    *(("network", {"n": n, "parts": n // 7}) for n in (21, 28, 40)),
    *(("network", {"n": n, "parts": n // 8, "density": 1}) for n in (60, 80, 100)),
    *(
        ("points", {"n": n, "k": k, "dimension": d})
        for n in (30, 100)
        for k in (3, 5)
        for d in (2, 5)
    ),
)


def instances(folder: Path | None) -> Iterator[tuple[Instance, str]]:
    """Yield instances, and what is published of each."""
    for path in sorted(folder.glob("*.json")) if folder else ():
        given = json.loads(path.read_text(encoding="utf-8"))
        pairs = zip(given["edges"], given["costs"], strict=True)
        known = given.get("print", {})
        costs = (known.get("mip_cost"), known.get("heuristic_column_generation_cost"))
        published = min((cost for cost in costs if cost is not None), default="none")
        yield (
            PairPartition(
                items=given["nodes"],
                costs=[[*edge, cost] for edge, cost in pairs],
                k=given["at_least"],
                groups=(given["groups"],) * 2,
                connected=True,
                name=given["name"],
            ),
            f"{published} over {known.get('mip_bound')}".replace(" over None", ""),
        )
    for family, parameters in FRESH:
        yield atleastk.generate("pair-partition", family, 1, **parameters), ""


def _run(instance: Instance, method: str, limit: float, workers: int) -> dict[str, Any]:
    began = time.perf_counter()
    result = atleastk.solve(instance, limit, method=method, workers=workers)
    return {
        "method": method,
        "status": result.status,
        "cost": result.cost,
        "bound": result.bound,
        "seconds": time.perf_counter() - began,
    }


def _methods(instance: Instance, fresh: bool) -> Iterator[str]:
    yield "auto"
    for method in problem_named("pair-partition").methods if fresh else ():
        if method.name in PLAIN and method.refuses(instance) is None:
            yield method.name


def _cells(run: Mapping[str, Any] | None) -> list[str]:
    if run is None:
        return ["", ""]
    ends = f"{run['cost']}" if run["cost"] is not None else ""
    if run["status"] != "OPTIMAL":
        ends = f"{ends} over {run['bound']}"
    return [ends, f"{run['seconds']:.1f}"]


def page(lines: Sequence[Mapping[str, Any]], limit: float, workers: int) -> str:
    """Return the page of runs: instances, and the proofs and PAR-2 of every method."""
    known = {(line["name"], line["method"]): line for line in lines}
    names = dict.fromkeys((line["name"], line["published"]) for line in lines)
    heads = ["instance", "published"]
    for method in ("auto", *PLAIN):
        heads += [method, "s>"]
    rows = [
        [name, published]
        + [cell for m in ("auto", *PLAIN) for cell in _cells(known.get((name, m)))]
        for name, published in names
    ]
    scores = []
    for method in PLAIN:
        both = [name for name, _ in names if (name, method) in known]
        row = [method, str(len(both))]
        for which in (method, "auto"):
            runs = [known[name, which] for name in both]
            proofs = [run["status"] == "OPTIMAL" for run in runs]
            times = [
                run["seconds"] if proof else 2 * limit
                for run, proof in zip(runs, proofs, strict=True)
            ]
            row += [str(sum(proofs)), f"{sum(times) / max(1, len(times)):.2f}"]
        scores.append(row)
    score_heads = [
        "model",
        "instances>",
        "proofs>",
        "PAR-2>",
        "auto: proofs>",
        "PAR-2>",
    ]
    return "\n".join(
        [
            "# Pair partition beside the plain models",
            "",
            f"{limit:g} s, {workers} workers; `python -m scripts.benchmarks.pairs`. A",
            "cost alone is proved; *over* stands before the bound of one that is not.",
            "Published are the better of two costs and the bound, each of one hour.",
            "",
            *markdown_table(heads, rows),
            "",
            *markdown_table(score_heads, scores),
            "",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--graphs", type=Path)
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=Path, default=Path("pairs.jsonl"))
    parser.add_argument("--markdown", type=Path)
    chosen = parser.parse_args(arguments)
    limit, workers = chosen.time_limit, chosen.workers
    lines = []
    if chosen.runs.exists():
        text = chosen.runs.read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines()]
    done = {(line["name"], line["method"]) for line in lines}
    for instance, published in instances(chosen.graphs):
        for method in _methods(instance, fresh=not published):
            if (instance.name, method) in done:
                continue
            run = _run(instance, method, limit, workers)
            line = {"name": instance.name, "published": published, **run}
            lines.append(line)
            with chosen.runs.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(*line.values(), flush=True)
    if chosen.markdown is not None:
        chosen.markdown.write_text(page(lines, limit, workers), encoding="utf-8")


if __name__ == "__main__":
    main()
