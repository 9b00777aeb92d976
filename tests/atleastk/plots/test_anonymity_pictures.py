import random

import numpy as np
import pytest
from pictures import result_of, saved, shades

from atleastk import KAnonymity
from atleastk.plots.costs import CostPoint, draw_costs
from atleastk.plots.drawing import save
from atleastk.plots.k_anonymity import draw


def test_rows_are_sorted_by_what_they_suppress():
    instance = KAnonymity(
        [["a", "x"], ["b", "y"], ["a", "x"], ["b", "z"]], 2, ["u", "v"]
    )
    ax = draw(instance, result_of(instance, [[1, 3], [0, 2]]))
    assert shades(ax).tolist() == [[0, 0], [0, 0], [0, 1], [0, 1]]
    names = [label.get_text() for label in ax.get_xticklabels()]
    assert names == ["u\n0.0%", "v\n50.0%"]
    levels = [label.get_text() for label in ax.get_yticklabels()]
    assert levels == ["0 of 2", "1 of 2"]
    assert "2 of 8 cells suppressed, 25.0%" in ax.get_title(loc="left")


@pytest.mark.parametrize(("n", "m"), [(1, 1), (10, 30), (3000, 8)])
def test_any_size(n, m, tmp_path):
    rng = random.Random(n * m)
    instance = KAnonymity([[rng.choice("ab") for _ in range(m)] for _ in range(n)], 1)
    groups = [range(i, min(i + 3, n)) for i in range(0, n, 3)]
    result = result_of(instance, groups)
    ax = draw(instance, result)
    image = shades(ax)
    assert image.shape == (min(n, 600), m)
    assert image.mean() == pytest.approx(result.cost / (n * m))
    assert saved(ax, tmp_path / "cells.png") > 5000


def test_costs_over_their_bounds(tmp_path):
    points = [CostPoint(50, 90, None), CostPoint(2, 20, 20), CostPoint(5, 40, 30)]
    ax = draw_costs(points, 200)
    cost, bound = ax.lines
    assert cost.get_xydata().tolist() == [[2, 20], [5, 40], [50, 90]]
    assert bound.get_ydata()[:2].tolist() == [20, 30]
    assert np.isnan(bound.get_ydata()[2])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["2", "5", "50"]
    assert ax.get_xscale() == "log"
    assert draw_costs(points[1:], 0).get_xscale() == "linear"
    save(ax, tmp_path / "costs.png")
