"""The exact methods of diversity: against the judge and each other."""

import random
from importlib import import_module

import pytest

import atleastk
from atleastk.instances.generators.diversity import diagnoses, patients
from atleastk.models.status import Status


@pytest.fixture(scope="module")
def sweep():
    return import_module("scripts.sweeps.diversity")


def test_every_way_against_the_judge(sweep):
    """Optimum and infeasibility; every certificate passes."""
    rng = random.Random(12)
    for _ in range(20):
        instance = sweep.random_instance(rng, 6)
        for name, wrong in sweep.judged(instance, rng):
            assert wrong is None, (name, wrong, instance.to_dict())


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(20, 26))
def test_a_long_sweep(seed, sweep, capsys):
    assert sweep.main(["--seed", str(seed)]) == 0, capsys.readouterr().out


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(30, 33))
def test_methods_agree_on_larger_tables(seed, sweep, capsys):
    arguments = ["--agree", "--instances", "40", "--seed", str(seed)]
    assert sweep.main(arguments) == 0, capsys.readouterr().out


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
