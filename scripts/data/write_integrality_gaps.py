"""Search for large integrality gaps, and write the page of the worst ones.

    python -m scripts.data.write_integrality_gaps [--check]
    python -m scripts.data.write_integrality_gaps --search SECONDS [--seed SEED]

A search changes small instances, so long for each problem and formulation, and keeps
what has a greater gap than the one on file. Every gap is a fraction: the optimum is
proved, and the value of the relaxation is exact.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files import files
from atleastk.models.results.status import Status
from atleastk.research.adversary.grounds import Planting
from atleastk.research.adversary.planted import Plant
from atleastk.research.adversary.walking import moved
from atleastk.research.relaxing import FORMULATIONS, relax
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs import api
from atleastk.runs.registry import PROBLEMS, instance_from_dict
from atleastk.solvers.problem import Problem
from scripts.data.pages import write_below

FINDS = Path(__file__).parents[2] / "docs/benchmarks/integrality_gaps.jsonl"
PAGE = FINDS.with_suffix(".md")
MARK = "<!-- what follows is written from the finds -->\n"

_MOST_ITEMS: Final = 12
"""The most items: an optimum and a relaxation take some milliseconds."""
_WORSE: Final = 0.02
"""How often a smaller gap is gone on from. Not tuned."""

Gap = tuple[Fraction, Any]
"""The optimum over the value of a relaxation, and the instance."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--search", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    if given.search is not None:
        _search(given.search, given.seed)
    write_below(PAGE, MARK, lines(), __doc__, ["--check"] * given.check)


def gap_of(instance: Any, formulation: str) -> Fraction | None:
    """Return the integrality gap of an instance; None if there is none to tell."""
    try:
        relaxed = relax(instance, formulation)
    except AtleastkError:
        return None
    if not relaxed.value:
        return None
    result = api.solve(instance)
    if result.status is not Status.OPTIMAL or result.cost is None:
        return None
    return relaxed.gap(result.cost)


def lines() -> Iterator[str]:
    columns = ("problem", "formulation", "gap>", "optimum>", "value>", "items>")
    found = _known()
    rows = []
    for (problem, formulation), (gap, instance) in found.items():
        cost, value = api.solve(instance).cost, relax(instance, formulation).value
        shown = f"{float(gap):.4f}"
        rows.append((problem, formulation, shown, cost, value, instance.n))
    yield ""
    yield from markdown_table(columns, rows)


def _known() -> dict[tuple[str, str], Gap]:
    if not FINDS.exists():
        return {}
    return {
        (record["instance"]["problem"], record["formulation"]): (
            Fraction(record["gap"]),
            instance_from_dict(record["instance"]),
        )
        for _, record in files.read_lines(FINDS)
    }


def _search(seconds: float, seed: int) -> None:
    known = _known()
    for problem in PROBLEMS.values():
        for formulation in FORMULATIONS:
            place = problem.name, formulation
            worst = _walked(problem, formulation, seconds, seed)
            if worst is not None and worst[0] > known.get(place, (0,))[0]:
                known[place] = worst
                print(*place, float(worst[0]), file=sys.stderr)
    files.write_lines(
        FINDS,
        [
            {"formulation": formulation, "gap": str(gap), "instance": one.to_dict()}
            for (_, formulation), (gap, one) in sorted(
                known.items(), key=lambda each: [*PROBLEMS].index(each[0][0])
            )
        ],
    )


def _walked(
    problem: Problem[Any], formulation: str, seconds: float, seed: int
) -> Gap | None:
    """Change plants at random, from the worst on as a rule, while there is time."""
    ground: Planting = problem.ground
    rng, worst = Random(seed), None
    starts = [(k, fields) for k in ground.ks for fields in ground.fields]
    end = time.monotonic() + seconds
    for i, (k, fields) in enumerate(starts):
        items, homes = ground.start(rng, k, fields)
        now = Plant(tuple(items), tuple(homes), k, fields)
        value, until = Fraction(0), end - seconds * (1 - (i + 1) / len(starts))
        while time.monotonic() < until:
            other = moved(ground, now, rng)
            gap = _gap(problem, other, formulation)
            if gap is None and value:
                continue
            if gap is None or gap[0] >= value or rng.random() < _WORSE:
                now, value = other, gap[0] if gap else Fraction(0)
            if gap is not None and (worst is None or gap[0] > worst[0]):
                worst = gap
    return worst


def _gap(problem: Problem[Any], plant: Plant, formulation: str) -> Gap | None:
    if len(plant.items) > _MOST_ITEMS:
        return None
    try:
        instance = problem.ground.instance(problem.instance, plant)
    except AtleastkError:
        return None
    gap = gap_of(instance, formulation)
    return None if gap is None else (gap, instance)


if __name__ == "__main__":
    main()
