import random

import numpy as np
import pytest

from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings import boxes as filtering
from atleastk.solvers.tilings.boxes import (
    admissible_boxes,
    consistent_boxes,
    listed_boxes,
)

WEIGHTS = ([0, 0, 0, 1, 2, 3], [1, 1, 1, 2], [0, 1, 5, 9], [3, 4, 5, 6, 7])


def as_set(boxes):
    found = {tuple(box) for box in boxes.tolist()}
    assert len(found) == len(boxes)
    return found


def boxes_between(grid, least, most):
    rows, columns = grid.shape
    return {
        (a, c, b, d)
        for a in range(rows)
        for b in range(a + 1, rows + 1)
        for c in range(columns)
        for d in range(c + 1, columns + 1)
        if least <= grid[a:b, c:d].sum() <= most
    }


def tilings(shape, boxes):
    masks = {}
    for a, c, b, d in boxes:
        cells = np.zeros(shape, dtype=np.bool_)
        cells[a:b, c:d] = True
        masks[a, c, b, d] = sum(1 << int(i) for i in np.flatnonzero(cells))
    everything = (1 << shape[0] * shape[1]) - 1

    def extended(covered, chosen):
        if covered == everything:
            yield chosen
            return
        cell = covered + 1 & ~covered
        for box, mask in masks.items():
            if mask & cell and not mask & covered:
                yield from extended(covered | mask, [*chosen, box])

    return extended(0, [])


def random_grid(rng):
    rows, columns = rng.choice(((1, 5), (2, 4), (3, 3), (3, 4), (4, 4), (6, 2)))
    weights = rng.choice(WEIGHTS)
    return np.array(
        [[rng.choice(weights) for _ in range(columns)] for _ in range(rows)]
    )


def test_lists_against_all_boxes():
    rng = random.Random(1)
    for _ in range(150):
        grid = random_grid(rng)
        least = rng.randint(0, 8)
        most = least + rng.randint(0, 8)
        required = (grid > 0) | (np.random.default_rng(least).random(grid.shape) < 0.3)
        wanted = boxes_between(grid, least, most)
        assert as_set(listed_boxes(grid, least, most, Budget())) == wanted
        bounding = {
            (a, c, b, d)
            for a, c, b, d in wanted
            if required[a, c:d].any()
            and required[b - 1, c:d].any()
            and required[a:b, c].any()
            and required[a:b, d - 1].any()
        }
        found = listed_boxes(grid, least, most, Budget(), required=required)
        assert as_set(found) == bounding


def test_filters_keep_what_tilings_use():
    rng = random.Random(2)
    dropped = used = 0
    for _ in range(150):
        grid = random_grid(rng)
        parts, total = rng.randint(1, 6), int(grid.sum())
        level = -(-total // parts) + rng.randint(0, 4)
        window = Window(
            parts, max(rng.randint(0, 5), total - (parts - 1) * level), level
        )
        listed = listed_boxes(grid, window.least, window.most, Budget())
        consistent = as_set(consistent_boxes(listed, grid.shape, Budget()))
        admissible = as_set(admissible_boxes(grid, window, Budget()))
        fewer = as_set(admissible_boxes(grid, window, Budget(), fewest=1))
        assert admissible <= fewer <= consistent <= as_set(listed)
        for tiling in tilings(grid.shape, as_set(listed)):
            assert consistent.issuperset(tiling)
            if len(tiling) <= parts:
                assert fewer.issuperset(tiling)
            if len(tiling) == parts:
                assert admissible.issuperset(tiling)
                used += 1
        dropped += len(listed) - len(admissible)
    assert used > 100
    assert dropped > 400


def test_remainders_beside_a_strip():
    grid = np.array([[2, 3, 2]])
    window = Window(2, 2, 5)
    assert as_set(admissible_boxes(grid, window, Budget())) == {
        (0, 0, 1, 1),
        (0, 0, 1, 2),
        (0, 1, 1, 3),
        (0, 2, 1, 3),
    }


def test_weights_up_to_the_limit():
    grid = np.array([[2**61, 0], [2**60, 2**60]])
    found = listed_boxes(grid, 2**61, 2**61, Budget())
    assert as_set(found) == {(0, 0, 1, 1), (0, 0, 1, 2), (1, 0, 2, 2)}
    assert as_set(admissible_boxes(grid, Window(2, 2**61, 2**61), Budget())) == {
        (0, 0, 1, 2),
        (1, 0, 2, 2),
    }


@pytest.mark.parametrize("budget", [Budget.of(0.0), Budget(memory=100)])
def test_budgets(budget):
    grid = np.ones((2, 2), dtype=np.int64)
    assert listed_boxes(grid, 1, 4, Budget(), limit=8) is None
    assert len(listed_boxes(grid, 1, 4, Budget(), limit=9)) == 9
    if budget.memory < 1000:
        assert listed_boxes(grid, 1, 4, budget) is None
        assert admissible_boxes(grid, Window(2, 1, 4), budget) is None
    else:
        boxes = listed_boxes(grid, 1, 4, Budget())
        assert len(consistent_boxes(boxes[:1], grid.shape, budget)) == 1
        assert len(consistent_boxes(boxes[:1], grid.shape, Budget())) == 0


def test_the_filter_ends_in_time(monkeypatch, clock):
    sides, seen = filtering._sides, []

    def late(*arguments):
        clock.put_forward(10)
        seen.append(sides(*arguments))
        return seen[-1]

    grid = np.random.default_rng(0).integers(0, 10, (300, 300))
    boxes = listed_boxes(grid, 42, 44, Budget())
    assert not len(consistent_boxes(boxes[:1], grid.shape, Budget()))
    monkeypatch.setattr(filtering, "_sides", late)
    remaining = consistent_boxes(boxes, grid.shape, Budget.of(10))
    assert seen == [None]
    assert len(remaining) == len(boxes)
