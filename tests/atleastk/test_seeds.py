"""The same seed with one worker: what it repeats where no limit ends a run."""

import pytest

import atleastk
from atleastk import NotApplicableError
from atleastk.runs import registry

NAMES = sorted(registry.PROBLEMS)


@pytest.mark.parametrize("name", NAMES)
def test_a_method_repeats_its_solution(solved, name):
    instance, found = solved(name)[0]
    for method in registry.PROBLEMS[name].methods:
        try:
            runs = [
                atleastk.solve(instance, workers=1, seed=5, method=method.name)
                for _ in range(2)
            ]
        except NotApplicableError:
            continue
        first, second = runs
        assert first.groups == second.groups, method.name
        assert first.cost == second.cost == found.cost, method.name
