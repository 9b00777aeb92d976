import pytest

from atleastk import CertificateError
from atleastk.instances.generators.diversity import patients
from atleastk.models.certificates.diversity import check_certificate


def test_nothing_is_feasible_if_all_rows_together_are_not():
    check_certificate(patients(0, l=4), {"kind": "whole"}, None)
    for instance, certificate, bound in [
        (patients(0), {"kind": "whole"}, None),
        (patients(0, l=4), {"kind": "whole"}, 3),
        (patients(0, l=4), {"kind": "count"}, None),
        (patients(0, l=4), {"kind": "weights", "scale": 1, "weights": [0] * 7}, 0),
    ]:
        with pytest.raises(CertificateError):
            check_certificate(instance, certificate, bound)


def test_a_node_is_refused_for_its_values():
    instance = patients(0, on="attributes", k=1, l=2)
    tops = {"kind": "lattice", "refused": [list(instance.heights)], "dear": []}
    with pytest.raises(CertificateError, match="is k-anonymous, not refused"):
        check_certificate(instance, tops, 1)
    lowest = {"kind": "lattice", "refused": [[0] * instance.m], "dear": []}
    check_certificate(instance, lowest, 1)
