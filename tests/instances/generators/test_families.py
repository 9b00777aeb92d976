"""What holds of the families of every problem."""

import pytest
from every_problem import NEW

import atleastk
from atleastk.instances.family import Origin, origin_of, with_fields
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.runs.registry import PROBLEMS, family_named

FAMILIES = {
    f"{problem.name} {family.name}": (problem, family)
    for problem in PROBLEMS.values()
    for family in problem.families
}
FIXED = {
    "k-anonymity": {"full-product", "employees-4", "employees-8"},
    "suppression": {"people"},
    "generalization": {"people"},
    "diversity": {"patients"},
    "k-ambiguity": {"people"},
    "interval-covering": {"unit"},
    "r-gather": {"lattice", "us-cities"},
    "cellular-clustering": {"lattice", "us-cities"},
    "connected-partition": {"mississippi"},
    "rectangle-tiling": {"ring"},
    "rectangle-tiling-grid": {"pinwheel"},
}
"""Families of one instance, whatever the seed; so are all tight ones and figures."""

IMPOSSIBLE = {
    "bin-covering uniform": {"low": [0, 101]},
    "bin-covering few-sizes": {"kinds": [0]},
    "bin-covering heavy": {"heavy": [-1, 31]},
    "bin-covering three-partition-yes": {"target": [8]},
    "bin-covering three-partition-no": {"target": [99], "groups": [4]},
    "bin-covering census-like": {"top": [0]},
    "bin-covering tight-fold": {"k": [4], "shuffled": [2]},
    "bin-covering tight-five-halves": {"k": [12]},
    "bin-covering tight-spread": {"k": [6]},
    "bin-covering worst-spread": {"k": [5], "order": ["any"], "shuffled": [2]},
    "bin-covering worst-longest-first": {"k": [8]},
    "cellular-clustering uniform": {"facility": [-1], "r": [51]},
    "cellular-clustering tight-facilities": {"leaves": [0], "distance": [1]},
    "cellular-clustering worst-five-points": {"unit": [0]},
    "cellular-clustering worst-chains": {
        "chains": [1],
        "payers": [2],
        "distance": [1],
    },
    "cellular-clustering set-cover": {"elements": [0], "sets": [0], "density": [101]},
    "connected-partition delaunay": {
        "n": [0],
        "w": [0],
        "parts": [0, 10_000],
        "k": [0, 10_000, "many"],
    },
    "connected-partition grid": {"rows": [0], "columns": [0]},
    "connected-partition cubic": {"n": [5, 2], "k": [61]},
    "connected-partition wheel": {"n": [3]},
    "connected-partition tree": {"n": [0]},
    "connected-partition path": {"w": [0]},
    "connected-partition mississippi": {"k": [0]},
    "connected-partition tight-3-connected": {"k": [1]},
    "connected-partition tight-4-connected": {"k": [1]},
    "connected-partition tight-spider": {"k": [199], "legs": [0], "clique": [0]},
    "diversity worst-merge": {"n": [3]},
    "generalization trees": {"k": [0, 21], "m": [-1], "values": [0], "height": [0]},
    "generalization worst-datafly": {"height": [0]},
    "generalization worst-spider": {"k": [3]},
    "interval-covering uniform": {"low": [0]},
    "interval-covering worst-greedy": {"k": [1]},
    "k-ambiguity worst-pairs": {"pairs": [1]},
    "k-ambiguity worst-rows": {"m": [1], "k": [1]},
    "k-anonymity uniform": {"k": [21], "values": [0]},
    "k-anonymity skewed": {"m": [-1]},
    "k-anonymity planted": {"noise": [101], "size": [0], "groups": [0]},
    "k-anonymity hard-zone": {"n": [163], "k": [1]},
    "k-anonymity full-product": {"sizes": ["3,x"], "k": [12961]},
    "k-anonymity tight-dr": {"k": [5], "stars": [1]},
    "k-anonymity tight-leftovers": {"m": [0], "k": [1]},
    "k-anonymity worst-star": {"k": [1]},
    "k-anonymity worst-balls": {"k": [1]},
    "k-anonymity worst-strays": {"k": [1], "columns": [2]},
    "k-anonymity worst-spider": {"k": [3]},
    "k-anonymity worst-cover": {"k": [1], "stars": [0], "columns": [6]},
    "k-anonymity worst-odd-rows": {"k": [1], "stars": [0], "columns": [6]},
    "k-anonymity worst-transversals": {"k": [1, 7]},
    "pair-partition worst-places": {"distance": [2]},
    "r-gather uniform": {
        "r": [51],
        "n": [0],
        "high": [0],
        "max_clusters": [0],
        "centres": ["none"],
    },
    "r-gather clustered": {"clusters": [0], "spread": [-1]},
    "r-gather lattice": {"side": [0]},
    "r-gather graph": {"n": [0], "degree": [0], "weight": [0]},
    "r-gather hamming": {"n": [0], "m": [-1], "values": [0]},
    "r-gather hamming-clustered": {"noise": [101], "clusters": [0]},
    "r-gather us-cities": {"n": [0]},
    "r-gather tight-star": {"r": [2]},
    "r-gather tight-line": {"r": [1]},
    "r-gather tight-outliers": {"r": [3], "max_outliers": [-1]},
    "r-gather tight-k-outliers": {"r": [2]},
    "r-gather worst-hubs": {"distance": [0]},
    "r-gather three-sat": {
        "r": [6],
        "width": [4],
        "variables": [2],
        "clauses": [-1, 13],
    },
    "rectangle-tiling uniform": {"n": [0], "w": [0]},
    "rectangle-tiling clustered": {"clusters": [0], "spread": [-1], "side": [0]},
    "rectangle-tiling lattice": {"side": [3]},
    "rectangle-tiling full-lattice": {"rows": [0], "columns": [0]},
    "rectangle-tiling multiplicity": {"side": [0], "w": [0]},
    "rectangle-tiling ring": {"centre": [-1]},
    "rectangle-tiling tight-kd": {"k": [1], "cut": ["none"]},
    "rectangle-tiling worst-guillotine": {"k": [5]},
    "rectangle-tiling-grid uniform": {
        "rows": [0],
        "columns": [0],
        "high": [-1],
        "p": [0],
        "guillotine": [2],
    },
    "rectangle-tiling-grid peaks": {"count": [-1], "high": [0], "width": [0]},
    "rectangle-tiling-grid pinwheel": {"arm": [3, 0], "w": [0]},
    "rectangle-tiling-grid worst-cross": {"w": [1]},
    "rectangle-tiling-grid worst-slabs": {"t": [0]},
    "rectangle-tiling-grid worst-jagged": {"w": [0]},
    "suppression worst-spider": {"k": [3]},
}
"""Values that one parameter of a family cannot have, the others being the defaults."""


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_valid_and_repeatable(name):
    problem, family = FAMILIES[name]
    first = family.make(3)
    assert isinstance(first, problem.instance)
    assert first == family.make(3) == family.make(3, **family.parameters)
    assert first.name
    origin = origin_of(first)
    assert (origin.family, origin.seed) == (family.name, 3)
    again = family_named(problem, origin.family)
    assert again.make(origin.seed, **origin.parameters).sha256 == first.sha256
    least = first.r if hasattr(first, "r") else getattr(first, "k", 0)
    assert getattr(first, "total", first.n) >= least
    fixed = family.name in FIXED.get(problem.name, ())
    fixed = fixed or family.name.startswith(("tight", "worst", "figure"))
    assert problem.name in NEW or (first == family.make(4)) == fixed


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        (name, parameter, value)
        for name, parameters in IMPOSSIBLE.items()
        for parameter, values in parameters.items()
        for value in values
    ],
)
def test_impossible_parameters_are_named(name, parameter, value):
    with pytest.raises(InvalidInstanceError, match=parameter):
        FAMILIES[name][1].make(0, **{parameter: value})


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


@pytest.mark.parametrize("name", FAMILIES)
def test_two_instances_of_a_family_have_two_names(name):
    _, family = FAMILIES[name]
    by_name = {}
    for made in (family.make(0), *others(family)):
        assert by_name.setdefault(made.name, made.sha256) == made.sha256
    assert len(by_name) > 1


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
