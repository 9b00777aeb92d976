from collections import Counter

import numpy as np
import pytest

from atleastk.solvers.compiled import classes
from atleastk.solvers.compiled.classes import Keys


def drawn(seed, widths):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, width, 300).astype(np.int32) for width in widths]
    rows = rng.integers(0, 300, 400)
    copies = rng.integers(1, 4, 400)
    labels = [np.arange(width, dtype=np.int32) for width in widths]
    return [*zip((column[rows] for column in columns), labels, strict=True)], copies


@pytest.mark.parametrize("few", [0, 2**16])
@pytest.mark.parametrize("widths", [(), (3,), (4, 1, 5), (2**20,) * 5])
def test_classes_are_those_of_equal_rows(few, widths, monkeypatch):
    for name, value in {"_FEW": few, "_DENSE": few, "_PART": 20}.items():
        monkeypatch.setattr(classes, name, value)
    for seed in range(3):
        columns, copies = drawn(seed, widths)
        rows = list(zip(*(codes.tolist() for codes, _ in columns), strict=True))
        rows = rows or [()] * len(copies)
        sizes = Counter()
        for row, times in zip(rows, copies.tolist(), strict=True):
            sizes[row] += times
        keys = Keys.of(len(copies), columns)
        firsts, found = keys.classes(copies, 5)
        assert {rows[i]: n for i, n in zip(firsts, found, strict=True)} == sizes
        assert len(firsts) == len(sizes)
        below = [sizes[row] < 5 for row in rows]
        assert keys.below(copies, 5).tolist() == below
        rare = sum(n for n in sizes.values() if n < 5)
        assert keys.classes(copies, 5, rare) is not None
        share = keys.share_below(copies, 5)
        assert 0 <= share <= (rare > 0)


def test_rare_classes_end_it_unless_few_are_left(monkeypatch):
    monkeypatch.setattr(classes, "_FEW", 0)
    monkeypatch.setattr(classes, "_DENSE", 0)
    columns = [(np.arange(100, dtype=np.int32), np.arange(100, dtype=np.int32))]
    keys, ones = Keys.of(100, columns), np.ones(100, dtype=np.int64)
    assert keys.classes(ones, 2, 99) is None
    assert keys.classes(ones, 2, 100) is not None
    halves = [(np.arange(100, dtype=np.int32) // 4, columns[0][1])]
    assert len(Keys.of(100, halves).classes(ones, 5, 0)[0]) == 25
    assert keys.classes(ones, 2**64, 2**65) is not None
    assert keys.below(ones, 2**64).all()
