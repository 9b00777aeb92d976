"""Models of samples: sums by definition, and expectations that are met."""

from math import comb, exp, isclose, lgamma, log

import numpy as np
import pytest

from atleastk.models.tables.sample_risk import (
    SampleRisk,
    individual_risk,
    pitman_uniques,
    snb_uniques,
)


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 30, 59, 60, 200])
@pytest.mark.parametrize("p", [0.02, 0.2, 0.4999, 0.5, 0.8, 0.999])
def test_the_individual_risk_is_a_mean_of_one_over_persons(rows, p):
    terms = 0.0
    for persons in range(rows, rows + int(80 * rows / p) + 800):
        logs = lgamma(persons) - lgamma(rows) - lgamma(persons - rows + 1)
        logs += rows * log(p) + (persons - rows) * log(1 - p)
        terms += exp(logs) / persons
    assert isclose(individual_risk(rows, p), terms, rel_tol=1e-8)


def test_who_is_everybody_is_as_safe_as_the_class_is_large():
    for rows in (1, 2, 60, 100):
        assert isclose(individual_risk(rows, 1.0), 1 / rows)


def test_pitman_gives_back_what_its_parameters_say():
    """Fractions of one million are expected in a sample of 10,000, and in all."""
    a, b = 0.4, 30.0

    def expected(n):
        drawn = exp(lgamma(b + a + n) - lgamma(b + n) + lgamma(b + 1) - lgamma(b + a))
        return (drawn - b) / a, n * drawn / (b + n + a - 1)

    classes, single = map(round, expected(10_000))
    found = pitman_uniques(10_000, classes, single, 1_000_000)
    assert isclose(found, expected(1_000_000)[1], rel_tol=0.02)


def test_snb_gives_back_what_its_parameters_say():
    many, c, d, share = 10**7, 2, 0.5, 0.2
    chance = [  # of 1 + Y persons, by their number
        comb(y + c - 1, y) * (1 - d) ** c * d**y for y in range(200)
    ]
    seen = [
        many
        * sum(
            p * comb(y + 1, i) * share**i * (1 - share) ** (y + 1 - i)
            for y, p in enumerate(chance)
            if i <= y + 1
        )
        for i in range(3)
    ]
    classes, single, double = round(many - seen[0]), round(seen[1]), round(seen[2])
    found = snb_uniques(classes, single, double, share)
    assert isclose(found, many * chance[0], rel_tol=1e-3)


def test_tables_that_fit_nothing_have_no_estimate():
    persons = np.full(6, 10.0)
    alone = SampleRisk.of(np.arange(6), persons)
    assert (alone.pitman, alone.snb) == (None, None)
    together = SampleRisk.of(np.zeros(6, dtype=np.int64), persons)
    assert (together.pitman, together.snb) == (0.0, 0.0)
    everybody = SampleRisk.of(np.array([0, 0, 1, 2, 2, 3]), np.ones(6))
    assert (everybody.pitman, everybody.snb) == (2.0, 2.0)
    assert everybody.highest == 1.0
    assert SampleRisk.of(np.arange(0), np.zeros(0)).highest == 0.0
