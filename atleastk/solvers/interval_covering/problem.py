"""Interval covering: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.interval_covering import FAMILIES
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.interval_covering import check, check_certificate
from atleastk.solvers.interval_covering.methods import ALGORITHMS, METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=IntervalCovering,
    question="Partition a row of sizes into intervals of level >= k, likewise",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
)
