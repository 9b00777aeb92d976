"""Levels within limits, and further conditions on classes, against brute force."""

import random

import pytest

import atleastk
from atleastk.instances.conditions import Conditions
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.models.certificates.generalization import check_certificate
from atleastk.models.generalization import check, solution_at, solution_of_levels
from atleastk.solvers.brute_force import diversity, generalization
from tests.helpers.verdicts import solved_rightly

ZIPS = ["13053", "13068", "14850", "14853"]
AGES = ["31", "38", "42", "47"]
HIERARCHIES = [
    [(v, v[:3], v[:2], "*") for v in ZIPS],
    [(v, f"{v[0]}0s", "*") for v in AGES],
]


def drawn(rng):
    """A small table with random limits of levels and random conditions."""
    rows = [[rng.choice(ZIPS), rng.choice(AGES)] for _ in range(rng.randint(1, 8))]
    more = {}
    if rng.random() < 0.6:
        pairs = [sorted(rng.randint(0, h) for _ in "ab") for h in (3, 2)]
        more["levels"] = [[rng.choice([0, low]), high] for low, high in pairs]
    asked = {}
    if rng.random() < 0.4:
        asked["mean_risk"] = f"{rng.randint(1, 4)}/{rng.randint(4, 8)}"
    if rng.random() < 0.4:
        asked |= {"small": rng.randint(2, 4), "at_risk": f"{rng.randint(0, 4)}/8"}
    if rng.random() < 0.4:
        others = [
            [rng.choice(ZIPS), rng.choice(AGES)] for _ in range(rng.randint(0, 6))
        ]
        asked |= {"k_map": rng.randint(1, 4), "population": rows + others}
    if asked:
        more["conditions"] = asked
    elif rng.random() < 0.4:
        more["suppress_rows"] = rng.randint(0, 3)
    if rng.random() < 0.3 and not ("levels" in more and more.get("suppress_rows")):
        values = [[rng.choice("abc")] for _ in rows]
        more |= {"sensitive": values, "l": rng.randint(1, 2)}
    kind = Diversity if "sensitive" in more else Generalization
    k, loss = rng.randint(1, 3), rng.choice(LOSSES)
    return kind(rows, k, HIERARCHIES, on="attributes", loss=loss, **more)


@pytest.mark.parametrize("seed", range(60))
def test_the_optimum_is_that_of_brute_force_and_certified(seed):
    instance = drawn(random.Random(seed))
    brute = diversity if isinstance(instance, Diversity) else generalization
    least = brute.optimum(instance)
    methods = ["auto", "tagging"]
    if not isinstance(instance, Diversity):
        methods.append("hitting-sets")
    for method in methods:
        result = atleastk.solve(instance, method=method, workers=1, certify=True)
        assert solved_rightly(instance, result, least)
        assert str(result.trust) == "certified"


@pytest.mark.parametrize("seed", range(60, 80))
def test_an_instance_is_the_same_from_its_file(seed):
    instance = drawn(random.Random(seed))
    again = atleastk.from_dict(instance.to_dict())
    assert again == instance
    assert again.sha256 == instance.sha256


def table(**more):
    rows = [[z, a] for z in ZIPS for a in AGES]
    return Generalization(rows, 1, HIERARCHIES, on="attributes", **more)


@pytest.mark.parametrize(
    ("more", "levels", "words"),
    [
        ({"levels": [[0, 1], [1, 2]]}, (0, 0), "expected 2 levels from (0, 1) to"),
        ({"conditions": {"mean_risk": "1/4"}}, (1, 1), None),
        ({"conditions": {"mean_risk": "0.2"}}, (1, 1), "mean risk 4/16, above 1/5"),
        ({"conditions": {"small": 4, "at_risk": 0}}, (1, 1), None),
        (
            {"conditions": {"small": 5, "at_risk": "1/2"}},
            (1, 1),
            "16 of 16 rows in classes below 5, above a share of 1/2",
        ),
        (
            {"conditions": {"k_map": 2, "population": [[z, "31"] for z in ZIPS]}},
            (1, 2),
            None,
        ),
        (
            {"conditions": {"k_map": 2, "population": [[z, "31"] for z in ZIPS]}},
            (1, 1),
            "a row that may be 0 persons, below 2",
        ),
    ],
)
def test_the_checker_says_what_is_broken(more, levels, words):
    instance = table(**more)
    verdict = check(instance, solution_at(instance, levels, ()))
    assert verdict.feasible == (words is None)
    assert words is None or words in verdict.violations[0]


def test_copies_are_counted_in_conditions():
    instance = table(conditions={"mean_risk": "1/8"}, copies=[2] * 16)
    assert check(instance, solution_of_levels(instance, (1, 1))).feasible
    broken = check(instance, solution_of_levels(instance, (0, 1)))
    assert broken.violations == ("mean risk 8/32, above 1/8",)


@pytest.mark.parametrize("bound", [None, 0])
def test_a_certificate_of_the_highest_node_is_checked(bound):
    feasible, refused = (
        table(),
        table(levels=[[0, 0], [0, 2]], conditions={"mean_risk": 0}),
    )
    with pytest.raises(CertificateError, match="the highest node is refused"):
        check_certificate(feasible, {"kind": "highest"}, bound)
    if bound is None:
        check_certificate(refused, {"kind": "highest"}, bound)


def test_no_condition_is_none():
    assert not Conditions()
    assert table(conditions={}) != table()
    assert atleastk.solve(table(conditions={}), workers=1).cost == 0
