"""The registry: complete, consistent, and helpful about names."""

import pytest

from atleastk import registry
from atleastk.instances.errors import UnknownNameError

PROBLEMS = registry.PROBLEMS.values()


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.name)
def test_entries_are_complete(problem):
    """Every name is unique, spoken of in a summary, and can be drawn."""
    assert registry.problem_named(problem.name) is problem
    assert problem.name in registry.DRAWINGS
    assert problem.question
    for entries in (problem.methods, problem.algorithms, problem.families):
        names = [entry.name for entry in entries]
        assert len(set(names)) == len(names)
        assert all(entry.summary for entry in entries)
    assert "auto" not in [method.name for method in problem.methods]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.name)
def test_families_make_valid_instances_by_default(problem):
    """Their parameters have defaults that work, and the seed decides."""
    for family in problem.families:
        made = family.make(3)
        assert isinstance(made, problem.instance)
        assert made == family.make(3)
        assert made == family.make(3, **family.parameters)


def test_unknown_names_are_helped_with():
    """A near miss is recognised; the known names are listed in any case."""
    with pytest.raises(UnknownNameError) as caught:
        registry.problem_named("bin-coverings")
    assert 'did you mean "bin-covering"?' in str(caught.value)
    assert "known are bin-covering" in str(caught.value)
    with pytest.raises(UnknownNameError) as caught:
        registry.problem_named("tsp")
    assert "did you mean" not in str(caught.value)
