"""k-anonymity by a quick solver: sorted rows, cut into groups of k.

Its costs are no optima, so nothing that is tested with it can rely on them. Run as a
script it is the command line with this solver, which then waits to be stopped.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from atleastk.cli.main import main
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.runs import registry
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search


def cut(search: Search[KAnonymity]) -> None:
    n, k, records = search.instance.n, search.instance.k, search.instance.records
    if 0 < n < k:
        search.close_infeasible("cut")
        return
    rows = np.lexsort(records.codes[records.record_of].T[::-1]).tolist()
    starts = range(0, n - n % k, k)
    groups = [rows[a : a + k] for a in starts]
    if groups:
        groups[-1] += rows[n - n % k :]
    search.offer(groups, "cut")
    search.raise_bound(0, "cut")


def cut_and_wait(search: Search[KAnonymity]) -> None:
    cut(search)
    while not search.done:
        time.sleep(0.01)


def sulk(search: Search[KAnonymity]) -> None:
    """Find nothing and prove nothing."""


def registered(solve: Any) -> Mapping[str, Problem[Any]]:
    """Return the registry with another automatic solver of k-anonymity."""
    problem = registry.PROBLEMS["k-anonymity"]
    return {
        **registry.PROBLEMS,
        "k-anonymity": replace(
            problem, first=lambda _instance: (), solve=solve, methods=()
        ),
    }


if __name__ == "__main__":
    registry.PROBLEMS = registered(cut_and_wait)
    sys.exit(main())
