import random

import numpy as np
import pytest

from atleastk.models.rectangles import tiling_violations
from atleastk.solvers.tilings.kd_tree import Rule, kd_tree


def random_points(rng):
    n, width, height = rng.randint(1, 40), rng.randint(1, 12), rng.randint(1, 12)
    cells = np.array([(rng.randrange(width), rng.randrange(height)) for _ in range(n)])
    weights = np.array([rng.choice([0, 1, 1, 3, 8]) for _ in range(n)])
    return cells, weights


def can_be_cut(cells, weights, k):
    return any(
        weights[cells[:, axis] < line].sum() >= k
        and weights[cells[:, axis] >= line].sum() >= k
        for axis in (0, 1)
        for line in range(20)
    )


@pytest.mark.parametrize("rule", Rule)
def test_rectangles_tile_hold_their_points_and_cannot_be_cut(rule):
    rng = random.Random(1)
    for seed in range(300):
        cells, weights = random_points(rng)
        k = rng.randint(1, 9)
        homes, boxes = kd_tree(cells, weights, k, rule, seed)
        rows, columns = cells.max(axis=0) + 1
        assert tiling_violations(rows, columns, boxes.tolist(), whole=True) == []
        for home, (a, c, b, d) in enumerate(boxes.tolist()):
            inside = (cells >= (a, c)).all(axis=1) & (cells < (b, d)).all(axis=1)
            assert (inside == (homes == home)).all()
            assert weights[inside].sum() >= k or len(boxes) == 1
            assert not can_be_cut(cells[inside], weights[inside], k)


def first_cut(rule, cells, weights, k, seed=0):
    homes, boxes = kd_tree(np.array(cells), np.array(weights), k, rule, seed)
    assert len(boxes) == 2
    return sorted(np.bincount(homes, weights).tolist())


def test_rules_choose_as_they_say():
    row = [(i, 0) for i in range(4)], [5, 2, 2, 6]
    assert first_cut(Rule.BALANCED, *row, 5) == [7, 8]
    assert first_cut(Rule.SMALLEST_SIDE, *row, 5) == [5, 10]
    assert first_cut(Rule.ALTERNATING, *row, 5) == [7, 8]
    drawn = {tuple(first_cut(Rule.RANDOM, *row, 5, seed)) for seed in range(30)}
    assert drawn == {(5, 10), (7, 8), (6, 9)}


def test_alternating_takes_the_other_axis():
    cells = np.array([(x, y) for x in range(4) for y in range(4)])
    _, boxes = kd_tree(cells, np.ones(16, dtype=np.int64), 4, Rule.ALTERNATING)
    quarters = {(a, c, a + 2, c + 2) for a in (0, 2) for c in (0, 2)}
    assert set(map(tuple, boxes.tolist())) == quarters
    strips = kd_tree(cells, np.ones(16, dtype=np.int64), 4, Rule.SMALLEST_SIDE)[1]
    assert set(map(tuple, strips.tolist())) == {(a, 0, a + 1, 4) for a in range(4)}


def test_random_cuts_depend_on_the_seed_alone():
    rng = random.Random(3)
    cells = np.array([(rng.randrange(50), rng.randrange(50)) for _ in range(200)])
    weights = np.ones(200, dtype=np.int64)
    first, again, other = (
        kd_tree(cells, weights, 7, Rule.RANDOM, seed)[0].tolist() for seed in (1, 1, 2)
    )
    assert first == again != other
