import random
from dataclasses import replace

import numpy as np
import pytest

from atleastk.models.linear import INFINITE, LinearModelBuilder


def test_sums_beyond_64_bits_do_not_wrap():
    """4 * 2^62 is 2^64, which is 0 to 64-bit arithmetic but not here."""
    builder = LinearModelBuilder()
    builder.row([builder.variable(0, 4)], 2**62 - 1, at_most=2**40)
    model = builder.build()
    assert model.admits(np.array([0]))
    for value in range(1, 5):
        assert not model.admits(np.array([value]))


def test_points_are_judged_as_by_definition():
    rng = random.Random(1)
    seen = set()
    for _ in range(2000):
        top = 2 ** rng.choice([3, 30, 61])
        builder = LinearModelBuilder()
        columns = [builder.variable(-9, 9) for _ in range(rng.randint(1, 4))]
        point = [rng.randint(-9, 9) for _ in columns]
        admitted = True
        for _ in range(rng.randint(0, 3)):
            factors = [rng.randint(-top, top) for _ in columns]
            low = rng.choice([-INFINITE, rng.randint(-top, top)])
            high = rng.choice([INFINITE, rng.randint(-top, top)])
            builder.row(columns, factors, at_least=low, at_most=high)
            value = sum(f * x for f, x in zip(factors, point, strict=True))
            admitted &= low == -INFINITE or low <= value
            admitted &= high == INFINITE or value <= high
        assert builder.build().admits(np.array(point)) == admitted
        seen.add((top, admitted))
    assert len(seen) == 6


def test_impossible_bounds_are_reported():
    builder = LinearModelBuilder()
    x = builder.variable(0, 1)
    builder.row([x], at_least=1, at_most=1)
    builder.row([], at_least=0, at_most=0)
    builder.row([x, x], [1, -1], at_least=-1)
    assert not builder.build().impossible
    builder.row([x], at_least=1, at_most=0)
    assert builder.build().impossible
    builder = LinearModelBuilder()
    builder.variable(1, 0)
    assert builder.build().impossible
    for sides in ({"at_least": 1}, {"at_most": -1}):
        builder = LinearModelBuilder()
        builder.row([], **sides)
        assert builder.build().impossible


def test_rows_are_named_after_their_variables():
    builder = LinearModelBuilder()
    x = [[builder.variable(0, 1, 0, "x", i, j) for j in range(4)] for i in range(2)]
    sets = [
        builder.variable(0, 1, 0, "s", *own) for own in ((0,), (0, 2), (2, 3), (1,))
    ]
    top, plain = builder.variable(0, 9, 0, "K"), builder.variable(0, 9)
    for row in (x[1], x[1], [x[0][2], top], [*x[0], *x[1], top, plain], sets[:2], sets):
        builder.row(row, at_most=1)
    builder.row([sets[0], sets[1], top, plain], at_most=1)
    assert builder.build().row_names == [
        *("x_1_all", "x_1_all__2", "x_0_2_K", "x_all_all_K_v_13"),
        *("s_0_s_0_2", "s_all", "s_0_K_v_13"),
    ]


def test_shapes_must_fit():
    builder = LinearModelBuilder()
    builder.equation(builder.binaries(2), [1, 1], 1)
    model = builder.build()
    with pytest.raises(ValueError, match=r"of shape \(1, 2\)"):
        replace(model, row_upper=model.row_upper[:0])
    with pytest.raises(ValueError, match=r"of shape \(1, 3\)"):
        replace(model, objective=np.zeros(3, dtype=np.int64))
