"""Without items there is one partition, that into no groups, and it costs 0."""

import pytest
from every_problem import EMPTY

import atleastk
from atleastk import CertificateError, NotApplicableError, Suppression
from atleastk.runs import registry


@pytest.mark.parametrize("name", sorted(registry.PROBLEMS))
def test_every_method_and_algorithm_finds_the_partition_of_nothing(name):
    problem, taking = registry.PROBLEMS[name], set()
    for instance in EMPTY[name]:
        assert atleastk.check(instance, []).cost == 0
        judged = problem.optimum(instance)
        assert (judged[0] if isinstance(judged, tuple) else judged) == 0
        for method in ("auto", *(method.name for method in problem.methods)):
            try:
                result = atleastk.solve(instance, 600, method=method)
            except NotApplicableError:
                continue
            assert (result.status, result.cost, result.bound) == ("OPTIMAL", 0, 0)
            assert result.groups == ()
            assert atleastk.check(instance, result).proved
        for algorithm in problem.algorithms:
            try:
                result = atleastk.approximate(instance, algorithm.name)
            except NotApplicableError:
                assert algorithm.refuses(instance) is not None
                continue
            assert (result.cost, result.groups) == (0, ())
            promise = result.guarantee
            assert promise is None or promise.holds(instance, 0, 0), algorithm
            taking.add(algorithm.name)
    assert taking or not problem.algorithms


@pytest.mark.parametrize("name", sorted(registry.PROBLEMS))
def test_nothing_proves_more_of_nothing(name):
    check = registry.PROBLEMS[name].check_certificate
    for instance in EMPTY[name]:
        kinds = ("count", "counting", "total", "columns", "weights", "reach", "lattice")
        for kind in (*kinds, "reachability", "hitting", "parts"):
            certificate = {
                "kind": kind,
                "scale": 1,
                "weights": [],
                "parts": {},
                "items": [],
                "refutes": 2,
                "cost": 1,
                "item": 0,
                "most": 0,
                "radius": 0,
                "refused": [],
                "dear": [],
                "level": 2,
                "refuted": [],
            }
            for bound in (1, None):
                with pytest.raises((CertificateError, NotApplicableError)):
                    check(instance, certificate, bound)


def test_a_row_of_nothing_is_certified():
    for instance in (*EMPTY["bin-covering"], *EMPTY["interval-covering"][:2]):
        assert atleastk.solve(instance).trust == "certified"


def test_no_rows_are_as_anonymous_as_was_asked():
    instance = Suppression([], 3, minimise="k")
    result = atleastk.solve(instance)
    assert (result.status, result.cost) == ("OPTIMAL", -3)
    assert atleastk.check(instance, result).proved
