"""Pair partition: what is offered for it, and where it stands.

Most parts are found by the name of the problem (`PLACES` of
:mod:`atleastk.solvers.problem`). What stands elsewhere is said here, and what is not
offered is None: every command then says so in one line.
"""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "pair-partition",
    "Partition items into groups of at least k; the pairs inside cost least",
    refuted=None,
    priced="solvers.pair_partition.subset_dp.priced",
    ground="research.adversary.grounds.PAIRS",
    tiny="research.adversary.tiny.points_of_a_line",
)
