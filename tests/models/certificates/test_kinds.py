import pytest
from every_problem import INSTANCES

import atleastk
from atleastk.runs.registry import PROBLEMS


@pytest.mark.parametrize("problem", list(PROBLEMS))
@pytest.mark.parametrize("bound", [3, 10**9, None])
@pytest.mark.parametrize(
    "certificate",
    [{}, {"kind": None}, {"kind": 0}, {"kind": []}, {"kind": "x"}, {"kind": {}}],
    ids=str,
)
def test_no_kind_proves_nothing(problem, bound, certificate):
    check, instance = PROBLEMS[problem].check_certificate, INSTANCES[problem][0]
    with pytest.raises(atleastk.CertificateError):
        check(instance, certificate, bound)
