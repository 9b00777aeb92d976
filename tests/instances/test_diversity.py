import random
from fractions import Fraction
from itertools import combinations

import pytest

import atleastk
from atleastk import Diversity
from atleastk.instances.hierarchies.hierarchy import suppression_of

TABLE = [["a"], ["a"], ["b"], ["b"]]
STARS = [suppression_of("ab")]
VALUES = [["ill"], ["well"], ["ill"], ["well"]]


@pytest.mark.parametrize("t", ["0.2", "1/5", 0.2, Fraction(1, 5), "2/10"])
def test_shares_are_exact_however_they_are_written(t):
    instance = Diversity(TABLE, 2, STARS, sensitive=VALUES, t=t)
    assert instance.t == Fraction(1, 5)
    assert instance.to_dict()["t"] == "1/5"
    assert atleastk.from_dict(instance.to_dict()) == instance


def distance(rows, values):
    return (
        sum(
            abs(
                Fraction(sum(values[i] == value for i in rows), len(rows))
                - Fraction(values.count(value), len(values))
            )
            for value in set(values)
        )
        / 2
    )


def test_the_least_rows_are_a_bound_and_nearly_always_reached():
    rng = random.Random(2)
    reached = 0
    for _ in range(60):
        values = rng.choices("aaabc", k=rng.randint(1, 7))
        t, n = Fraction(rng.randint(0, 20), 20), len(values)
        instance = Diversity(
            [[]] * n, 1, [], sensitive=[[value] for value in values], t=t
        )
        least = min(
            len(rows)
            for size in range(1, n + 1)
            for rows in combinations(range(n), size)
            if distance(rows, values) <= t
        )
        assert instance.least_rows <= least
        reached += instance.least_rows == least
    assert reached >= 55


def test_readings_ask_for_l_rows():
    instance = Diversity(TABLE, 1, STARS, sensitive=VALUES, l=2)
    assert instance.least_rows == instance.relaxed.k == 2
    assert Diversity(TABLE, 1, STARS, sensitive=[[]] * 4, l=2).least_rows == 1
