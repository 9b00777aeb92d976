"""What is no kind of certificate proves nothing, for every problem."""

import pytest

import atleastk
from atleastk.runs.registry import PROBLEMS

SMALL = {
    "bin-covering": {"sizes": [1, 1], "k": 1},
    "interval-covering": {"sizes": [1, 1], "k": 1},
    "connected-partition": {"weights": [1, 1], "edges": [[0, 1]], "k": 1},
    "rectangle-tiling": {"points": [[0, 0, 1], [1, 1, 1]], "k": 1},
    "rectangle-tiling-grid": {"grid": [[1, 1]], "p": 2},
    "r-gather": {"points": [[0], [1]], "r": 2},
    "cellular-clustering": {"points": [[0], [1]], "r": 2},
    "k-anonymity": {"table": [[0], [1]], "k": 2},
    "k-ambiguity": {"table": [[0], [1]], "k": 2},
    "generalization": {
        "table": [[0], [1]],
        "k": 2,
        "hierarchies": [[[0, "*"], [1, "*"]]],
    },
    "diversity": {
        "table": [[0], [1]],
        "k": 2,
        "hierarchies": [[[0, "*"], [1, "*"]]],
        "sensitive": [["ill"], ["well"]],
    },
    "suppression": {"table": [[0], [1]], "k": 2},
}
"""An instance of every problem, all of them feasible."""


@pytest.mark.parametrize("problem", list(PROBLEMS))
@pytest.mark.parametrize("bound", [3, 10**9, None])
@pytest.mark.parametrize(
    "certificate",
    [{}, {"kind": None}, {"kind": 0}, {"kind": []}, {"kind": "x"}, {"kind": {}}],
    ids=str,
)
def test_no_kind_proves_nothing(problem, bound, certificate):
    instance = atleastk.from_dict({"problem": problem, **SMALL[problem]})
    with pytest.raises(atleastk.CertificateError):
        PROBLEMS[problem].check_certificate(instance, certificate, bound)
