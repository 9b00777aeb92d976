"""k-ambiguity: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "k-ambiguity",
    "Suppress the fewest cells so that every row matches k - 1 others",
    ground="research.adversary.grounds.AMBIGUOUS",
    tiny="research.adversary.tiny.tables",
)
