import numpy as np
import pytest

import atleastk
from atleastk.instances.fields.errors import UnknownNameError
from atleastk.runs import registry

PROBLEMS = registry.PROBLEMS.values()


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.name)
def test_entries_are_complete(problem):
    assert registry.problem_named(problem.name) is problem
    assert callable(problem.draw)
    assert problem.question
    for entries in (problem.methods, problem.algorithms, problem.families):
        names = [entry.name for entry in entries]
        assert len(set(names)) == len(names)
        assert all(entry.summary for entry in entries)
    assert "auto" not in [method.name for method in problem.methods]


def test_unknown_names_are_helped_with():
    with pytest.raises(UnknownNameError) as caught:
        registry.problem_named("bin-coverings")
    assert 'did you mean "bin-covering"?' in str(caught.value)
    assert "known are bin-covering" in str(caught.value)
    with pytest.raises(UnknownNameError) as caught:
        registry.problem_named("tsp")
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("name", [None, 7, ["auto"], {"auto"}, np.array(["auto"])])
def test_what_is_no_name_is_called_unknown(name):
    instance = atleastk.BinCovering([1, 1], 1)
    for ask in (
        lambda: atleastk.solve(instance, method=name),
        lambda: atleastk.approximate(instance, name),
        lambda: atleastk.methods(name),
        lambda: atleastk.algorithms(name),
    ):
        with pytest.raises(UnknownNameError, match=r"expected .* names?.*, got"):
            ask()
