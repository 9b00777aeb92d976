"""Min-max bin covering: its name, its question, and where its parts are."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "bin-covering",
    "Partition sizes into bins of level >= k; minimise the fullest bin",
    formats=("bpplib", "csv", "or-library"),
    lemmas="models.proofs.bin_covering.lemmas",
    priced="solvers.bin_covering.subset_dp.priced",
    ground="research.adversary.grounds.SIZES",
    tiny="research.adversary.tiny.sizes",
)
