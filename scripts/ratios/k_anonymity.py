"""Measure the approximation algorithms of k-anonymity against the optimum.

    python -m scripts.ratios.k_anonymity [--instances N] [--seed S] [--out DIR]

Runs every algorithm, and the lower bound OPT-LB, on small random tables: uniform cells,
skewed ones, groups around random records, and few copies of every record; k = 2..5, 4
to 11 rows, 1 to 6 columns. The optimum is that of the dynamic program over all subsets.
The families of the generators whose optimum is known follow.

Writes DIR/ratios_k_anonymity.md: promise, worst and mean ratio, and the table of the
worst. The exit code is 1 if a cost is below the optimum, a solution infeasible, a
promise broken, or the lower bound above the optimum.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from atleastk.instances.datasets.nursery import nursery, nursery_optimum
from atleastk.instances.generators import k_anonymity as draw
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import check
from atleastk.models.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.bounds import opt_lb
from atleastk.solvers.k_anonymity.closed_patterns import closed_patterns
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from scripts.ratios import tallies
from scripts.ratios.tallies import Judged, Tally, mean, tally_table

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "ratios_k_anonymity"
MOST_ROWS = 11
SHOWN_CELLS = 100


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=12_000, help="random ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    drawn = list(random_tables(chosen.instances, chosen.seed))
    known = list(known_tables())
    random_tallies = measured(drawn, chosen.seed)
    known_tallies = measured(known, chosen.seed)
    bounds = [bound(judged.instance) for judged in drawn]
    report = "\n".join(
        report_lines(drawn, bounds, random_tallies, known, known_tallies, chosen.seed)
    )
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / f"{NAME}.md").write_text(report + "\n", encoding="utf-8")
    print(report)
    wrong = [
        line for tally in (*random_tallies, *known_tallies) for line in tally.wrong
    ]
    wrong += [
        f"OPT-LB {lower} is above {judged.optimum} on {shown(judged.instance)}"
        for lower, judged in zip(bounds, drawn, strict=True)
        if lower > judged.optimum
    ]
    if wrong:
        raise SystemExit("\n".join(["WRONG", *wrong]))


def random_tables(count: int, seed: int) -> Iterator[Judged]:
    """Yield small random tables with their optima."""
    rng = random.Random(seed)
    for _ in range(count):
        instance = random_table(rng)
        yield Judged(instance, optimum_by_subsets(instance))


def random_table(rng: random.Random) -> KAnonymity:
    """Draw a small table; see the module."""
    k, m = rng.randint(2, 5), rng.randint(1, 6)
    n, values = rng.randint(max(4, k), MOST_ROWS), rng.randint(2, 4)
    seed = rng.randrange(2**32)
    kind = rng.choice(("uniform", "skewed", "planted", "hard-zone"))
    if kind == "skewed":
        return draw.skewed(seed, n, m, values, k)
    if kind == "planted":
        groups = rng.randint(1, 3)
        size, noise = -(-n // groups), rng.choice((5, 15, 30))
        if groups * size <= MOST_ROWS:
            return draw.planted(seed, groups, size, m, values, noise, k)
    if kind == "hard-zone" and values**m * (k - 1) >= n:
        return draw.hard_zone(seed, n, m, values, k)
    return draw.uniform(seed, n, m, values, k)


def known_tables() -> Iterator[Judged]:
    """Yield tables whose optimum a theorem or the dynamic program gives."""
    for instance in (draw.employees_4(0), draw.employees_8(0)):
        yield Judged(instance, optimum_by_subsets(instance))
    for k, stars in ((4, 2), (4, 15), (6, 10), (8, 6), (10, 5)):
        yield Judged(draw.tight_dr(0, k, stars), k * k * stars)
    for k in (2, 3, 5, 10, 100):
        yield Judged(draw.tight_leftovers(0, k), k)
    for k in (2, 3, 5, 6, 10, 20, 50):
        yield Judged(nursery(k), nursery_optimum(k))


def optimum_by_subsets(instance: KAnonymity) -> int:
    """Return the optimum of a feasible table by trying all groups."""
    groups = best_partition(instance, Budget.of())
    assert groups is not None, "a feasible table has a best partition"
    cost = check(instance, Solution.of(groups)).cost
    assert cost is not None, "the groups are a partition"
    return cost


def bound(instance: KAnonymity) -> int:
    """Return OPT-LB."""
    patterns = closed_patterns(instance.records, instance.k)
    assert patterns is not None, "small tables have few patterns"
    return opt_lb(instance.records, patterns)


def measured(judged: Iterable[Judged], seed: int) -> list[Tally]:
    """Run all algorithms on all tables."""
    return tallies.measured(judged, seed, "k-anonymity", _cells, shown)


def report_lines(
    drawn: Sequence[Judged],
    bounds: Sequence[int],
    random_tallies: Sequence[Tally],
    known: Sequence[Judged],
    known_tallies: Sequence[Tally],
    seed: int,
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# k-anonymity: approximation algorithms against the optimum"
    yield ""
    yield (
        f"{len(drawn)} random tables of up to {MOST_ROWS} rows (seed {seed}), optima "
        "by the dynamic program over all subsets. Ratios are those of tables whose "
        "optimum is not 0."
    )
    yield ""
    yield "- *of promise*: the greatest cost / promised cost; 1 if it is attained."
    yield "- *missed 0*: tables of optimum 0 that the algorithm pays for."
    yield ""
    yield from tally_table(random_tallies)
    yield ""
    above = [
        lower / judged.optimum
        for lower, judged in zip(bounds, drawn, strict=True)
        if judged.optimum
    ]
    if above:
        yield (
            f"OPT-LB / OPT: least {min(above):.4f}, mean {mean(above)}, "
            f"equal on {above.count(1.0) / len(above):.1%}."
        )
        yield ""
    yield "## Tables of known optimum"
    yield ""
    yield (
        f"{len(known)} tables: the figures of [ParkShim07], Nursery, and the families "
        "tight-dr and tight-leftovers, bad for APPROX-DR."
    )
    yield ""
    yield from tally_table(known_tallies)
    yield ""
    broken = sum(len(tally.wrong) for tally in (*random_tallies, *known_tallies))
    yield f"Broken promises, infeasible solutions, costs below the optimum: {broken}."


def _cells(instance: KAnonymity) -> int:
    return instance.n * instance.m


def shown(instance: KAnonymity) -> str:
    """Show a small table row by row, or the name of a large one."""
    if _cells(instance) > SHOWN_CELLS:
        return str(instance.name)
    rows = " ".join("".join(map(str, row)) for row in instance.table)
    return f"{rows}, k = {instance.k}"


if __name__ == "__main__":
    main()
