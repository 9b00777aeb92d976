"""Standard sizes: what is offered for it, and where it stands.

Most parts are found by the name of the problem (`PLACES` of
:mod:`atleastk.solvers.problem`). What stands elsewhere is said here, and what is not
offered is None: every command then says so in one line.
"""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "standard-sizes",
    "Order bars of standard sizes, at least k of each; use the least material",
    certify=None,
    refuted=None,
    ground="research.adversary.standard_sizes.GROUND",
    tiny="research.adversary.standard_sizes.tiny",
)
