"""Sweep: the exact methods of k-anonymity against plain enumeration and each other.

    python -m scripts.sweeps.k_anonymity [--instances N] [--seed S] [--most-rows N]
    python -m scripts.sweeps.k_anonymity --agree [--instances N] [--seconds T]
    python -m scripts.sweeps.k_anonymity --related [--instances N] [--seconds T]

Without ``--agree`` or ``--related`` every table can be enumerated, and is solved by a
method drawn at random: one of the package's own, or a form of the model in a back end
whose options are drawn as well, from nothing or from a random solution. The automatic
choice also gets one worker or two, and little memory: lists are then cut off.

With ``--agree`` tables have 20 to 60 rows and are solved by four formulations: patterns
in HiGHS, explicit groups, leaders in CP-SAT (patterns in CP-SAT if leaders end without
a proof), and the automatic choice. All that end with a proof must prove the same.

With ``--related`` tables of 100 to 300 rows are solved by the automatic choice, and
again after a change whose effect on the optimum is known.

A mismatch is printed as one JSON object with the instance, the way it was solved and
what is wrong; the exit code is then 1. Instances small enough to be enumerated are
*shrunk* before. The same seed sweeps the same.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from atleastk.instances.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.admissible.k_anonymity import RowGroups
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.k_anonymity import leader_model, pattern_model
from atleastk.models.encodings.set_partition import set_partition
from atleastk.models.k_anonymity import check
from atleastk.models.patterns import Patterns
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.modelled import modelled
from atleastk.solvers.k_anonymity.closed_patterns import closed_patterns
from atleastk.solvers.k_anonymity.explicit_groups import groups_above
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.k_anonymity.methods import METHODS, solve
from atleastk.solvers.search import Search
from scripts.sweeps.way import (
    BACKENDS,
    SECONDS,
    AnyWay,
    backend_named,
    drawn,
    judgement,
    report,
    shrunk,
    worked_on,
)

FORMS = ("patterns model", "leaders model", "all groups")
"""What a back end is asked."""
AGREEING = (("patterns",), ("groups",), ("leaders", "patterns-cp-sat"), ("auto",))
"""The formulations that must agree; the first of each that ends with a proof."""

_MOST_GROUPS = 50_000
_PLACES = ("first", "second", "third", "fourth")

Run = Callable[[Search[KAnonymity]], None]
Cells = list[list[str | int]]
Shape = Callable[[random.Random, int, int], Cells]


def _uniform(rng: random.Random, n: int, m: int) -> Cells:
    values = rng.choice([2, 2, 3, 4, 6])
    return [[rng.randrange(values) for _ in range(m)] for _ in range(n)]


def _skewed(rng: random.Random, n: int, m: int) -> Cells:
    values = rng.choice([3, 5, 9])
    return [[int(values * rng.random() ** 3) for _ in range(m)] for _ in range(n)]


def _duplicates(rng: random.Random, n: int, m: int) -> Cells:
    palette = _uniform(rng, rng.randint(1, max(1, n // 2)), m)
    return [list(rng.choice(palette)) for _ in range(n)]


def _clusters(rng: random.Random, n: int, m: int) -> Cells:
    centres = _uniform(rng, rng.randint(1, 4), m)
    noise = rng.choice([0.1, 0.3])
    return [
        [rng.randrange(5) if rng.random() < noise else c for c in rng.choice(centres)]
        for _ in range(n)
    ]


def _strange_columns(rng: random.Random, n: int, m: int) -> Cells:
    """Draw columns that are constant, different in every row, or copies of others."""
    columns: list[list[str | int]] = []
    for _ in range(m):
        kind = rng.randrange(4)
        if kind == 0:
            columns.append([7] * n)
        elif kind == 1:
            columns.append(list(range(n)))
        elif kind == 2 and columns:
            columns.append(list(rng.choice(columns)))
        else:
            columns.append([rng.randrange(2) for _ in range(n)])
    return [[column[row] for column in columns] for row in range(n)]


def _texts_and_numbers(rng: random.Random, n: int, m: int) -> Cells:
    values = (1, "1", "*", "", 2**70)
    return [[rng.choice(values) for _ in range(m)] for _ in range(n)]


def _few_records(rng: random.Random, n: int, m: int) -> Cells:
    palette = _uniform(rng, rng.randint(1, 3), m)
    return [list(rng.choice(palette)) for _ in range(n)]


def _twin_columns(rng: random.Random, n: int, m: int) -> Cells:
    half = _uniform(rng, n, (m + 1) // 2)
    return [(row + row)[:m] for row in half]


def _one_differs(rng: random.Random, n: int, m: int) -> Cells:
    """Draw rows that differ from one or two others in a single cell."""
    centres = [[i] * m for i in range(rng.randint(1, 2))]
    table: Cells = [[*rng.choice(centres)] for _ in range(n)]
    for row in table:
        if m:
            row[rng.randrange(m)] = rng.randrange(3)
    return table


SHAPES: Mapping[str, Shape] = {
    "uniform": _uniform,
    "skewed": _skewed,
    "duplicates": _duplicates,
    "clusters": _clusters,
    "strange columns": _strange_columns,
    "texts and numbers": _texts_and_numbers,
    "few records": _few_records,
    "twin columns": _twin_columns,
    "one cell differs": _one_differs,
}
"""How the cells of random tables are distributed."""


def random_instance(rng: random.Random, most_rows: int = 8) -> KAnonymity:
    """Return a table of a random shape; k from 1 to beyond the rows."""
    n = rng.choice([*range(most_rows + 1), most_rows, most_rows])
    m = rng.choice([0, 1, 2, 3, 3, 4, 4, 5, 6])
    special = [max(1, n // 2), max(1, n - 1), max(1, n), n + 1]
    k = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, *special])
    return KAnonymity(SHAPES[rng.choice([*SHAPES])](rng, n, m), k)


def larger_instance(rng: random.Random) -> KAnonymity:
    """Return a table of 20 to 60 rows."""
    shape = SHAPES[rng.choice([*SHAPES])]
    n, m = rng.randint(20, 60), rng.randint(2, 6)
    return KAnonymity(shape(rng, n, m), rng.choice([2, 2, 3, 3, 4, 5]))


def medium_instance(rng: random.Random) -> KAnonymity:
    """Return a table of 100 to 300 rows."""
    shape = SHAPES[rng.choice([*SHAPES])]
    n, m = rng.randint(100, 300), rng.randint(3, 7)
    return KAnonymity(shape(rng, n, m), rng.choice([2, 2, 3, 4, 5]))


@dataclass(frozen=True, slots=True)
class Related:
    """A table made from another one, and what is known of its optimum.

    Attributes
    ----------
    change
        What was changed.
    least, most
        Its optimum, given the bound and the cost of the other table.
    """

    change: str
    instance: KAnonymity
    least: Callable[[int], int] = lambda bound: bound
    most: Callable[[int], float] = lambda cost: cost


def related(rng: random.Random, instance: KAnonymity) -> Related:
    """Return a random change of a table."""
    table, n, m = [list(row) for row in instance.table], instance.n, instance.m
    column, row = rng.randrange(m), rng.randrange(n)
    order, places = rng.sample(range(m), m), rng.sample(range(n), n)
    names: dict[object, str] = {}
    changes: Sequence[Callable[[], Related]] = (
        lambda: Related(
            "rows and columns permuted",
            replace(instance, table=[[table[i][j] for j in order] for i in places]),
        ),
        lambda: Related(
            "values renamed",
            replace(
                instance,
                table=[
                    [names.setdefault((j, v), f"v{rng.random()}") for j, v in pairs]
                    for pairs in map(enumerate, table)
                ],
            ),
        ),
        lambda: Related(
            "a constant column more",
            replace(instance, table=[["same", *cells] for cells in table]),
        ),
        lambda: Related(
            "all columns twice",
            replace(instance, table=[cells * 2 for cells in table]),
            lambda bound: 2 * bound,
            lambda cost: 2 * cost,
        ),
        lambda: Related(
            "a column twice",
            replace(instance, table=[[*cells, cells[column]] for cells in table]),
            most=lambda cost: 2 * cost,
        ),
        lambda: Related(
            "a column less",
            replace(
                instance,
                table=[cells[:column] + cells[column + 1 :] for cells in table],
            ),
            lambda bound: bound - n,
        ),
        lambda: Related(
            "a row twice",
            replace(instance, table=[*table, table[row]]),
            lambda _: 0,
            lambda cost: cost + m,
        ),
        lambda: Related(
            "greater k",
            replace(instance, k=instance.k + 1),
            most=lambda _: float("inf"),
        ),
        lambda: Related(
            "all rows twice, k doubled",
            replace(instance, table=table * 2, k=2 * instance.k),
            lambda _: 0,
            lambda cost: 2 * cost,
        ),
    )
    return rng.choice(changes)()


class Way(AnyWay[KAnonymity]):
    """``"auto"``, the name of one of the package's methods, or one of `FORMS`."""

    @property
    def run(self) -> Run:
        """What solves a search in this way."""
        if self.form == "auto":
            return solve
        if not self.backend:
            return next(method.run for method in METHODS if method.name == self.form)
        backend = backend_named(self.backend, self.options)
        encode = _ENCODINGS[self.form]
        return modelled(self.name, "", encode, backend, begin).run


def random_way(
    rng: random.Random,
    forms: Sequence[str] = FORMS,
    backends: Sequence[str] = BACKENDS,
) -> Way:
    """Return a form of the model in a back end with random options."""
    return Way(**drawn(rng, forms, backends))


def random_auto(rng: random.Random) -> Way:
    """Return the automatic choice under a random budget."""
    return Way(
        "auto",
        seed=rng.randrange(1000),
        workers=rng.choice([1, 1, 2]),
        memory=rng.choice([None, None, *(48.0 * 2**i for i in range(9))]),
    )


def random_start(rng: random.Random, instance: KAnonymity) -> list[list[int]]:
    """Return a random solution of a table of at least k rows."""
    rows = rng.sample(range(instance.n), instance.n)
    groups: list[list[int]] = []
    while len(rows) >= 2 * instance.k and rng.random() < 0.9:
        size = rng.randint(instance.k, len(rows) - instance.k)
        groups.append(rows[:size])
        rows = rows[size:]
    return [*groups, rows]


def fault(instance: KAnonymity, way: Way) -> str | None:
    """Return what is wrong when an instance is solved this way; None if nothing is.

    A refusal is nothing wrong; see :func:`solved`.
    """
    best = optimum(instance)
    return judgement(partial(solved, instance, way), None if best is None else best[0])


def solved(
    instance: KAnonymity, way: Way, seconds: float = SECONDS
) -> Search[KAnonymity] | None:
    """Return the search after it was worked on in this way; None if it was refused."""
    if way.refuses(instance):
        return None
    search = Search(instance, check, way.budget(seconds))
    if way.start is not None and instance.n >= instance.k:
        search.offer(random_start(random.Random(way.start), instance), "start")
    return worked_on(search, way, may_refuse=bool(way.backend))


def _smaller(instance: KAnonymity) -> Iterator[KAnonymity]:
    """Give tables with a row or column less, a plainer cell, or a smaller k."""
    table, k = [list(row) for row in instance.table], instance.k
    for i in range(len(table)):
        yield replace(instance, table=table[:i] + table[i + 1 :])
    for j in range(instance.m):
        yield replace(instance, table=[row[:j] + row[j + 1 :] for row in table])
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            if cell != 0:
                plain = [*row[:j], 0, *row[j + 1 :]]
                yield replace(instance, table=[*table[:i], plain, *table[i + 1 :]])
    if k > 1:
        yield replace(instance, k=k - 1)


def disagreement(
    instance: KAnonymity, seconds: float
) -> tuple[str | None, Counter[str], bool]:
    """Compare formulations; return what is wrong, whose proofs, and whether all ended.

    What is wrong is None if nothing is.
    """
    searches: dict[str, Search[KAnonymity]] = {}
    proofs: Counter[str] = Counter()
    for place, names in zip(_PLACES, AGREEING, strict=True):
        for name in names:
            try:
                search = solved(instance, Way(name), seconds)
            except Exception as error:  # as in `fault`
                return f"{name}: {type(error).__name__}: {error}", proofs, False
            if search is not None:
                searches[name] = search
            if search is not None and search.closed:
                proofs[f"{place}: {name}"] += 1
                break
    least = min(search.cost or 0 for search in searches.values())
    for name, search in searches.items():
        if (search.bound or 0) > least or (search.closed and search.cost != least):
            claims = {n: (s.cost, s.bound) for n, s in searches.items()}
            return f"{name} is contradicted: {claims}", proofs, False
    return None, proofs, proofs.total() == len(AGREEING)


def inconsistency(
    instance: KAnonymity, other: Related, ways: tuple[Way, Way], seconds: float
) -> tuple[str | None, bool]:
    """Compare a table with a related one; return what is wrong, and if both closed.

    What is wrong is None if nothing is.
    """
    found: list[Search[KAnonymity]] = []
    for table, way in zip((instance, other.instance), ways, strict=True):
        try:
            search = solved(table, way, seconds)
        except Exception as error:  # as in `fault`
            return f"{type(error).__name__}: {error}", False
        if search is None or search.infeasible or search.cost is None:
            return "a table of at least k rows was refused", False
        found.append(search)
    (bound, cost), (new_bound, new_cost) = (
        (search.bound or 0, search.cost or 0) for search in found
    )
    if other.least(bound) > new_cost or new_bound > other.most(cost):
        claims = f"[{bound}, {cost}] and [{new_bound}, {new_cost}]"
        return f"{other.change}: {claims}", False
    return None, all(search.closed for search in found)


def _patterns(instance: KAnonymity) -> Patterns:
    patterns = closed_patterns(instance.records, instance.k)
    if patterns is None:
        message = "the table has too many closed patterns"
        raise NotApplicableError(message)
    return patterns


def _pattern_model(instance: KAnonymity) -> Encoding:
    return pattern_model(instance.records, instance.k, _patterns(instance))


def _all_groups(instance: KAnonymity) -> Encoding:
    """Return the exact cover by all groups of k to 2k-1 rows."""
    groups = RowGroups.of(instance, _patterns(instance))
    weights = [0] * instance.records.distinct
    below = -instance.n * (instance.m + 1)
    listed = groups_above(groups, weights, 1, below, Budget(), _MOST_GROUPS)
    if listed is None:
        message = "the table has too many groups"
        raise NotApplicableError(message)
    return set_partition(listed, groups.kinds, groups.parts)


_ENCODINGS: Mapping[str, Callable[[KAnonymity], Encoding]] = {
    "patterns model": _pattern_model,
    "leaders model": leader_model,
    "all groups": _all_groups,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--related", action="store_true")
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most-rows", type=int, default=8, choices=range(1, 11))
    parser.add_argument("--seconds", type=float, default=10.0)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    if chosen.agree:
        return _agree(rng, chosen.instances, chosen.seconds)
    if chosen.related:
        return _relate(rng, chosen.instances, chosen.seconds)
    return _sweep(rng, chosen.instances, chosen.most_rows)


def _sweep(rng: random.Random, instances: int, most_rows: int) -> int:
    own = ["auto", *(method.name for method in METHODS)]
    ways: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, instances + 1):
        instance = random_instance(rng, most_rows)
        start = rng.choice([None, rng.randrange(2**31)])
        auto = replace(random_auto(rng), start=start)
        way = rng.choice([auto, Way(rng.choice(own), start=start), random_way(rng)])
        ways[way.name] += 1
        if fault(instance, way) is not None:
            mismatches += 1
            print(mismatch(instance, way), flush=True)
        if number % 100 == 0 or number == instances:
            print(f"{number}/{instances}: {mismatches} mismatches", flush=True)
    _print_counts(ways)
    return 1 if mismatches else 0


def _agree(rng: random.Random, instances: int, seconds: float) -> int:
    proofs: Counter[str] = Counter()
    mismatches = compared = 0
    for number in range(1, instances + 1):
        instance = larger_instance(rng)
        wrong, proved, all_ended = disagreement(instance, seconds)
        proofs += proved
        compared += all_ended
        if wrong is not None:
            mismatches += 1
            document = {"fault": wrong, "instance": instance.to_dict()}
            print(json.dumps(document), flush=True)
        if number % 10 == 0 or number == instances:
            print(
                f"{number}/{instances}: {mismatches} mismatches, {compared} proved by "
                f"all {len(AGREEING)}",
                flush=True,
            )
    _print_counts(proofs)
    return 1 if mismatches else 0


def _relate(rng: random.Random, instances: int, seconds: float) -> int:
    changes: Counter[str] = Counter()
    mismatches = closed = 0
    for number in range(1, instances + 1):
        instance = medium_instance(rng)
        other = related(rng, instance)
        ways = (random_auto(rng), random_auto(rng))
        wrong, both = inconsistency(instance, other, ways, seconds)
        changes[other.change] += 1
        closed += both
        if wrong is not None:
            mismatches += 1
            document = {
                "fault": wrong,
                "instance": instance.to_dict(),
                "related": other.instance.to_dict(),
                "ways": [asdict(way) for way in ways],
            }
            print(json.dumps(document), flush=True)
        if number % 10 == 0 or number == instances:
            print(
                f"{number}/{instances}: {mismatches} mismatches, {closed} pairs proved",
                flush=True,
            )
    _print_counts(changes)
    return 1 if mismatches else 0


def _print_counts(counts: Counter[str]) -> None:
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")


def mismatch(instance: KAnonymity, way: Way) -> str:
    """Return a mismatch, shrunk, as a JSON object."""
    instance, way = shrunk(instance, way, _smaller, fault)
    return report(instance, way, fault=fault(instance, way))


if __name__ == "__main__":
    sys.exit(main())
