import pytest

import atleastk
from atleastk.instances.family import Origin, origin_of, with_fields
from atleastk.runs.registry import PROBLEMS, family_named

FAMILIES = [
    pytest.param(problem, family, id=f"{problem.name} {family.name}")
    for problem in PROBLEMS.values()
    for family in problem.families
]


def others(family):
    for name, default in family.parameters.items():
        tried = [3] if default is None else []
        if isinstance(default, int):
            tried = [default + 1, default + 2, default - 1, 2 * default]
        for value in tried:
            try:
                yield family.make(0, **{name: value})
            except (ArithmeticError, TypeError, ValueError):
                continue


@pytest.mark.parametrize(("problem", "family"), FAMILIES)
def test_two_instances_of_a_family_have_two_names(problem, family):
    by_name = {}
    for made in (family.make(0), *others(family)):
        assert by_name.setdefault(made.name, made.sha256) == made.sha256
    assert len(by_name) > 1


@pytest.mark.parametrize(("problem", "family"), FAMILIES)
def test_the_source_makes_the_instance_again(problem, family):
    made = family.make(3)
    origin = origin_of(made)
    assert (origin.family, origin.seed) == (family.name, 3)
    again = family_named(problem, origin.family)
    assert again.make(origin.seed, **origin.parameters).sha256 == made.sha256


def test_what_a_family_is_made_of_stays_in_the_source():
    made = atleastk.generate("connected-partition", "mississippi", k=200_000)
    assert made.source.endswith("k=200000; US Census Bureau, public domain")
    assert origin_of(made) == ("mississippi", 0, {"k": 200_000})


def test_replaced_fields_are_in_name_and_source():
    made = atleastk.generate("bin-covering", "uniform", 7, n=5, k=90)
    other = with_fields(made, {"k": 80, "objective": "excess"})
    assert (made.k, other.k, other.sizes) == (90, 80, made.sizes)
    assert other.name == "uniform n=5 low=1 high=100 k=90 seed=7 k=80 objective=excess"
    assert origin_of(other).parameters == {
        "n": 5,
        "low": 1,
        "high": 100,
        "k": 80,
        "objective": "excess",
    }
    assert with_fields(made, {"k": 90}) is made
    plain = with_fields(atleastk.BinCovering([3, 4], 2), {"k": 3})
    assert origin_of(plain) == Origin(None, None, {"k": 3})
    assert origin_of(atleastk.BinCovering([3, 4], 2)) == Origin(None, None, {})


def test_sources_of_earlier_versions_are_read():
    source = "of all; generated: family adult, seed 4 n=100 columns=8: shipped"
    made = atleastk.BinCovering([3], 2, source=source)
    assert origin_of(made) == ("adult", 4, {"n": 100, "columns": 8})
