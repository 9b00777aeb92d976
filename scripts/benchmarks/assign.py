"""Classes and leagues beside twenty lines of others: swaps, and a model of CP-SAT.

    python -m scripts.benchmarks.assign [--time-limit S] [--workers N] [--markdown PAGE]

Classes are drawn: two friends of every pupil, sexes, pairs apart; teams of four or five
with two of each sex. Leagues are teams at random places, in divisions of four or five.
All three are given the same instance and the same seconds; costs are recomputed here.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

import atleastk
from atleastk.packages import cp_model
from atleastk.research.tables.markdown import markdown_table

Table = list[dict[str, Any]]
Wishes = dict[str, Any]

CLASSES: Final = ((30, 1), (30, 2), (60, 1), (150, 1), (400, 1))
LEAGUES: Final = ((30, 1), (32, 1), (32, 2), (60, 1), (100, 1))


def school_class(n: int, seed: int) -> tuple[Table, Wishes]:
    """Draw a class and its wishes."""
    rng = random.Random(seed)
    table = [{"sex": "fm"[i % 2], "score": round(rng.gauss(60, 15))} for i in range(n)]
    friends = [
        [i + 1, j + 1]
        for i in range(n)
        for j in rng.sample([x for x in range(n) if x != i], 2)
    ]
    apart = [[x + 1 for x in rng.sample(range(n), 2)] for _ in range(n // 15)]
    having = {"sex": (2, None)}
    wishes = {"size": (4, 5), "having": having, "friends": friends, "apart": apart}
    return table, wishes


def league(n: int, seed: int) -> tuple[Table, Wishes]:
    """Draw a league on a map of 4,000 by 2,500 kilometres."""
    rng = random.Random(seed)
    table = [{"x": rng.randint(0, 4000), "y": rng.randint(0, 2500)} for _ in range(n)]
    return table, {"size": (4, 5), "near": ["x", "y"]}


def by_swaps(instance: atleastk.PairPartition, seconds: float) -> int | None:
    """Return the cost of what swaps of two random items find, from random groups."""
    rng, n = random.Random(0), instance.n
    matrix = instance.matrix
    parts = instance.counts[len(instance.counts) // 2]
    best: int | None = None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        order = rng.sample(range(n), n)
        label = np.zeros(n, dtype=np.int64)
        for place, item in enumerate(order):
            label[item] = place % parts
        for _ in range(40 * n):
            i, j = rng.sample(range(n), 2)
            if label[i] != label[j]:
                here, there = label == label[i], label == label[j]
                gain = matrix[i, there].sum() + matrix[j, here].sum()
                gain -= matrix[i, here].sum() + matrix[j, there].sum()
                gain -= 2 * matrix[i, j]
                if gain <= 0 and may_swap(instance, label, i, j):
                    label[i], label[j] = label[j], label[i]
            if time.monotonic() > end:
                break
        groups = [np.flatnonzero(label == g).tolist() for g in range(parts)]
        verdict = atleastk.check(instance, atleastk.Solution.of(groups))
        if verdict.feasible and verdict.cost is not None:
            best = verdict.cost if best is None else min(best, verdict.cost)
    return best


def may_swap(instance: atleastk.PairPartition, label: Any, i: int, j: int) -> bool:
    """Return whether no window is broken by more."""
    for quantity in instance.quantities[1:]:
        a = np.array(quantity.amounts)
        change = a[j] - a[i]
        if change:
            here, there = a[label == label[i]].sum(), a[label == label[j]].sum()
            low = quantity.least
            before = max(0, low - here) + max(0, low - there)
            after = max(0, low - here - change) + max(0, low - there + change)
            if after > before:
                return False
    for some in instance.apart or ():
        for item, other in ((i, j), (j, i)):
            mates = [x for x in some if x not in (item, other)]
            if item in some and any(label[x] == label[other] for x in mates):
                return False
    return True


def by_model(
    instance: atleastk.PairPartition, seconds: float, workers: int
) -> tuple[int | None, int | None]:
    """Return the cost and bound of a model of items in groups."""
    n, parts = instance.n, instance.counts[-1]
    model = cp_model.CpModel()
    x = [[model.new_bool_var("") for _ in range(parts)] for _ in range(n)]
    used = [model.new_bool_var("") for _ in range(parts)]
    for i in range(n):
        model.add_exactly_one(x[i])
    for g in range(parts):
        for quantity in instance.quantities:
            held = sum(a * x[i][g] for i, a in enumerate(quantity.amounts) if a)
            model.add(held >= quantity.low * used[g])
            model.add(held <= quantity.high * used[g])
        model.add(sum(x[i][g] for i in range(n)) >= instance.k * used[g])
        for some in instance.apart or ():
            model.add(sum(x[i][g] for i in some) <= 1)
    costs = []
    for i, j, cost in instance.costs or ():
        both = model.new_bool_var("")
        for g in range(parts):
            if cost > 0:
                model.add_bool_or([x[i][g].Not(), x[j][g].Not(), both])
            else:
                model.add(x[i][g] == x[j][g]).only_enforce_if(both)
        costs.append(cost * both)
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = workers
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, round(solver.best_objective_bound)
    return round(solver.objective_value), round(solver.best_objective_bound)


def rows(seconds: float, workers: int) -> Iterator[Sequence[object]]:
    """Yield a row for every table."""
    for kind, draw, sizes in (
        ("class", school_class, CLASSES),
        ("league", league, LEAGUES),
    ):
        for n, seed in sizes:
            table, wishes = draw(n, seed)
            begun = time.monotonic()
            made = atleastk.assign(
                table, **wishes, time_limit=seconds, workers=workers, seed=1
            )
            took = time.monotonic() - begun
            instance, result = made.instance, made.result
            cost, bound = by_model(instance, seconds, workers)
            yield [
                kind,
                n,
                seed,
                result.cost,
                result.bound,
                str(result.trust or ""),
                f"{took:.1f}",
                by_swaps(instance, seconds),
                cost,
                bound,
            ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--time-limit", type=float, default=20.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args(arguments)
    found = []
    for row in rows(options.time_limit, options.workers):
        print(*row, flush=True)
        found.append(row)
    heads = ["table", "rows>", "seed>", "cost>", "bound>", "trust", "s>"]
    heads += ["swaps>", "CP-SAT>", "its bound>"]
    page = "\n".join(markdown_table(heads, found))
    if options.markdown:
        options.markdown.write_text(page + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
