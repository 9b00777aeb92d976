import random
from fractions import Fraction

import pytest

from atleastk import Diversity, Solution
from atleastk.instances.generators.diversity import diagnoses
from atleastk.models.diversity import check, is_diverse, is_diverse_node
from atleastk.models.generalization import solution_of_levels


def plain(values, **asked):
    rows = [[]] * len(values)
    return Diversity(rows, 1, [], sensitive=[[v] for v in values], **asked)


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"l": 2}, None),
        ({"l": 3}, "group 0 has fewer than 3 different values in sensitive column 0"),
        (
            {"l": 2, "reading": "frequency"},
            "group 0 has more than 1/2 of its rows with one value in sensitive "
            "column 0",
        ),
        ({"t": "1/6"}, None),
        (
            {"t": "0.1666"},
            "group 0 has values further than 833/5000 from those of the table in "
            "sensitive column 0",
        ),
    ],
)
def test_each_condition(asked, wrong):
    """Two thirds of the group and half of the table are ill: 1/6 apart."""
    instance = plain(["ill", "ill", "well", "well", "well", "ill"], **asked)
    verdict = check(instance, Solution.of([[0, 1, 2], [3, 4, 5]]))
    first = next((v for v in verdict.violations if v.startswith("group 0")), None)
    assert first == wrong


def test_texts_and_integers_are_different_values():
    assert is_diverse(plain([1, "1"], l=2), [0, 1])


def test_an_l_beyond_all_numbers():
    for reading in ("distinct", "frequency"):
        assert not is_diverse(plain("ab", l=10**1000, reading=reading), [0, 1])


def test_unions_keep_what_both_keep():
    rng = random.Random(4)
    joined = 0
    for seed in range(40):
        values = rng.choices("aabc", k=12)
        asked = {
            "l": rng.randint(1, 3),
            "reading": rng.choice(["distinct", "frequency"]),
        }
        instance = plain(values, t=Fraction(rng.randint(2, 8), 10), **asked)
        rows = rng.sample(range(12), 12)
        left, right = rows[: 2 + seed % 5], rows[7:]
        if is_diverse(instance, left) and is_diverse(instance, right):
            joined += 1
            assert is_diverse(instance, left + right)
    assert joined >= 5


def test_nodes_are_judged_like_their_classes():
    instance = diagnoses(3, n=40, m=2, height=3, on="attributes", reading="frequency")
    verdicts = []
    for first in range(instance.heights[0] + 1):
        for second in range(instance.heights[1] + 1):
            levels = first, second
            solution = solution_of_levels(instance, levels)
            verdicts.append(check(instance, solution).feasible)
            assert is_diverse_node(instance, levels) is verdicts[-1]
    assert set(verdicts) == {True, False}
