"""Published tables: suppressed cells of real microdata, beside what is cheap.

Adult with 8 and with 14 columns, Census-income and Letter for several k, beside a
greedy of nearest neighbours; and wishes on samples of Adult, each beside a table that
keeps it by construction. Writes ``published_tables.md``; the runs are lines of
``published_tables.jsonl`` and ``published_wishes.jsonl``.

    python -m scripts.benchmarks.published_tables --data DIR [--time-limit S]
        [--wish-limit S] [--greedy-limit S] [--ks K ...] [--rows N ...] [--seeds N]
        [--only PATTERN] [--workers N] [--out DIR]

DIR holds adult/adult_qi9.csv.gz, adult/adult_full.csv.gz, letter/letter.csv.gz and
census_income/census_income_qi9.csv.gz, the folder of
scripts/studies/datasets.py; the first columns of adult_full and letter, split and
class, are left out. PATTERN chooses tables; with one that none matches, such as "^$",
there are wishes only.
"""

from __future__ import annotations

import argparse
import random
import re
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

import atleastk
from atleastk import KAnonymity, Suppression
from atleastk.arrays import IntArray
from atleastk.models.suppression import check, mask_of, solution_of_groups
from atleastk.research.studies.results import gap_of
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.suppression.padding import padded, pieces
from scripts.benchmarks.measured import OUT, Run, judged, measured, software
from scripts.studies.datasets import Rows, read_rows

NAME = "published_tables"
AGE, SEX, COLUMNS = 0, 6, 8
"""Columns of Adult, of which wishes are made."""

K = 3
"""Of the tables with wishes."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish on a table, and the cost of one that keeps it by construction."""

    instance: Suppression
    seed: int
    baseline: str
    cost: int | None


def tables(data: Path) -> Mapping[str, Rows]:
    return {
        "Adult": read_rows(data / "adult/adult_qi9.csv.gz", COLUMNS),
        "Adult, 14 columns": _but_first(data / "adult/adult_full.csv.gz", 15),
        "Census-income": read_rows(
            data / "census_income/census_income_qi9.csv.gz", COLUMNS
        ),
        "Letter": _but_first(data / "letter/letter.csv.gz", 17),
    }


def _but_first(path: Path, columns: int) -> Rows:
    return [row[1:] for row in read_rows(path, columns)]


def greedy(instance: Any, seconds: float) -> Run | None:
    """Group the first row left with the k - 1 that the group loses fewest columns to.

    They join one by one. Rows left over join the group where they cost least. None if
    it takes longer than so many seconds.
    """
    k, began = instance.k, time.perf_counter()
    codes = instance.records.codes[instance.records.record_of].T
    every = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
    rows, left = every, np.arange(instance.n)
    groups: list[list[int]] = []
    while len(left) >= k:
        if time.perf_counter() - began > seconds:
            return None
        group, kept = [0], np.ones(len(rows), dtype=np.bool_)
        while len(group) < k:
            lost = (rows[kept] != rows[kept, :1]).sum(axis=0, dtype=np.uint8)
            lost[group] = 255
            group.append(int(lost.argmin()))
            kept &= rows[:, group[-1]] == rows[:, 0]
        groups.append(left[group].tolist())
        rows, left = np.delete(rows, group, axis=1), np.delete(left, group)
    model = every[:, [group[0] for group in groups]].T
    keeps = np.array([_alike(every[:, group]) for group in groups])
    for row in left:
        after = keeps & (model == every[:, row])
        size = np.array([len(group) for group in groups])
        costs = (size + 1) * (~after).sum(axis=1) - size * (~keeps).sum(axis=1)
        best = int(costs.argmin())
        groups[best].append(int(row))
        keeps[best] = after[best]
    took = time.perf_counter() - began
    return {"cost": judged(instance, groups), "seconds": took}


def _alike(columns: IntArray) -> IntArray:
    return np.asarray((columns == columns[:, :1]).all(axis=1))


def wishes(rows: Rows, seed: int, seconds: float, workers: int) -> Iterator[Wish]:
    """Yield wishes on a sample of Adult, with what keeps them.

    Baselines have as much time as the wishes: men and women apart, by their shares.
    """

    def anonymised(some: Rows, share: float = 1.0) -> Any:
        return atleastk.solve(KAnonymity(some, K), share * seconds, workers=workers)

    def wished(name: str, baseline: str, cost: int | None = None, **wish: Any) -> Wish:
        called = f"{name}, {len(rows)} rows"
        instance = Suppression(rows, K, name=called, **wish)
        if cost is None:
            verdict = check(instance, padded(instance, groups))
            cost = verdict.cost if verdict.feasible else None
        return Wish(instance, seed, baseline, cost)

    plain = Suppression(rows, K)
    apart = 0
    for piece in pieces(plain, (SEX,)):
        some = [rows[i] for i in piece]
        apart += anonymised(some, len(some) / len(rows)).cost
    groups = anonymised(rows).groups
    hidden = mask_of(plain, solution_of_groups(plain, groups))
    fewest = np.argsort(hidden.sum(axis=0), kind="stable")
    values = np.argsort([len(set(column)) for column in zip(*rows, strict=True)])
    rest = [j for j in range(COLUMNS) if j not in (SEX, AGE)]
    by_age = sorted(range(len(rows)), key=lambda i: int(rows[i][AGE]))
    ages = [[*same] for _, same in groupby(by_age, key=lambda i: rows[i][AGE])]
    most = int(hidden.sum(axis=1).max())
    both, same = "men and women apart", "plain, padded"
    yield wished("intact sex", both, apart, intact=[SEX])
    yield wished("sex > all", both, apart, column_order=[[SEX], [AGE, *rest]])
    yield wished("sex > age", same, column_order=[[SEX], [AGE], rest])
    yield wished("fewest first", same, column_order=fewest[:, None].tolist())
    yield wished("by values", same, column_order=values[:, None].tolist())
    yield wished("rows by age", same, row_order=ages)
    yield wished(f"{most} a row", same, limits={"per_row": most})


def report(
    runs: Sequence[Run],
    rivals: Sequence[Run | None],
    made: Sequence[Wish],
    wished: Sequence[Run],
    command: str,
) -> Iterator[str]:
    yield "# Published tables"
    yield ""
    limits = (run["limit"] for run in (*runs, *wished))
    seconds = dict.fromkeys(f"{limit:g} s" for limit in limits)
    yield f"Suppressed cells in {' and '.join(seconds)} a run. Made by"
    yield ""
    yield from ["```console", f"$ {command}", "```", ""]
    yield software()
    yield ""
    heads = ("cells>", "at least>", "gap>", "first answer, s>")
    rows = [
        (*run["name"].split(" k="), *_told(run), *_rival(rival))
        for run, rival in zip(runs, rivals, strict=True)
    ]
    if rows:
        head = ["table", "", *heads, "greedy>", "its seconds>"]
        yield from [*markdown_table(head, rows), ""]
    yield (
        "Wishes on samples of Adult. *Fewest first*, *by values*: an order of all "
        "columns, by the cells that the plain table loses, or by the number of values; "
        "*a row*: at most so many cells of a row, the most of the plain table."
    )
    yield ""
    rows = [
        (run["name"], str(wish.seed), *_told(run), wish.baseline, _number(wish.cost))
        for wish, run in zip(made, wished, strict=True)
    ]
    yield from markdown_table(["wish", "seed>", *heads, "baseline", "cells>"], rows)


def _told(run: Run) -> tuple[str, ...]:
    return (
        _number(run["cost"]),
        _number(run["bound"]),
        f"{gap_of(run):.1%}",
        "none" if run["first"] is None else f"{run['first']:.2f}",
    )


def _rival(rival: Run | None) -> tuple[str, str]:
    if rival is None:
        return "none in time", ""
    return _number(rival["cost"]), f"{rival['seconds']:.1f}"


def _number(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--data", type=Path, metavar="DIR", required=True, help="see above")
    add("--time-limit", type=float, default=30.0)
    add("--wish-limit", type=float, default=8.0)
    add("--greedy-limit", type=float, default=45.0)
    add("--ks", type=int, nargs="+", default=[2, 3, 5, 10])
    add("--rows", type=int, nargs="+", default=[500, 2_000, 20_000])
    add("--seeds", type=int, default=1)
    add("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    add("--workers", type=int, default=2)
    add("--out", type=Path, default=OUT)
    given = sys.argv[1:] if arguments is None else arguments
    chosen: Any = parser.parse_args(given)
    named = tables(chosen.data)
    cases = [
        KAnonymity(rows, k, name=f"{name} k={k}")
        for name, rows in named.items()
        for k in chosen.ks
        if chosen.only.search(f"{name} k={k}")
    ]
    path, workers = chosen.out / f"{NAME}.jsonl", chosen.workers
    runs = measured(cases, path, chosen.time_limit, workers)
    rivals = [greedy(case, chosen.greedy_limit) for case in cases]
    made = [
        wish
        for n in chosen.rows
        for seed in range(chosen.seeds)
        for wish in wishes(
            random.Random(seed).sample(named["Adult"], n),
            seed,
            chosen.wish_limit,
            workers,
        )
    ]
    path = chosen.out / "published_wishes.jsonl"
    asked = [wish.instance for wish in made]
    wished = measured(asked, path, chosen.wish_limit, workers)
    command = shlex.join(["python", "-m", f"scripts.benchmarks.{NAME}", *given])
    text = "\n".join(report(runs, rivals, made, wished, command)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
