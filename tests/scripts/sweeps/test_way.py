"""What a way comes to is judged, whatever it is."""

import pytest

from atleastk import BinCovering
from atleastk.models.bin_covering import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


@pytest.fixture
def judgement(script):
    return script("sweeps.way").judgement


def claimed(certificate=None):
    """A search that ends with the optimum, which is 3."""
    search = Search(BinCovering([3, 2], 2), check, Budget())
    search.offer([[0], [1]], "honest")
    search.raise_bound(3, "honest", certificate)
    return search


def test_the_truth_and_a_refusal_are_nothing_wrong(judgement):
    assert judgement(claimed, 3) is None
    assert judgement(lambda: None, 3) is None


def test_another_optimum_is_told(judgement):
    assert judgement(claimed, 2) == "cost 3, bound 3, but optimum 2"


def test_an_error_of_the_run_is_told(judgement):
    def fails():
        raise ZeroDivisionError

    assert judgement(fails, 3) == "ZeroDivisionError: "


def test_a_false_certificate_is_told_and_ends_no_sweep(judgement):
    wrong = judgement(lambda: claimed({"kind": "none such"}), 3)
    assert wrong.startswith("CertificateError: ")
