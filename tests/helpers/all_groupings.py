"""The problems of suppression, generalisation and ambiguity, solved on tiny tables.

All groupings of a few rows are tried, with the cells or levels that each of them needs.
That is the optimum unless an importance order asks for more. Run as a script it is the
command line with these solvers.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from atleastk.cli.main import main
from atleastk.models.completed import completed
from atleastk.models.results.solution import Solution
from atleastk.runs import registry
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

NAMES = ("suppression", "generalization", "k-ambiguity")


def try_all(search: Search[Any]) -> None:
    instance = search.instance
    problem = registry.problem_of(instance)
    best: tuple[int, Solution] | None = None
    for groups in partitions(instance.n):
        if min(map(len, groups), default=instance.k) < instance.k:
            continue
        solution = completed(instance, Solution.of(groups))
        verdict = problem.check(instance, solution)
        cost = verdict.cost if verdict.feasible else None
        if cost is not None and (best is None or cost < best[0]):
            best = cost, solution
    if best is None:
        search.close_infeasible("all groupings")
        return
    search.offer(best[1], "all groupings")
    search.raise_bound(best[0], "all groupings")


def registered() -> Mapping[str, Problem[Any]]:
    ours = {
        name: replace(
            registry.PROBLEMS[name],
            first=lambda _instance: (),
            solve=try_all,
            methods=(),
        )
        for name in NAMES
    }
    return MappingProxyType({**registry.PROBLEMS, **ours})


if __name__ == "__main__":
    registry.PROBLEMS = registered()
    sys.exit(main())
