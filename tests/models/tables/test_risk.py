import random
from fractions import Fraction

import numpy as np
import pytest

from atleastk.models.tables.anonymity import strict
from atleastk.models.tables.risk import Risk, single_valued


def coded(rows):
    return np.array(rows, dtype=np.int32).reshape(len(rows), -1)


@pytest.mark.parametrize("seed", range(20))
def test_the_mean_is_what_guessing_every_row_finds(seed):
    rng = random.Random(seed)
    rows = [(rng.randrange(3), rng.randrange(2)) for _ in range(rng.randint(1, 9))]
    chances = [Fraction(1, rows.count(row)) for row in rows]
    risk = Risk.of(strict(coded(rows)).alike)
    assert risk.mean == pytest.approx(float(sum(chances) / len(rows)), rel=1e-12)
    assert risk.highest == float(max(chances))
    assert risk.unique == chances.count(Fraction(1))


def test_without_rows():
    nothing = np.empty(0, dtype=np.int32)
    assert Risk.of(nothing) == Risk(0, 0.0, 0.0)
    assert single_valued(nothing, nothing) == 0


@pytest.mark.parametrize("seed", range(20))
def test_single_valued_classes_are_counted(seed):
    rng = random.Random(seed)
    n = rng.randint(1, 12)
    classes = [rng.randrange(4) for _ in range(n)]
    values = [rng.randrange(3) for _ in range(n)]
    held = {
        c: {v for d, v in zip(classes, values, strict=True) if c == d} for c in classes
    }
    expected = sum(len(found) == 1 for found in held.values())
    codes = np.array(values, dtype=np.int32)
    assert single_valued(np.array(classes), codes) == expected
