from atleastk import KAnonymity
from atleastk.solvers.k_anonymity.subset_dp import MOST_ROWS, refuses


def test_refusals():
    assert refuses(KAnonymity([[1]] * MOST_ROWS, 2)) is None
    assert "too many subsets" in refuses(KAnonymity([[1]] * (MOST_ROWS + 1), 2))
