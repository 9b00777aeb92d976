"""Check the reductions from 3DM to maps and tilings, gadget by gadget and as a whole.

    python -m scripts.reductions.check_map_reductions [--triples N] [--planar N]
        [--random N] [--seed S] [--out DIR]

Of every gadget all states are found, and compared with those it should have. Of every
3DM of one or two elements a set and up to N triples (all eight, if nothing is said; up
to --planar, if planar and cubic, as these graphs are large), and of random ones of
three elements, half of them with a matching, the solutions of cost 3 of every image are
mapped back: they should choose all matchings, and nothing else.

Writes DIR/reductions_maps.md. The exit code is 1 if anything is refuted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from random import Random

from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.solvers.brute_force.gadget_states import states
from atleastk.studies.markdown import markdown_table
from scripts.reductions.map_gadgets import Gadget, every_gadget
from scripts.reductions.map_images import IMAGES, Image, matchings, objection

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "reductions_maps"


@dataclass(slots=True)
class Report:
    """What came of one reduction.

    Attributes
    ----------
    checked, yes
        The instances, and how many of them have a matching.
    largest
        The most items of an image.
    refuted
        The first instance that refutes it, and why; None if there is none.
    seconds
        CPU time.
    """

    name: str
    checked: int = 0
    yes: int = 0
    largest: int = 0
    refuted: str | None = None
    seconds: float = field(default=0.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Check all gadgets and all reductions, and write the report."""
    chosen = _parser().parse_args(arguments)
    gadgets = [(gadget, wrong_states(gadget)) for gadget in every_gadget()]
    reports = []
    for image in IMAGES:
        most = chosen.planar if image.name == "planar cubic graph" else chosen.triples
        problems = [
            *small_problems(most),
            *random_problems(chosen.random, most, chosen.seed),
        ]
        reports.append(checked(image, problems))
    chosen.out.mkdir(parents=True, exist_ok=True)
    lines = report_lines(gadgets, reports)
    (chosen.out / f"{NAME}.md").write_text("\n".join(lines) + "\n")
    broken = [gadget.name for gadget, wrong in gadgets if wrong]
    broken += [report.name for report in reports if report.refuted]
    if broken:
        sys.exit("\n".join(["WRONG", *broken]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--triples", type=int, default=8)
    parser.add_argument("--planar", type=int, default=4)
    parser.add_argument("--random", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=OUT)
    return parser


def wrong_states(gadget: Gadget) -> int:
    """Return the number of states a gadget should not have, or should and lacks."""
    return len(gadget.expected ^ set(states(gadget.groups, gadget.inner)))


def small_problems(most: int) -> Iterator[ThreeDimensionalMatching]:
    """Yield all problems of one or two elements a set, with so many triples at most."""
    for n in (1, 2):
        every = list(product(range(n), repeat=3))
        for size in range(min(most, len(every)) + 1):
            for triples in combinations(every, size):
                yield ThreeDimensionalMatching(n, triples)


def random_problems(
    count: int, most: int, seed: int, n: int = 3
) -> Iterator[ThreeDimensionalMatching]:
    """Yield random problems of n to 2n triples, every second one with a matching."""
    rng = Random(seed)
    every = list(product(range(n), repeat=3))
    for number in range(count):
        sides = [rng.sample(range(n), n) for _ in range(3)] if number % 2 else []
        planted = list(zip(*sides, strict=True))
        others = [triple for triple in every if triple not in planted]
        size = rng.randint(n, max(n, min(most, 2 * n)))
        triples = [*planted, *rng.sample(others, size - len(planted))]
        rng.shuffle(triples)
        yield ThreeDimensionalMatching(n, triples)


def checked(image: Image, problems: Sequence[ThreeDimensionalMatching]) -> Report:
    """Check a reduction on problems."""
    report = Report(image.name)
    begun = time.process_time()
    for problem in problems:
        report.checked += 1
        report.yes += bool(matchings(problem))
        report.largest = max(report.largest, image.forward(problem).n)
        why = objection(image, problem)
        if why is not None and report.refuted is None:
            report.refuted = f"n = {problem.n}, {problem.triples}: {why}"
    report.seconds = time.process_time() - begun
    return report


def report_lines(
    gadgets: Sequence[tuple[Gadget, int]], reports: Sequence[Report]
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# The reductions from 3DM to maps and tilings, checked"
    yield ""
    yield (
        "From 3-dimensional matching to connected partition, rectangle tiling and "
        "RTILE ([Du09], sections 2 and 3). The optimum of an image is 3 iff there is a "
        "matching."
    )
    yield ""
    yield "## Gadgets"
    yield ""
    yield (
        "All states of every gadget, by trying all covers of its own items. A state is "
        "what its groups cover beyond it. *Items* are its own: nodes or, of tilings, "
        "locations with a weight (*points*), or all and the blocked ones around "
        "(*plane*). *Wrong* are states it should not have, or should and lacks."
    )
    yield ""
    columns = ["gadget", "items>", "groups>", "states>", "wrong>"]
    rows = [
        [g.name, len(g.inner), len(g.groups), len(g.expected), wrong]
        for g, wrong in gadgets
    ]
    yield from markdown_table(columns, rows)
    yield ""
    yield "## Reductions"
    yield ""
    yield (
        "All matchings, and nothing else, should come back from the solutions of cost "
        "3. *Yes* are the instances with a matching, *largest* the items of the "
        "largest image."
    )
    yield ""
    columns = ["image", "instances>", "yes>", "largest>", "verdict", "CPU s>"]
    yield from markdown_table(columns, map(_row, reports))


def _row(report: Report) -> Sequence[object]:
    return [
        report.name,
        report.checked,
        report.yes,
        report.largest,
        f"refuted: {report.refuted}" if report.refuted else "holds",
        f"{report.seconds:.1f}",
    ]


if __name__ == "__main__":
    main()
