"""Efforts: how difficult an instance is, and when it is open."""

from dataclasses import replace

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.research.collecting.effort import (
    DIFFICULTIES,
    HALF_AN_HOUR,
    PLAIN,
    Effort,
    difficulty_of,
    is_earned,
)
from atleastk.research.collecting.improving import improved
from atleastk.research.collecting.record import Record

HIGHS, CP_SAT = PLAIN


def tried(method, seconds, status="FEASIBLE", *, seed=0):
    return Effort(
        date="2026-01-31",
        method=method,
        seed=seed,
        limit=seconds,
        seconds=seconds,
        status=status,
        versions={"atleastk": "0.1.0"},
    )


@pytest.mark.parametrize(
    ("seconds", "word"),
    [(0.9, "toy"), (1.0, "small"), (10.0, "medium"), (100.0, "hard")],
)
def test_what_a_plain_model_closes_is_as_hard_as_it_takes(seconds, word):
    closed = tried(HIGHS, seconds, "OPTIMAL")
    assert difficulty_of([tried(CP_SAT, 100.0), closed]) == word
    assert word in DIFFICULTIES


def test_the_automatic_choice_tells_nothing_of_difficulty():
    assert difficulty_of([tried("auto", 0.1, "OPTIMAL")]) == "unmeasured"


def test_hard_is_what_both_solvers_had_their_time_for():
    one, other = tried(HIGHS, 100.0), tried(CP_SAT, 100.0, "UNKNOWN")
    assert difficulty_of([one]) == "unmeasured"
    assert difficulty_of([one, replace(other, limit=99.0)]) == "unmeasured"
    assert difficulty_of([one, other]) == "hard"
    assert difficulty_of([one, tried(CP_SAT, 0.0, "REFUSED")]) == "hard"


def test_without_a_plain_model_nothing_is_measured():
    assert difficulty_of([tried(m, 0.0, "REFUSED") for m in PLAIN]) == "unmeasured"


def test_half_an_hour_of_methods_and_seeds_is_earned():
    half = HALF_AN_HOUR / 2
    one, other = tried("auto", half), tried(HIGHS, half, seed=1)
    assert is_earned([one, other])
    assert not is_earned([one, replace(other, seconds=half - 1)])
    assert not is_earned([one, replace(other, seed=0)])
    assert not is_earned([one, replace(other, method="auto")])
    assert not is_earned([one, replace(other, status="FAILED")])


def test_what_was_not_tried_for_half_an_hour_is_not_open(record, optimal):
    loose = replace(optimal.certified, status="FEASIBLE", bound=1, certificate=None)
    loose = replace(loose, trust="heuristic")
    known = improved(record, loose, "2026-01-31", taking_claims=True)
    assert (known.status, known.is_closed) == ("tried", False)
    half = HALF_AN_HOUR / 2
    efforts = tried("auto", half), tried(HIGHS, half, seed=1)
    assert replace(known, efforts=efforts).status == "open"


def test_there_and_back(record):
    with_efforts = replace(record, efforts=(tried("auto", 1.5), tried(HIGHS, 2)))
    assert Record.from_dict(with_efforts.to_dict()) == with_efforts


@pytest.mark.parametrize("wrong", [{"limit": -1}, {"seed": -1}, {"nodes": 0.5}])
def test_wrong_fields_are_refused(wrong):
    with pytest.raises(InvalidInstanceError, match=next(iter(wrong))):
        replace(tried("auto", 1.0), **wrong)
