import random

import pytest
from pictures import result_of, saved, shades

from atleastk import Solution, Suppression
from atleastk.models.suppression import SuppressionSolution
from atleastk.plots.drawing import ACCENT
from atleastk.plots.suppression import draw


def bars(ax):
    return [line.get_xydata().tolist() for line in ax.lines if line.get_c() == ACCENT]


TABLE = [["a", "x"], ["b", "y"], ["a", "x"], ["b", "z"], ["c", "y"], ["d", "z"]]
GROUPS = ((0, 2), (1, 3), (4, 5))
CELLS = ((1, 1), (3, 1), (4, 0), (4, 1), (5, 0), (5, 1))


def test_union_of_rows_and_columns():
    instance = Suppression.named(
        "r-c-MIN-e-SUP", TABLE, 2, {"rows": 3, "columns": 1}, columns=["u", "v"]
    )
    ax = draw(instance, result_of(instance, SuppressionSolution(GROUPS, CELLS, (1,))))
    assert shades(ax).tolist() == [[0, 0], [0, 0], [0, 1], [0, 1], [1, 1], [1, 1]]
    above, beside = bars(ax)
    assert [x for x, _ in above] == [0.55, 1.45]
    assert [y for _, y in beside] == [4, 6]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["u\n2", "v\n4"]
    title = ax.get_title(loc="left")
    assert title == (
        "r-c-MIN-e-SUP, k = 2: feasible, entries 6, rows 2 of 3, columns 1 of 1"
    )


def test_importance_of_columns():
    instance = Suppression.named(
        "c'-PART", TABLE, 2, {"per_column": 4}, column_order=[[0], [1]]
    )
    solution = SuppressionSolution(GROUPS, CELLS)
    ax = draw(instance, result_of(instance, solution))
    assert "per column 4 of 4" in ax.get_title(loc="left")
    assert bars(ax) == []
    turned = Suppression(TABLE, 2, column_order=[[1], [0]], intact=[])
    names = [
        label.get_text()
        for label in draw(turned, result_of(turned, solution)).get_xticklabels()
    ]
    assert names == ["column 1\n4", "column 0\n2"]


def test_importance_of_rows():
    instance = Suppression(TABLE, 2, row_order=[[1, 3, 0, 2], [4, 5]], minimise="none")
    ax = draw(instance, result_of(instance, SuppressionSolution(GROUPS, CELLS)))
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["class 0", "class 1"]
    assert list(ax.get_yticks()) == [2, 5]
    assert "by importance" in ax.get_ylabel()


def test_groups_alone_and_intact_columns():
    instance = Suppression.named("MIN-c-DEL", [["a", "x"], ["a", "y"]], 2)
    ax = draw(instance, result_of(instance, Solution.of([[0, 1]])))
    assert shades(ax).tolist() == [[0, 1], [0, 1]]
    assert len(bars(ax)) == 1
    kept = Suppression([["a", "x"], ["a", "y"]], 2, intact=[0])
    ax = draw(kept, result_of(kept, Solution.of([[0, 1]])))
    assert ax.get_xticklabels()[0].get_text() == "column 0\nintact"


@pytest.mark.parametrize(("n", "m"), [(1, 1), (12, 30), (3000, 8)])
def test_any_size(n, m, tmp_path):
    rng = random.Random(n)
    table = [[rng.choice("ab") for _ in range(m)] for _ in range(n)]
    instance = Suppression(table, 1, minimise="rows")
    groups = [range(i, min(i + 3, n)) for i in range(0, n, 3)]
    ax = draw(instance, result_of(instance, Solution.of(groups)))
    assert shades(ax).shape == (min(n, 600), m)
    assert saved(ax, tmp_path / "cells.png") > 5000
