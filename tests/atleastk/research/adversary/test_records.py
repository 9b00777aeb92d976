import pytest

import atleastk
from atleastk.research.adversary.finds import is_new, judged_for_all, least_of
from atleastk.runs.own_algorithms import algorithm_of
from atleastk.runs.registry import problem_named

BINS = problem_named("bin-covering")
INSTANCE = atleastk.BinCovering([2, 2, 2, 2], 2)


def record_of(algorithm, ratio, **fields):
    told = {"algorithm": algorithm, "ratio": ratio, "cost": 4, "optimum": 2}
    remarks = {"date": "2026-01-01", "seed": 0, "version": "0"}
    return {**told, **remarks, "instance": INSTANCE.to_dict(), **fields}


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
