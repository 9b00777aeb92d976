"""Interval covering: its name, its question, and where its parts are."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "interval-covering",
    "Partition a row of sizes into intervals of level >= k; minimise likewise",
    formats=("bpplib", "csv", "or-library"),
    certify=None,
    ground="research.adversary.grounds.ROWS",
    tiny="research.adversary.tiny.sizes",
)
