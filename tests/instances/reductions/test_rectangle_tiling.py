"""3DM into rectangle tiling and RTILE: the grids, and all tilings when small."""

from itertools import product

from atleastk.instances.reductions.rectangle_tiling import (
    grid_matching_back,
    to_rectangle_tiling,
    to_rectangle_tiling_grid,
)
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.models import rectangle_tiling_grid
from atleastk.solvers.brute_force.combinatorial import exact_covers
from atleastk.solvers.brute_force.gadget_states import boxes_of_weight, covers

EVERY = list(product(range(2), repeat=3))
PICTURE = """\
#############
#1#121#121#1#
#2#2#2#2#2#2#
#1#1#1.1#1#1#
#2#2#.1.#2#2#
#1#1#1.1#1#1#
#2#2#2#2#2#2#
#1.1.1#1.1.1#
#############
"""


def weights_of(instance):
    width, height = instance.grid.shape
    cells = product(range(width), range(height))
    return {cell: int(instance.grid[cell]) for cell in cells}


def box_of(group):
    xs, ys = zip(*group, strict=True)
    return min(xs), min(ys), max(xs) + 1, max(ys) + 1


def picture(problem):
    grid = to_rectangle_tiling(problem).grid
    rows = ["".join(".12#"[weight] for weight in row) for row in grid.T[::-1]]
    return "\n".join(rows) + "\n"


def test_the_picture():
    problem = ThreeDimensionalMatching(2, [[0, 0, 0], [0, 1, 0]])
    shown = picture(problem)
    unused = "#1#1#"
    assert shown.splitlines()[1] == PICTURE.splitlines()[1][:-1] + unused
    width = len(PICTURE.splitlines()[0])
    assert [row[:width] for row in shown.splitlines()] == PICTURE.splitlines()


def test_points_come_in_the_order_of_triples():
    problem = ThreeDimensionalMatching(2, EVERY[:5])
    for unit in (False, True):
        instance = to_rectangle_tiling(problem, unit=unit)
        for i in range(5):
            first = instance.points[3 * i : 3 * i + 3]
            assert list(first) == [(6 * i + j, 0, 1) for j in (0, 2, 4)]
            assert {y for _, y in instance.cells.tolist()[3 * i : 3 * i + 3]} == {1}


def test_all_forms_have_one_grid():
    problem = ThreeDimensionalMatching(2, EVERY)
    plain = to_rectangle_tiling(problem)
    units = to_rectangle_tiling(problem, unit=True)
    points = to_rectangle_tiling(problem, cover="points")
    rtile = to_rectangle_tiling_grid(problem)
    assert (plain.cover, points.cover, plain.k) == ("plane", "points", 3)
    assert {weight for _, _, weight in units.points} == {1}
    for other in (units, points):
        assert (other.grid == plain.grid).all()
    assert (rtile.weights == plain.grid.T).all()
    assert plain.total == rtile.total == 3 * rtile.p
    assert rtile.columns == 6 * 8 + 1
    assert rtile.rows % 4 == 1


def test_rtile_gives_the_matching_back():
    problem = ThreeDimensionalMatching(2, [EVERY[7], EVERY[0]])
    rtile = to_rectangle_tiling_grid(problem)
    cells = weights_of(to_rectangle_tiling(problem))
    groups = next(covers(boxes_of_weight(cells, 3), cells))
    boxes = [box_of((y, x) for x, y in group) for group in groups]
    solution = rectangle_tiling_grid.solution_of_boxes(rtile, boxes)
    verdict = rectangle_tiling_grid.check(rtile, solution)
    assert verdict.feasible
    assert verdict.cost == 3
    assert len(boxes) == rtile.p
    assert grid_matching_back(problem, solution.groups) == (0, 1)
    assert grid_matching_back(problem, [[i] for i in range(rtile.n)]) is None


def test_elements_without_triples_cost_four():
    for n, triples in [(1, []), (2, [EVERY[0]])]:
        problem = ThreeDimensionalMatching(n, triples)
        instance = to_rectangle_tiling(problem)
        assert instance.total % 3 or not any(
            exact_covers(problem.sets, problem.elements)
        )
        lonely = [
            (x, y)
            for (x, y), weight in weights_of(instance).items()
            if weight == 1
            and all(weights_of(instance)[x + i, y] == 3 for i in (-1, 1))
            and all(weights_of(instance)[x, y + j] == 3 for j in (-1, 1))
        ]
        assert len(lonely) == 3 * n - 3 * len(triples)
