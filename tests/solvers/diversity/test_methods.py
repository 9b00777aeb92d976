import random

import pytest

import atleastk
from atleastk.instances.generators.diversity import diagnoses, patients
from atleastk.models.results.status import Status, Trust


def test_every_answer_has_a_certificate(tables):
    rng = random.Random(13)
    for _ in range(30):
        instance = tables.random_diversity(rng, 6)
        result = atleastk.solve(instance, workers=1, certify=True)
        assert result.trust is Trust.CERTIFIED, instance.to_dict()


@pytest.mark.parametrize(
    ("on", "reading", "l", "best"),
    [
        ("entries", "distinct", 1, 8),
        ("entries", "distinct", 2, 23),
        ("attributes", "distinct", 1, 4),
        ("attributes", "distinct", 2, 5),
        ("entries", "frequency", 2, None),
        ("entries", "distinct", 4, None),
    ],
)
def test_seven_patients(on, reading, l, best):  # noqa: E741 - as in the papers
    """Four of seven have the flu, too many for half of every class."""
    result = atleastk.solve(patients(0, on=on, reading=reading, l=l), workers=1)
    status = Status.INFEASIBLE if best is None else Status.OPTIMAL
    assert (result.status, result.cost) == (status, best)
    if best is None:
        assert result.certificate == {"kind": "whole"}


def test_a_table_that_is_proved_by_dealing():
    result = atleastk.solve(diagnoses(2, n=40, m=3, l=3), workers=1)
    assert result.status is Status.OPTIMAL
    again = atleastk.solve(diagnoses(2, n=40, m=3, l=3), method="patterns", workers=1)
    assert again.cost == result.cost
