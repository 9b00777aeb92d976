"""Check every reduction of the suppression family to itself on small instances.

    python -m scripts.reductions.check_reduction_web [--cells N] [--image N]
        [--random N] [--seed S] [--out DIR] [--pictures DIR] [--sources FILE]
        [--data FILE] [--redraw]

Takes every table of up to N cells, up to the names of its values and the order of its
rows and columns; every k from 1 to n + 1; every importance order; and every limit from
0 to one above what the table can have - for rows n + k too. Random tables over three
values follow. Both sides are solved by all masks of suppressed cells; images of more
than N cells are passed over. Compared are yes with yes and no with no; the optima of
the minimisations; and solutions of images, mapped back: whether they are feasible, and
no farther from the optimum than they were.

Each edge is checked in its readings: as printed, unless that defines nothing; as meant;
and repaired.

Writes reduction_web.json and reduction_web.md into one directory, and the pictures of
both webs, web_many_one.png and web_l.png, into another. What is known of reductions
from outside of the family comes from the report of check_sources.py; how all fared goes
into the package, as checked.json. With --redraw nothing is checked: all is made anew of
reduction_web.json. The exit code is 1 if a repaired reduction is refuted, or a printed
one where its hypotheses hold.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

import numpy as np

from atleastk import InvalidInstanceError, Suppression
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.suppression_rules import READINGS, RULES, Rule
from atleastk.instances.reductions.suppression_web import reduction_of
from atleastk.instances.suppression_names import Variant
from atleastk.research.adversary.tiny import renamed_columns
from atleastk.research.claims.chaytor06.web import drawn_instance, most_of
from atleastk.solvers.brute_force.suppression import Outcomes
from scripts.reductions.reduction_web_report import (
    DATA,
    consequences,
    draw_webs,
    markdown,
    rows_of_sources,
    rows_of_web,
    write_rows,
)

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "reduction_web"
Shapes = Iterable[tuple[int, int]]
Cell = tuple[int, int]
Table = tuple[tuple[str, ...], ...]
Order = tuple[tuple[int, ...], ...]

ALL_SOLUTIONS_CELLS = 6
"""Up to so many cells of an image all of its solutions are mapped back."""

SOME_SOLUTIONS = 2
"""How many are of larger images."""

FEW_CELLS = 12
"""Images of more cells with k = 1 are passed over: every mask is a solution."""


def tables_of(n: int, m: int) -> list[Table]:
    """Return all tables of n x m, one of all that are alike.

    A column matters by which of its cells are equal only.
    """
    seen: dict[tuple[tuple[int, ...], ...], None] = {}
    for chosen in combinations_with_replacement(renamed_columns(n), m):
        forms = (
            tuple(sorted(_renamed([column[i] for i in order]) for column in chosen))
            for order in permutations(range(n))
        )
        seen.setdefault(min(forms))
    return [
        tuple(tuple("abcdefgh"[column[i]] for column in table) for i in range(n))
        for table in seen
    ]


def _renamed(column: Sequence[int]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(value, len(names)) for value in column)


@lru_cache
def orders_of(count: int) -> tuple[Order, ...]:
    """Return all importance orders: ordered partitions into two classes or more."""
    return tuple(
        tuple(tuple(i for i in range(count) if ranks[i] == r) for r in range(classes))
        for classes in range(2, count + 1)
        for ranks in product(range(classes), repeat=count)
        if len(set(ranks)) == classes
    )


def instances_of(variant: Variant, table: Table, k: int) -> Iterator[Suppression]:
    """Give the instances of a problem on a table: all orders and limits."""
    bare = Suppression(table, k)
    most = most_of(bare)
    limits = [
        [*range(most[q] + 2), *([bare.n + k] if q == "rows" and k > 1 else [])]
        for q in variant.limits
    ]
    side = {"rows": bare.n, "columns": bare.m, None: 0}[variant.order]
    for order in orders_of(side) if variant.order else (None,):
        orders = {} if order is None else {f"{str(variant.order)[:-1]}_order": order}
        for chosen in product(*limits):
            yield Suppression.named(
                str(variant),
                table,
                k,
                dict(zip(variant.limits, chosen, strict=True)),
                **orders,
            )


def random_table(rng: random.Random) -> Table:
    n, m = rng.choice([(3, 3), (4, 3), (3, 4), (5, 2), (5, 3), (6, 2), (7, 2), (2, 5)])
    return tuple(tuple(rng.choice("abc") for _ in range(m)) for _ in range(n))


@dataclass(slots=True)
class Tally:
    """What came of one reading of an edge."""

    reading: str
    hypotheses: str
    instances: int = 0
    """How many were compared."""
    solutions: int = 0
    """How many solutions of images were mapped back."""
    refuted: int = 0
    """On how many instances the claim does not hold."""
    natural: int = 0
    """On how many of them no limit is above what the table can have."""
    beyond: int = 0
    """On how many of them the hypotheses hold; must be 0."""
    example: dict[str, Any] | None = None
    """The smallest of them."""
    size: tuple[int, ...] = field(default=(), repr=False)

    def refute(self, instance: Suppression, reduction: Reduction, what: str) -> None:
        """Note an instance on which the claim does not hold."""
        natural = all(v <= most_of(instance)[q] for q, v in instance.limits.items())
        self.refuted += 1
        self.natural += natural
        self.beyond += reduction.applies(instance)
        size = (
            not natural,
            instance.n * instance.m,
            instance.k,
            instance.n,
            sum(instance.limits.values()),
        )
        if self.example is None or size < self.size:
            document = instance.to_dict()
            document.pop("problem")
            self.size, self.example = size, {"instance": document, "what": what}


@dataclass(slots=True)
class Checked:
    """One edge: its readings as reductions, and what came of them."""

    rule: Rule
    readings: list[tuple[Reduction, Tally]]

    @property
    def document(self) -> dict[str, Any]:
        rule = self.rule
        tallies = [tally for _, tally in self.readings]
        first = tallies[0]
        status = "undefined" if rule.flaw else "refuted" if first.refuted else "checked"
        return {
            "source": str(rule.source),
            "target": str(rule.target),
            "kind": rule.kind,
            "type": rule.type,
            "printed": list(rule.printed),
            "meant": list(rule.meant),
            "repaired": list(rule.letters("repaired")),
            "status": status,
            "flaw": rule.flaw,
            "instances": tallies[-1].instances,
            "readings": [
                {k: v for k, v in asdict(tally).items() if k != "size"}
                for tally in tallies
            ],
        }


def readings_of(rule: Rule) -> list[tuple[Reduction, Tally]]:
    wanted = []
    for reading in READINGS:
        undefined = reading == "printed" and bool(rule.flaw)
        same = reading == "meant" and not rule.flaw and rule.meant == rule.printed
        if reading == "repaired":
            same = rule.letters("repaired") == rule.meant
        if not undefined and not same:
            reduction = reduction_of(rule, reading)
            wanted.append((reduction, Tally(reading, reduction.hypotheses)))
    return wanted


class Solved:
    """An instance, and its solutions: masks of suppressed cells, and their costs."""

    def __init__(self, instance: Suppression, outcomes: Outcomes) -> None:
        self.instance = instance
        self.masks, self.costs = outcomes.feasible(instance)
        self.best = int(self.costs.min()) if len(self.costs) else None

    def cost_of(self, cells: Iterable[Cell]) -> int | None:
        mask = sum(1 << (i * self.instance.m + j) for i, j in cells)
        place = int(np.searchsorted(self.masks, mask))
        found = place < len(self.masks) and int(self.masks[place]) == mask
        return int(self.costs[place]) if found else None

    def cells_at(self, place: int) -> list[Cell]:
        mask, cells = int(self.masks[place]), range(self.instance.n * self.instance.m)
        return [divmod(c, self.instance.m) for c in cells if mask >> c & 1]


class Checker:
    """Compares instances with their images."""

    def __init__(self, most_cells: int, seed: int) -> None:
        self.most_cells = most_cells
        self.rng = random.Random(seed)
        self.outcomes: dict[Hashable, Outcomes] = {}

    def solve(self, instance: Suppression) -> Solved | None:
        """Solve an instance by all masks; None if its table is too large."""
        cells = instance.n * instance.m
        if cells > self.most_cells or (cells > FEW_CELLS and instance.k < 2):
            return None
        table = instance.table
        key = tuple(map(tuple, table))
        if key not in self.outcomes:
            least = 1 if cells <= FEW_CELLS else 2
            self.outcomes[key] = Outcomes.of(table, 0, least, self.most_cells)
        return Solved(instance, self.outcomes[key])

    def compare(self, reduction: Reduction, tally: Tally, source: Solved) -> bool:
        """Compare an instance with its image; return whether it could be done."""
        instance, best = source.instance, source.best
        try:
            target: Suppression = reduction.forward(instance)
        except InvalidInstanceError as error:
            tally.instances += 1
            tally.refute(instance, reduction, f"no image: {error}")
            return True
        image = self.solve(target)
        if image is None:
            return False
        tally.instances += 1
        if best != image.best:
            what = f"{_answer(instance, best)}, its image {_answer(target, image.best)}"
            tally.refute(instance, reduction, what)
        elif best is not None and image.best is not None:
            count = len(image.masks)
            few = target.n * target.m <= ALL_SOLUTIONS_CELLS or count <= SOME_SOLUTIONS
            picks: Iterable[int] = range(count)
            if not few:
                picks = (self.rng.randrange(count) for _ in range(SOME_SOLUTIONS))
            for place in picks:
                tally.solutions += 1
                cells, there = image.cells_at(place), int(image.costs[place])
                cost = source.cost_of(reduction.back(instance, cells))
                if cost is None or cost - best > there - image.best:
                    back = "is infeasible" if cost is None else f"costs {cost}"
                    what = f"solution {cells} of cost {there}, mapped back, {back}"
                    tally.refute(instance, reduction, what)
                    break
        return True


def _answer(instance: Suppression, best: int | None) -> str:
    if instance.minimise == "none":
        return "no" if best is None else "yes"
    return "infeasible" if best is None else f"optimum {best}"


def check_all(edges: Sequence[Checked], checker: Checker, shapes: Shapes) -> None:
    for n, m in sorted(shapes, key=lambda shape: shape[0] * shape[1]):
        for table in tables_of(n, m):
            checker.outcomes.clear()
            for k, variant in product(range(1, n + 2), {e.rule.source for e in edges}):
                todo = [
                    r for e in edges if e.rule.source == variant for r in e.readings
                ]
                for instance in instances_of(variant, table, k):
                    solved = checker.solve(instance)
                    if solved is None:
                        break
                    todo = [r for r in todo if checker.compare(*r, solved)]


def check_random(
    edges: Iterable[Checked], checker: Checker, tables: int, rng: random.Random
) -> None:
    edges = list(edges)
    for _ in range(tables):
        checker.outcomes.clear()
        table = random_table(rng)
        for edge in edges:
            k = rng.randint(2, min(len(table) + 1, 4))
            solved = checker.solve(drawn_instance(edge.rule.source, table, k, rng))
            assert solved is not None, "random tables are small"
            for reading in edge.readings:
                checker.compare(*reading, solved)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--cells", type=int, default=6, help="of the tables that are all tried")
    add("--rows", type=int, default=4, help="of them, at most; likewise columns")
    add("--image", type=int, default=20, help="cells of an image, at most")
    add("--random", type=int, default=300, help="random tables")
    add("--seed", type=int, default=0)
    add("--out", type=Path, default=OUT)
    add("--pictures", type=Path, default=OUT.parent)
    add("--sources", type=Path, default=OUT / "reduction_sources.json")
    add("--data", type=Path, default=DATA, help="what the package holds")
    add("--redraw", action="store_true", help="of what was found before")
    args = parser.parse_args()
    found = args.out / f"{NAME}.json"
    document = json.loads(found.read_text()) if args.redraw else check_web(args)
    claims = json.loads(args.sources.read_text())
    edges = document["edges"]
    rows = [*rows_of_sources(claims), *rows_of_web(edges)]
    document["proofs_lost"] = consequences(rows)
    args.out.mkdir(parents=True, exist_ok=True)
    found.write_text(json.dumps(document, indent=1) + "\n")
    (args.out / f"{NAME}.md").write_text(markdown(document))
    write_rows(rows, args.data)
    draw_webs(rows, document["proofs_lost"], args.pictures)
    return int(any(r["beyond"] for edge in edges for r in edge["readings"]))


def check_web(args: argparse.Namespace) -> dict[str, Any]:
    edges = [Checked(rule, readings_of(rule)) for rule in RULES]
    checker = Checker(args.image, args.seed)
    sides = range(1, args.rows + 1)
    shapes = [(n, m) for n in sides for m in sides if n * m <= args.cells]
    check_all(edges, checker, shapes)
    check_random(edges, checker, args.random, random.Random(args.seed))
    tables = sum(len(tables_of(*shape)) for shape in shapes)
    described = (
        f"All {tables} tables of at most {args.cells} cells and {args.rows} rows and "
        "columns, but for the names of values and the order of rows and columns; "
        "k = 1, ..., n + 1, every importance order, every limit from 0 to one above "
        "what the table can have, and r = n + k. Then an instance of every reduction "
        f"on each of {args.random} random tables of 9 to 15 cells (seed {args.seed})."
        f" Images of more than {args.image} cells are passed over. Both sides are "
        "solved by all masks of suppressed cells. "
        f"Of images with more than {ALL_SOLUTIONS_CELLS} cells {SOME_SOLUTIONS} "
        "solutions are mapped back, of smaller ones all."
    )
    return {"described": described, "edges": [edge.document for edge in edges]}


if __name__ == "__main__":
    sys.exit(main())
