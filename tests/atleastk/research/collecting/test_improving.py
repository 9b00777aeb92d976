from dataclasses import replace

import pytest

import atleastk
from atleastk import InvalidResultError, Status, Trust, WrongAnswerError
from atleastk.research.collecting.improving import improved, violation_of

DAY, NEXT = "2026-01-31", "2026-02-01"


@pytest.fixture
def feasible(instance):
    optimal = atleastk.solve(instance, workers=1)
    one = (tuple(range(7)),)
    return replace(
        optimal,
        status=Status.FEASIBLE,
        trust=Trust.HEURISTIC,
        cost=33,
        bound=None,
        solution=replace(optimal.solution, groups=one),
        certificate=None,
    )


def bare(result):
    return replace(result, certificate=None, trust=Trust.PROVED)


def test_history_grows_by_gains(record, feasible, optimal):
    first = improved(record, feasible, DAY)
    assert (first.status, first.known.cost, first.known.bound) == ("tried", 33, None)
    second = improved(first, optimal, NEXT)
    assert (second.status, second.known.cost) == ("certified", 12)
    assert [entry.date for entry in second.history] == [DAY, NEXT]
    assert second.known.certificate == "weights"
    assert violation_of(second) is None


@pytest.mark.parametrize("claims", [False, True])
def test_what_is_no_gain_changes_nothing(record, feasible, optimal, claims):
    best = improved(record, optimal, DAY)
    for worse in (feasible, bare(optimal), optimal):
        assert improved(best, worse, NEXT, taking_claims=claims) is best


def test_a_bound_without_a_proof_is_taken_only_if_asked_for(record, optimal):
    claim = bare(optimal)
    plain = improved(record, claim, DAY)
    assert (plain.status, plain.known.cost, plain.known.bound) == ("tried", 12, None)
    taken = improved(record, claim, DAY, taking_claims=True)
    assert (taken.status, taken.known.bound) == ("proved", 12)
    assert improved(taken, optimal, NEXT).status == "certified"


def test_a_certificate_is_given_up_only_for_what_closes(record, feasible, optimal):
    lower = replace(feasible, bound=12, certificate=dict(optimal.certificate))
    known = improved(record, lower, DAY)
    assert (known.known.bound, known.known.certificate) == (12, "weights")
    claim = replace(feasible, bound=13)
    assert improved(known, claim, NEXT, taking_claims=True) is known


def test_a_false_result_is_refused(record, optimal):
    wrong = replace(optimal, cost=11, bound=11)
    with pytest.raises(InvalidResultError, match="seven: does not hold: the claimed"):
        improved(record, wrong, DAY)


def test_a_broken_certificate_is_refused(record, optimal):
    broken = replace(optimal, certificate={"kind": "weights", "refutes": 11})
    with pytest.raises(InvalidResultError, match="does not hold"):
        improved(record, broken, DAY)


def test_a_result_of_another_instance_is_refused(record, optimal):
    other = replace(optimal, instance_sha256="0" * 64)
    with pytest.raises(InvalidResultError, match="of another instance"):
        improved(record, other, DAY)


def test_contradictions_are_told(record, feasible, optimal):
    claim = replace(feasible, status=Status.OPTIMAL, trust=Trust.PROVED, bound=33)
    known = improved(record, claim, DAY, taking_claims=True)
    assert known.status == "proved"
    with pytest.raises(WrongAnswerError, match="cost 12 is known, and at least 33"):
        improved(known, optimal, NEXT)


def test_infeasibility(record):
    instance = atleastk.BinCovering([3, 4], 8)
    nothing = type(record).of(
        instance, name="none", family="tests", source="by hand", licence="none"
    )
    result = atleastk.solve(instance, workers=1, certify=True)
    known = improved(nothing, result, DAY, taking_claims=True)
    assert known.known.status == "INFEASIBLE"
    assert known.witness is None
    assert violation_of(known) is None


def test_violations(record, optimal):
    known = improved(record, optimal, DAY)
    other = replace(known, instance_sha256="0" * 64)
    assert "makes another instance" in violation_of(other)
    dearer = replace(known.known, cost=11, bound=11)
    assert "does not hold" in violation_of(replace(known, history=(dearer,)))
