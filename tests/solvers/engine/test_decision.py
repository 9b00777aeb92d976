from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.status import Status
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision, decided_by


def one_of(count, at_least):
    builder = LinearModelBuilder()
    builder.row(builder.binaries(count), at_least=at_least)
    return builder.build()


def test_what_was_found_is_read_in_other_terms():
    assert Decision.of([1, 2]).read(len) == Decision.of(2)
    assert Decision.of([]).read(len) == Decision.of(0)
    refuted = Decision.impossible({"kind": "count"})
    assert refuted.read(len) == refuted
    assert Decision.unknown("large").read(len).why == "large"


def test_a_model_decides_and_its_point_is_read():
    found = decided_by(Sat(), one_of(3, 3), lambda values: values.tolist(), Budget())
    assert found == Decision.of([1, 1, 1])
    found = decided_by(Sat(), one_of(3, 4), len, Budget())
    assert found == Decision.impossible()


def test_who_decides_nothing_is_named():
    found = decided_by(Sat(), one_of(3, 3), len, Budget.of(0.0))
    assert found.status is Status.UNKNOWN
    assert found.why == "SAT glucose4 ended without an answer"
