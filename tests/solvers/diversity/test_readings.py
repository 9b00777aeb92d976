"""Entropy, recursive diversity and ordered closeness, against brute force."""

import random
from itertools import combinations

import numpy as np
import pytest

import atleastk
from atleastk.instances.diversity import READINGS, Diversity
from atleastk.instances.generalization import LOSSES
from atleastk.models.diverse_deletion import _until_even
from atleastk.models.diversity import is_diverse, obstacles
from atleastk.solvers.brute_force.diversity import optimum
from tests.helpers.verdicts import solved_rightly

HIERARCHY = [[(str(i), f"{i // 2}", f"{i // 4}", "*") for i in range(8)]]


def drawn(seed, **more):
    rng = random.Random(seed)
    n, reading = rng.randint(1, 8), rng.choice(READINGS)
    wish = {"reading": reading, "l": rng.randint(1, 3)}
    if reading == "recursive":
        wish["c"] = rng.randint(1, 4)
    if rng.random() < 0.5:
        wish |= {"ordered": True, "t": f"{rng.randint(0, 6)}/10"}
    return Diversity(
        [[str(rng.randrange(8))] for _ in range(n)],
        rng.randint(1, 2),
        HIERARCHY,
        on="attributes",
        loss=rng.choice(LOSSES),
        sensitive=[[rng.randint(0, 4)] for _ in range(n)],
        **wish,
        **more,
    )


@pytest.mark.parametrize("seed", range(60))
def test_the_optimum_is_that_of_brute_force_and_certified(seed):
    instance = drawn(seed)
    result = atleastk.solve(instance, workers=1, certify=True)
    assert solved_rightly(instance, result, optimum(instance))
    assert str(result.trust) == "certified"
    assert atleastk.from_dict(instance.to_dict()) == instance


@pytest.mark.parametrize("seed", range(60))
def test_suppressed_rows_are_a_class_that_is_judged_as_all(seed):
    instance = drawn(1000 + seed, suppress_rows=1 + seed % 3)
    solved_rightly(instance, atleastk.solve(instance, workers=1), optimum(instance))


@pytest.mark.parametrize("seed", range(40))
def test_the_most_even_part_bounds_what_a_class_loses(seed):
    """Against all parts of one class."""
    rng = random.Random(seed)
    values = [rng.randint(0, 3) for _ in range(rng.randint(2, 8))]
    reading = rng.choice(["entropy", "recursive"])
    asked = {"c": rng.randint(1, 3)} if reading == "recursive" else {}
    asked |= {"reading": reading, "l": rng.randint(1, 3)}
    instance = of(values, suppress_rows=len(values), **asked)
    counts = np.bincount(values)
    sizes = range(len(values))
    parts = (
        gone
        for gone in sizes
        for kept in combinations(sizes, len(values) - gone)
        if is_diverse(instance, kept)
    )
    fewest = next(parts, len(values))
    assert _until_even(instance, counts[counts > 0]) == fewest


def test_many_rows_are_proved_without_a_model():
    """The bound of each class is exact: nothing is left to try."""
    rng = random.Random(3)
    n = 400
    instance = Diversity(
        [[str(rng.randrange(8))] for _ in range(n)],
        5,
        HIERARCHY,
        on="attributes",
        sensitive=[[min(4, int(rng.expovariate(0.5)))] for _ in range(n)],
        reading="entropy",
        l=3,
        suppress_rows=40,
    )
    result = atleastk.solve(instance, workers=1)
    assert str(result.status) == "OPTIMAL"
    assert atleastk.check(instance, result).feasible


def of(values, **asked):
    table = [["1"]] * len(values)
    sensitive = [[value] for value in values]
    return Diversity(table, 1, HIERARCHY, on="attributes", sensitive=sensitive, **asked)


@pytest.mark.parametrize(
    ("values", "asked", "holds"),
    [
        ([1, 2, 3], {"reading": "entropy", "l": 3}, True),
        ([1, 1, 2, 3], {"reading": "entropy", "l": 3}, False),
        ([1, 1, 2, 2] * 2500, {"reading": "entropy", "l": 2}, True),
        ([1, 1, 2, 3], {"reading": "recursive", "l": 2, "c": 1}, False),
        ([1, 1, 2, 3], {"reading": "recursive", "l": 2, "c": 2}, True),
        ([1, 1, 2, 3], {"reading": "recursive", "l": 4, "c": 9}, False),
        ([1, 2], {"reading": "recursive", "l": 1, "c": 1}, True),
        ([1, 1], {"reading": "recursive", "l": 1, "c": 1}, False),
    ],
)
def test_what_a_class_has_to_be(values, asked, holds):
    assert is_diverse(of(values, **asked), range(len(values))) == holds


def test_near_values_are_less_far_apart():
    table = [1, 2, 3, 4]
    assert is_diverse(of(table, t="1/4", ordered=True), [0, 2, 3])
    assert not is_diverse(of(table, t="1/4", ordered=True), [0, 1])
    assert is_diverse(of(table, t="1/3", ordered=True), [0, 1])
    assert not is_diverse(of(table, t="1/3"), [0, 1])


@pytest.mark.parametrize(
    ("values", "asked", "why"),
    [
        ([1, 1, 2, 3], {"reading": "entropy", "l": 3}, "an entropy below log 3; l = 2"),
        (
            [1, 2],
            {"reading": "recursive", "l": 3, "c": 2},
            "no (2, 3)-diverse values; l",
        ),
        ([1, 1], {"reading": "recursive", "l": 1, "c": 1}, "no (1, 1)-diverse values"),
    ],
)
def test_the_nearest_is_named(values, asked, why):
    assert why in obstacles(of(values, **asked))[0]
