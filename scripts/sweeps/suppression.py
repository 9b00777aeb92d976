"""Sweep: the exact methods of the suppression family against plain enumeration.

    python -m scripts.sweeps.suppression [--instances N] [--seed S] [--ways NAME ...]
    python -m scripts.sweeps.suppression --small [--all-limits] [--share N] [--seed S]

Without ``--small`` random tables get random fields, any combination of them, and are
solved in ways drawn at random: by the automatic choice with one worker or two and maybe
little memory, by one of the package's methods, or by the model of cells in a back end
whose options are drawn as well; from nothing or from a random solution.

With ``--small`` every table of up to 4 rows and 4 columns and 9 cells, up to the names
of its values, meets all 44 minimisations, 23 decisions and 23 maximisations of k.
Limits, orders and k are drawn, or all limits and all k are tried; every way solves each
of these instances. ``--share N`` keeps every N-th of them, beginning with number S.

A mismatch is printed as one JSON object with the instance, *shrunk*, the way it was
solved and what is wrong; the exit code is then 1. The same seed sweeps the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice, pairwise, product
from typing import Any

import numpy as np

from atleastk.instances.errors import InvalidInstanceError, NotApplicableError
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import (
    DECISIONS,
    MAXIMISATIONS,
    MINIMISATIONS,
    QUANTITIES,
    Variant,
)
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.solution import Solution
from atleastk.models.suppression import (
    check,
    mask_of,
    solution_of_groups,
    solution_of_mask,
)
from atleastk.solvers.brute_force.suppression import CELLS, Outcomes, best_grouping
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.methods import METHODS, solve
from scripts.sweeps.k_anonymity import SHAPES, random_auto, random_start
from scripts.sweeps.way import (
    BACKENDS,
    AnyWay,
    backend_named,
    judgement,
    random_options,
    report,
    shrunk,
    worked_on,
)

CELL_MODEL = "cell model"
"""The form that asks a back end directly."""
SMALL = ((1, 4), (2, 4), (3, 3), (4, 2))
"""Rows, and the most columns, of the tables that are all tried."""

_TRIALS = 20

Run = Callable[[Search[Suppression]], None]
Order = list[list[int]]


class Way(AnyWay[Suppression]):
    """A way to solve an instance: ``"auto"``, a method, or the model of cells."""

    @property
    def run(self) -> Run:
        """What solves a search in this way."""
        if self.form == "auto":
            return solve
        if not self.backend:
            return next(method.run for method in METHODS if method.name == self.form)
        return partial(_minimise_cells, way=self)

    def refuses(self, instance: Suppression) -> bool:
        """Tell whether the package says beforehand that this way is not for it."""
        if self.form == CELL_MODEL:
            return instance.minimise == "k"
        return super().refuses(instance)


def _minimise_cells(search: Search[Suppression], way: Way) -> None:
    backend = backend_named(way.backend, way.options)
    minimise_encoded(search, cell_model(search.instance), backend, way.name)


def own_ways() -> list[Way]:
    """Return the automatic choice, the package's methods, and the model of cells."""
    return [
        Way("auto"),
        *(Way(method.name) for method in METHODS),
        *(Way(CELL_MODEL, backend) for backend in ("CP-SAT", "HiGHS", "SAT")),
    ]


def random_way(rng: random.Random, ways: Sequence[Way]) -> Way:
    """Return one of the ways, with everything drawn that it leaves open."""
    start = rng.choice([None, rng.randrange(2**31)])
    way = rng.choice(ways)
    if way.form == "auto":
        return Way(**asdict(replace(random_auto(rng), start=start)))
    if way.form == CELL_MODEL:
        backend = rng.choice(BACKENDS)
        options = random_options(rng, backend)
        way = replace(way, backend=backend, options=options, seed=rng.randrange(2**31))
    return replace(way, start=start)


def random_order(rng: random.Random, count: int) -> Order | None:
    """Return an importance order of two classes or more; None of fewer than two."""
    if count < 2:
        return None
    members = rng.sample(range(count), count)
    cuts = sorted(rng.sample(range(1, count), rng.randint(1, min(count - 1, 2))))
    return [members[i:j] for i, j in pairwise([0, *cuts, count])]


def random_instance(rng: random.Random) -> Suppression:
    """Return a random table, of few cells or few rows, with random fields."""
    if rng.random() < 0.7:
        n = rng.choice([0, 1, *(3 * [2, 3, 4, 5, 6, 7])])
        m = rng.randint(0, min(6, CELLS // max(1, n)))
        k = rng.choice([1, 2, 2, 2, 2, 2, 3, 3, max(1, n // 2), max(1, n), n + 1])
    else:
        n, m, k = rng.randint(4, 7), rng.randint(2, 4), rng.choice([2, 2, 2, 3, 3, 4])
    table = SHAPES[rng.choice([*SHAPES])](rng, n, m)
    tops = _tops(n, m)
    limited = rng.sample(QUANTITIES, rng.choice([0, 0, 1, 1, 2, 2, 3, 5]))
    limits = {q: max(rng.randint(0, tops[q] + 1) for _ in range(2)) for q in limited}
    minimise = rng.choice([*QUANTITIES, *QUANTITIES, "none", "k"])
    regional = not {"rows", "columns"}.isdisjoint({*limits, minimise})
    deletion = regional and rng.random() < 0.35
    ranked = 0.0 if deletion else 0.3
    return Suppression(
        table,
        k,
        columns=None if n else [f"c{j}" for j in range(m)],
        minimise=minimise,
        limits=limits,
        deletion=deletion,
        row_order=random_order(rng, n) if rng.random() < ranked else None,
        column_order=random_order(rng, m) if rng.random() < ranked else None,
        intact=[rng.randrange(m)] if m and rng.random() < 0.15 else (),
    )


def small_tables() -> Iterator[list[list[int]]]:
    """Give all small tables, the values of every column named in order."""
    for n, most in SMALL:
        for m in range(1, most + 1):
            for columns in product(_namings(n), repeat=m):
                yield [list(row) for row in zip(*columns, strict=True)]


def _namings(n: int) -> list[tuple[int, ...]]:
    """Return the columns of n values in which every new value is the next number."""
    namings: list[tuple[int, ...]] = [()]
    for _ in range(n):
        namings = [(*c, v) for c in namings for v in range(max(c, default=-1) + 2)]
    return namings


def small_instances(
    rng: random.Random, *, all_limits: bool = False
) -> Iterator[Suppression]:
    """Give instances of all problems of the family on all small tables."""
    problems = {**MINIMISATIONS, **DECISIONS, **MAXIMISATIONS}
    for table in small_tables():
        for variant in problems.values():
            yield from problem_instances(rng, table, variant, all_limits=all_limits)


def problem_instances(
    rng: random.Random,
    table: Sequence[Sequence[int]],
    variant: Variant,
    *,
    all_limits: bool = False,
) -> Iterator[Suppression]:
    """Give one instance of a problem on a table, or those of all k and limits.

    An order is drawn; of fewer than two rows or columns there is none, nor an instance.
    """
    n, m = len(table), len(table[0])
    tops = _tops(n, m)
    orders = {}
    if variant.order is not None:
        order = random_order(rng, n if variant.order == "rows" else m)
        if order is None:
            return
        orders[f"{variant.order.removesuffix('s')}_order"] = order
    sizes = range(1, n + 2)
    ranges = [range(tops[quantity] + 1) for quantity in variant.limits]
    if not all_limits:
        sizes = range(k := rng.choice([1, n + 1, *(5 * [*sizes[1:-1]])]), k + 1)
        ranges = [range(limit := rng.choice(r), limit + 1) for r in ranges]
    for k, *limits in product(sizes, *ranges):
        named = dict(zip(variant.limits, limits, strict=True))
        yield Suppression.named(str(variant), table, k, named, **orders)


def _tops(n: int, m: int) -> dict[str, int]:
    return dict(zip(QUANTITIES, (n, m, n * m, m, n), strict=True))


class Judge:
    """Plain enumeration, which keeps the outcomes of the last table."""

    def __init__(self) -> None:
        self._outcomes: Outcomes | None = None

    def __call__(self, instance: Suppression) -> int | None:
        """Return the least cost; None if infeasible."""
        if instance.n * instance.m > CELLS or not instance.n:
            return best_grouping(instance)
        if self._outcomes is None or self._outcomes.table != instance.table:
            self._outcomes = Outcomes.of(instance.table)
        return self._outcomes.best(instance)


judged = Judge()


def starting(rng: random.Random, instance: Suppression) -> Solution | None:
    """Return a random solution within the limits; None if none is found soon."""
    if instance.n < instance.k or not instance.n:
        return None
    for _ in range(_TRIALS):
        groups = random_start(rng, instance)
        solution = solution_of_groups(instance, groups)
        hidden = mask_of(instance, solution)
        for group in groups:
            more = [j for j in range(instance.m) if rng.random() < 0.1]
            hidden[np.ix_(group, more)] = True
        for candidate in (solution_of_mask(instance, hidden), solution):
            if check(instance, candidate).feasible:
                return candidate
    return None


def fault(instance: Suppression, way: Way) -> str | None:
    """Return what is wrong when an instance is solved this way; None if nothing is.

    A refusal is nothing wrong, see :func:`solved`, nor is what cannot be judged.
    """
    try:
        best = judged(instance)
    except NotApplicableError:
        return None
    return judgement(partial(solved, instance, way), best)


def solved(instance: Suppression, way: Way) -> Search[Suppression] | None:
    """Return the search after it was worked on in this way; None if it was refused."""
    if way.refuses(instance):
        return None
    search = Search(instance, check, way.budget())
    if way.start is not None:
        start = starting(random.Random(way.start), instance)
        if start is not None:
            search.offer(start, "start")
    return worked_on(search, way, may_refuse=bool(way.backend))


def _smaller(instance: Suppression) -> Iterator[Suppression]:
    """Give the instances that lack a field, a row, a column, or a particular cell."""
    for changes in _changes(instance):
        try:
            yield replace(instance, **changes)
        except InvalidInstanceError:  # such as a deletion without its last limit
            continue


def _changes(instance: Suppression) -> Iterator[dict[str, Any]]:
    table = [list(row) for row in instance.table]
    for quantity in instance.limits:
        rest = {q: most for q, most in instance.limits.items() if q != quantity}
        yield {"limits": rest}
    for name, nothing in (
        ("row_order", None),
        ("column_order", None),
        ("intact", ()),
        ("deletion", False),
    ):
        if getattr(instance, name):
            yield {name: nothing}
    for i in range(instance.n if instance.n > 1 else 0):
        order = _without(instance.row_order, i)
        yield {"table": table[:i] + table[i + 1 :], "row_order": order}
    for j in range(instance.m if instance.n else 0):
        kept = [c - (c > j) for c in instance.intact if c != j]
        yield {
            "table": [row[:j] + row[j + 1 :] for row in table],
            "column_order": _without(instance.column_order, j),
            "intact": kept,
        }
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            if cell != 0:
                plain = [*row[:j], 0, *row[j + 1 :]]
                yield {"table": [*table[:i], plain, *table[i + 1 :]]}
    if instance.k > 1:
        yield {"k": instance.k - 1}


def _without(order: Sequence[Sequence[int]] | None, gone: int) -> Order | None:
    """Return an order of one member less; None if it has one class left."""
    classes = [[i - (i > gone) for i in c if i != gone] for c in order or ()]
    classes = [members for members in classes if members]
    return classes if len(classes) > 1 else None


def mismatch(instance: Suppression, way: Way, first: str) -> str:
    """Return a mismatch, shrunk, as a JSON object; `first` is what was wrong before.

    If nothing is wrong any more, what was wrong comes and goes with the time.
    """
    instance, way = shrunk(instance, way, _smaller, fault)
    return report(instance, way, fault=fault(instance, way), first=first)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--all-limits", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--instances", type=int, default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ways", nargs="+", default=None, metavar="NAME")
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    ways = [way for way in own_ways() if chosen.ways is None or way.name in chosen.ways]
    if not ways:
        known = ", ".join(way.name for way in own_ways())
        parser.error(f"--ways: none of these is known; there are {known}")
    if chosen.small:
        everything = small_instances(rng, all_limits=chosen.all_limits)
        share = islice(everything, chosen.seed % chosen.share, None, chosen.share)
        return _sweep((i, way) for i in islice(share, chosen.instances) for way in ways)
    count = 1000 if chosen.instances is None else chosen.instances
    return _sweep((random_instance(rng), random_way(rng, ways)) for _ in range(count))


def _sweep(runs: Iterator[tuple[Suppression, Way]]) -> int:
    counts: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    mismatches = 0
    for number, (instance, way) in enumerate(runs, start=1):
        if way.refuses(instance):
            refusals[way.name] += 1
            continue
        counts[way.name] += 1
        wrong = fault(instance, way)
        if wrong is not None:
            mismatches += 1
            print(mismatch(instance, way, wrong), flush=True)
        if number % 10_000 == 0:
            print(f"{counts.total()} runs: {mismatches} mismatches", flush=True)
    print(f"{counts.total()} runs: {mismatches} mismatches", flush=True)
    for name in sorted({*counts, *refusals}):
        print(f"{counts[name]:6} {name}, {refusals[name]} refused")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
