"""Sweep: the exact methods of bin covering against plain enumeration.

    python -m scripts.sweeps.bin_covering [--instances N] [--seed S] [--most-items N]

Every instance is small enough to be enumerated, and is solved by a method drawn at
random: one of the package's own, or a form of the model in a back end whose options
are drawn as well (presolve, symmetry, linearisation, the SAT solver, ...), from nothing
or from a random solution. A method that refuses an instance is passed over.

A mismatch is printed as one JSON object with the *shrunk* instance, the way it was
solved and what is wrong; the exit code is then 1. The same seed sweeps the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.covering import Objective
from atleastk.instances.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import check, most_bins
from atleastk.models.encodings.bin_covering import arc_flow, assignment, patterns
from atleastk.models.encodings.encoding import Encoding
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.bin_covering.decisions import (
    Decider,
    by_arc_flow,
    by_assignment,
    by_patterns,
)
from atleastk.solvers.bin_covering.methods import (
    METHODS,
    begin,
    minimise_levels,
    solve,
)
from atleastk.solvers.brute_force.bin_covering import optimum
from atleastk.solvers.engine.modelled import modelled
from atleastk.solvers.search import Search
from scripts.sweeps.way import (
    BACKENDS,
    AnyWay,
    backend_named,
    drawn,
    judgement,
    report,
    shrunk,
    worked_on,
)

OBJECTIVES: Sequence[Objective] = ("max", "excess", "quadratic")
FORMS = ("assignment", "assignment levels", "patterns", "arc flow")
"""How a back end is asked: by a model as a whole, or whether levels are possible."""

_MOST_PATTERNS = 10_000
_MODERATE = 10_000
"""With totals up to this, every way must prove an optimum."""

Run = Callable[[Search[BinCovering]], None]
Sizes = list[int]
Shape = Callable[[random.Random, int], Sizes]


def _uniform(rng: random.Random, n: int) -> Sizes:
    high = rng.choice([2, 5, 12, 100])
    return [rng.randint(1, high) for _ in range(n)]


def _duplicates(rng: random.Random, n: int) -> Sizes:
    palette = [rng.randint(1, 30) for _ in range(rng.randint(1, 3))]
    return [rng.choice(palette) for _ in range(n)]


def _heavy_and_light(rng: random.Random, n: int) -> Sizes:
    return [rng.choice([1, 2, 3, rng.randint(10, 40)]) for _ in range(n)]


def _near_a_multiple(rng: random.Random, n: int) -> Sizes:
    unit = rng.randint(2, 12)
    return [max(1, unit * rng.randint(1, 3) + rng.randint(-1, 1)) for _ in range(n)]


def _geometric(rng: random.Random, n: int) -> Sizes:
    return [2 ** rng.randint(0, 7) for _ in range(n)]


def _wide(rng: random.Random, n: int) -> Sizes:
    high = 10 ** rng.randint(3, 9)
    return [rng.randint(1, high) for _ in range(n)]


def _huge(rng: random.Random, n: int) -> Sizes:
    unit = 2 ** rng.choice([29, 30, 31, 53, 60, 61, 62, 63, 64, 90, 1100])
    return [unit * rng.randint(1, 6) + rng.randint(-1, 1) for _ in range(n)]


SHAPES: Mapping[str, Shape] = {
    "uniform": _uniform,
    "duplicates": _duplicates,
    "heavy and light": _heavy_and_light,
    "near a multiple": _near_a_multiple,
    "geometric": _geometric,
    "wide": _wide,
    "huge": _huge,
}
"""How the sizes of random instances are distributed."""


def random_instance(
    rng: random.Random,
    most_items: int = 8,
    shapes: Sequence[str] = tuple(SHAPES),
    objectives: Sequence[Objective] = OBJECTIVES,
) -> BinCovering:
    """Return an instance of a random shape; every k from 1 to beyond the total."""
    n = rng.choice([1, *range(2, most_items + 1), most_items])
    sizes = SHAPES[rng.choice(shapes)](rng, n)
    total, largest = sum(sizes), max(sizes)
    k = rng.choice(
        [
            1,
            rng.choice(sizes),
            largest + rng.randint(0, largest),
            max(1, total // rng.randint(1, n) + rng.randint(-1, 1)),
            rng.randint(1, total),
            total,
            total + 1,
        ]
    )
    return BinCovering(sizes, k, rng.choice(objectives))


class Way(AnyWay[BinCovering]):
    """``"auto"``, the name of one of the package's methods, or one of `FORMS`."""

    @property
    def run(self) -> Run:
        """What solves a search in this way."""
        if self.form == "auto":
            return solve
        if not self.backend:
            return next(method.run for method in METHODS if method.name == self.form)
        return partial(_run_form, self.form, backend_named(self.backend, self.options))


def random_way(
    rng: random.Random,
    forms: Sequence[str] = FORMS,
    backends: Sequence[str] = BACKENDS,
) -> Way:
    """Return a form of the model in a back end with random options."""
    return Way(**drawn(rng, forms, backends))


def random_start(rng: random.Random, instance: BinCovering) -> list[list[int]] | None:
    """Return a random solution; None if the first that comes up is none."""
    bins = rng.randint(1, max(1, instance.n))
    homes = [rng.randrange(bins) for _ in range(instance.n)]
    groups = [[i for i, home in enumerate(homes) if home == b] for b in range(bins)]
    levels = [sum(instance.sizes[i] for i in group) for group in groups]
    return groups if min(levels) >= instance.k else None


def fault(instance: BinCovering, way: Way) -> str | None:
    """Return what is wrong when an instance is solved this way; None if nothing is.

    A refusal is nothing wrong; see :func:`solved`.
    """
    best = optimum(instance)
    return judgement(
        partial(solved, instance, way),
        None if best is None else best[0],
        may_stay_open=_may_stay_open(instance, way),
    )


def solved(instance: BinCovering, way: Way) -> Search[BinCovering] | None:
    """Return the search after it was worked on in this way; None if it was refused."""
    if way.refuses(instance):
        return None
    search = Search(instance, check, way.budget())
    if way.start is not None:
        start = random_start(random.Random(way.start), instance)
        if start is not None:
            search.offer(start, "start")
    return worked_on(search, way, may_refuse=way.form != "auto")


def _may_stay_open(instance: BinCovering, way: Way) -> bool:
    """Tell whether the numbers are too large for 64 bits, or for models and doubles."""
    if way.form in ("completion", "subset-dp"):
        return False
    if way.form == "auto":
        return instance.objective == "quadratic" and instance.total >= 2**31
    return instance.total > _MODERATE


def _smaller(instance: BinCovering) -> Iterator[BinCovering]:
    """Give instances with an item less, a smaller size, or a smaller k."""
    sizes, k = list(instance.sizes), instance.k
    for i in range(len(sizes)):
        yield replace(instance, sizes=sizes[:i] + sizes[i + 1 :])
    for divisor in (1000, 2):
        scaled = [max(1, size // divisor) for size in sizes]
        if scaled != sizes:
            yield replace(instance, sizes=scaled, k=max(1, k // divisor))
    for i, size in enumerate(sizes):
        for less in _below(size):
            yield replace(instance, sizes=[*sizes[:i], less, *sizes[i + 1 :]])
    for less in _below(k):
        yield replace(instance, k=less)


def _below(value: int) -> list[int]:
    """Return some lesser values; few steps lead from any magnitude to the least."""
    round_value = 10 ** (len(str(value)) - 1)
    less = {1, value // 2, round_value, value - 1 if value <= 1000 else 1}
    return sorted(v for v in less if 1 <= v < value)


def _run_form(form: str, backend: Backend, search: Search[BinCovering]) -> None:
    """Solve by levels where the objective has some, else by the model as a whole."""
    deciders: dict[str, Decider] = {
        "assignment levels": by_assignment(backend),
        "patterns": by_patterns(backend, _MOST_PATTERNS),
        "arc flow": by_arc_flow(backend),
    }
    source = f"{form} in {backend.name}"
    if search.instance.objective == "quadratic" or form not in deciders:
        encode = _ENCODINGS.get(form, _assignment)
        modelled(source, "", encode, backend, begin).run(search)
    else:
        minimise_levels(search, deciders[form], source)


def _assignment(instance: BinCovering) -> Encoding:
    return assignment(instance, most_bins(instance))


def _patterns(instance: BinCovering) -> Encoding:
    encoding = patterns(BinGroups.sums(instance), _MOST_PATTERNS)
    if encoding is None:
        message = f"more than {_MOST_PATTERNS} patterns"
        raise NotApplicableError(message)
    return encoding


def _patterns_by_arcs(instance: BinCovering) -> Encoding:
    return arc_flow(BinGroups.sums(instance))


_ENCODINGS: Mapping[str, Callable[[BinCovering], Encoding]] = {
    "assignment": _assignment,
    "patterns": _patterns,
    "arc flow": _patterns_by_arcs,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most-items", type=int, default=8, choices=range(1, 11))
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    own = ["auto", *(method.name for method in METHODS)]
    ways: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, chosen.instances + 1):
        instance = random_instance(rng, chosen.most_items)
        start = rng.choice([None, rng.randrange(2**31)])
        way = rng.choice([Way(rng.choice(own), start=start), random_way(rng)])
        ways[way.name] += 1
        if fault(instance, way) is not None:
            mismatches += 1
            print(mismatch(instance, way), flush=True)
        if number % 100 == 0 or number == chosen.instances:
            print(f"{number}/{chosen.instances}: {mismatches} mismatches", flush=True)
    for name, count in sorted(ways.items()):
        print(f"{count:6} {name}")
    return 1 if mismatches else 0


def mismatch(instance: BinCovering, way: Way) -> str:
    """Return a mismatch, shrunk, as a JSON object."""
    instance, way = shrunk(instance, way, _smaller, fault)
    return report(instance, way, fault=fault(instance, way))


if __name__ == "__main__":
    sys.exit(main())
