from dataclasses import replace

import pytest

import atleastk
from atleastk import BinCovering, Trust
from atleastk.research.adversary.finds import (
    Exhausted,
    Fault,
    Found,
    is_new,
    judged_for_all,
    least_of,
)
from atleastk.research.collecting.record import named
from atleastk.runs import api
from atleastk.runs.own_algorithms import algorithm_of
from atleastk.runs.registry import instance_from_dict, problem_named

INSTANCE = BinCovering([5, 4, 3, 3, 2, 2], 5, "excess")


def found():
    result = api.solve(INSTANCE, certify=True)
    told = "one bin", INSTANCE, 6, result.cost, result
    return Found(*told, False, 1.5, 1.2, Exhausted(), 1, 1, 0)


def test_a_certificate_of_less_than_the_optimum_is_not_recorded():
    """Who reads the record takes it for a proof of the optimum."""
    find = found()
    assert find.to_dict()["certificate"] == find.result.certificate
    bound = find.result.cost - 1
    less = replace(find.result, trust=Trust.PROVED, certified_bound=bound)
    assert replace(find, result=less).to_dict()["certificate"] is None


def test_what_is_proposed_says_what_it_is():
    proposal = found().proposal
    assert proposal.sha256 == INSTANCE.sha256
    optimum = found().result.cost
    assert proposal.name == f"bin-covering worst one bin 6 {optimum}"
    assert named(proposal.name) == f"bin-covering-worst-one-bin-6-{optimum}"
    assert f"one bin costs 6, the optimum is {optimum}" in proposal.source
    again = instance_from_dict(proposal.to_dict())
    assert (again.name, again.source) == (proposal.name, proposal.source)


def test_worse_than_all_known_is_more_than_rounding():
    find = found()
    assert not replace(find, known=find.ratio).is_worst_known
    assert replace(find, known=find.ratio - 0.01).is_worst_known


def test_a_fault_has_no_ratio():
    record = Fault("mine", INSTANCE, "went wrong", 3).to_dict()
    assert record["ratio"] is None
    assert (record["algorithm"], record["fault"]) == ("mine", "went wrong")
    assert atleastk.from_dict(record["instance"]) == INSTANCE


BINS = problem_named("bin-covering")
FOURS = BinCovering([2, 2, 2, 2], 2)


def record_of(algorithm, ratio, **fields):
    told = {"algorithm": algorithm, "ratio": ratio, "cost": 4, "optimum": 2}
    remarks = {"date": "2026-01-01", "seed": 0, "version": "0"}
    return {**told, **remarks, "instance": FOURS.to_dict(), **fields}


@atleastk.algorithm("bin-covering")
def one(instance):
    return [range(instance.n)]


@atleastk.algorithm("bin-covering", guarantee=2)
def promises(instance):
    return [range(instance.n)]


@atleastk.algorithm("bin-covering")
def fails(_instance):
    raise ZeroDivisionError


@atleastk.algorithm("bin-covering")
def refuses(_instance):
    raise atleastk.NotApplicableError


def others(*functions, records):
    algorithms = [algorithm_of(BINS, function) for function in functions]
    return list(judged_for_all(BINS, records, algorithms))


def test_who_is_worse_off_has_a_record():
    found = record_of("mine", 2.0, plants=7, exhausted="2 sizes", seconds=3.0)
    (other,) = others(one, records=[found])
    assert (other["algorithm"], other["cost"], other["ratio"]) == ("one", 8, 4.0)
    assert other["instance"] == found["instance"]
    assert (other["plants"], other["exhausted"], other["seconds"]) == (0, "", 0.0)
    assert others(one, records=[found, record_of("one", 4.0)]) == []


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (fails, "ZeroDivisionError"),
        (promises, "breaks its promise: its cost is 8, that of a solution 2"),
    ],
)
def test_who_does_wrong_on_a_find_has_a_fault(function, told):
    (other,) = others(function, records=[record_of("mine", 2.0)])
    assert other["ratio"] is None
    assert other["fault"].startswith(told)
    assert not is_new(other, [other])


def test_who_does_not_take_it_has_none():
    assert others(refuses, records=[record_of("mine", 2.0)]) == []


def test_faults_are_of_their_algorithm():
    fault = {**record_of("mine", None), "fault": "went wrong"}
    assert others(one, records=[fault]) == []


def test_ratios_are_over_what_is_known_of_the_optimum():
    assert least_of(record_of("mine", 2.0)) == 2
    assert least_of(record_of("mine", 2.0, optimum=None, best_known=3)) == 3
