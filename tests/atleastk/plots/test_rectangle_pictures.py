import numpy as np
import pytest
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_hex
from pictures import dots, result_of, saved, texts

from atleastk import RectangleTiling, RectangleTilingGrid, Solution
from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.models import rectangle_tiling as plane_model
from atleastk.models import rectangle_tiling_grid as grid_model
from atleastk.plots import rectangle_tiling, rectangle_tiling_grid
from atleastk.plots.drawing import ACCENT, INK
from atleastk.plots.rectangles import touching

RING = next(family for family in FAMILIES if family.name == "ring")
PINWHEEL = [(0, 0, 4, 1), (4, 0, 5, 4), (1, 4, 5, 5), (0, 1, 1, 5), (1, 1, 4, 4)]


def outlines(ax):
    (drawn,) = (c for c in ax.collections if isinstance(c, PatchCollection))
    found = []
    for path, edge in zip(drawn.get_paths(), drawn.get_edgecolors(), strict=True):
        (left, bottom), (right, top) = path.vertices.min(axis=0), path.vertices.max(0)
        found.append((left, bottom, right, top, to_hex(edge)))
    return found


def test_tilings_fill_the_frame(tmp_path):
    instance = RectangleTiling([(0, 0, 3), (10, 0, 2), (14, 5, 3)], 3)
    solution = plane_model.solution_of_boxes(instance, [(0, 0, 1, 2), (1, 0, 3, 2)])
    ax = rectangle_tiling.draw(instance, result_of(instance, solution))
    left, right = outlines(ax)
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    assert left[:4] == pytest.approx((x0, y0, 5, y1))
    assert right[:4] == pytest.approx((5, y0, x1, y1))
    assert right[4] == ACCENT != left[4]
    assert (x0 < 0, x1 > 14, y0 < 0, y1 > 5) == (True,) * 4
    assert texts(ax) == ["3", "5"]
    message = "rectangle-tiling\nk = 3: feasible, 2 rectangles, the heaviest 5"
    assert ax.get_title(loc="left") == message
    assert saved(ax, tmp_path / "tiling.png") > 5000


def test_boxes_around_points_are_apart():
    instance = RING.make(0, centre=0, cover="points")
    solution = plane_model.solution_of_boxes(instance, PINWHEEL[:4])
    ax = rectangle_tiling.draw(instance, result_of(instance, solution))
    found = outlines(ax)
    assert len(found) == 4
    for x, y, _ in instance.points:
        assert sum(a < x < b and c < y < d for a, c, b, d, _ in found) == 1
    assert not any(a < 2 < b and c < 2 < d for a, c, b, d, _ in found)
    for i, (a, c, b, d, _) in enumerate(found):
        for a2, c2, b2, d2, _ in found[:i]:
            assert b < a2 or b2 < a or d < c2 or d2 < c
    assert "k = 4, covering points: feasible, 4 rect" in ax.get_title(loc="left")


def test_places_are_drawn_once():
    given = [(0, 0, 1), (0, 0, 3), (1, 1, 1), (2, 2, 0)]
    instance = RectangleTiling(given, 2, guillotine=True)
    solution = plane_model.solution_of_boxes(instance, [(0, 0, 3, 3)])
    ax = rectangle_tiling.draw(instance, result_of(instance, solution))
    assert "grid" not in vars(instance), "which may not fit into memory"
    drawn = dots(ax)
    assert drawn.get_offsets().tolist() == [[0, 0], [1, 1], [2, 2]]
    heavy, light, ring = drawn.get_sizes()
    assert heavy > light > ring
    assert [to_hex(face) for face in drawn.get_facecolors()] == [INK, INK, "#ffffff"]
    assert ", straight cuts: feasible, 1 rectangle, " in ax.get_title(loc="left")


def test_groups_alone_get_boxes():
    instance = RectangleTiling([(0, 0, 2), (1, 0, 2), (5, 0, 3)], 3)
    ax = rectangle_tiling.draw(
        instance, result_of(instance, Solution.of([[0, 1], [2]]))
    )
    assert sorted(box[2] for box in outlines(ax))[0] == 3
    assert len(outlines(ax)) == 2


def test_neighbouring_rectangles_differ():
    pairs = touching(PINWHEEL)
    assert set(pairs) == {(0, 1), (1, 2), (0, 3), (2, 3), *((i, 4) for i in range(4))}
    assert touching([(0, 0, 1, 1), (1, 1, 2, 2), (3, 0, 4, 1)]) == [(0, 1)]
    instance = RING.make(0)
    solution = plane_model.solution_of_boxes(instance, PINWHEEL)
    ax = rectangle_tiling.draw(instance, result_of(instance, solution))
    (drawn,) = (c for c in ax.collections if isinstance(c, PatchCollection))
    assert len({to_hex(face) for face in drawn.get_facecolors()}) == 5


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_a_single_place(cover):
    instance = RectangleTiling([(7, 7, 2**61)] * 2, 1, cover=cover)
    solution = plane_model.solution_of_boxes(instance, [(0, 0, 1, 1)])
    ax = rectangle_tiling.draw(instance, result_of(instance, solution))
    ((left, bottom, right, top, _),) = outlines(ax)
    assert left < 7 < right
    assert bottom < 7 < top
    assert texts(ax) == [f"{2**62:,}"]


def test_grids(tmp_path):
    instance = RectangleTilingGrid([[1, 2, 3], [4, 5, 6]], 2)
    solution = grid_model.solution_of_boxes(instance, [(0, 0, 1, 3), (1, 0, 2, 3)])
    ax = rectangle_tiling_grid.draw(instance, result_of(instance, solution))
    (image,) = ax.images
    assert np.asarray(image.get_array()).tolist() == [[1, 2, 3], [4, 5, 6]]
    assert image.get_extent() == [0, 3, 2, 0] or image.get_extent() == (0, 3, 2, 0)
    assert outlines(ax) == [(0, 0, 3, 1, INK), (0, 1, 3, 2, ACCENT)]
    assert texts(ax) == [*"123456", "6", "15"]
    message = "rectangle-tiling-grid\np = 2: feasible, 2 rectangles, the heaviest 15"
    assert ax.get_title(loc="left") == message
    assert saved(ax, tmp_path / "grid.png") > 5000


def test_large_grids():
    instance = RectangleTilingGrid([[100] * 40] * 30, 3, guillotine=True)
    boxes = [(0, 0, 30, 2), (0, 2, 29, 40), (29, 2, 30, 40)]
    solution = grid_model.solution_of_boxes(instance, boxes)
    ax = rectangle_tiling_grid.draw(instance, result_of(instance, solution))
    message = {text.get_text(): text.get_rotation() for text in ax.texts}
    assert message == {"6,000": 90, "110,200": 0}
    assert "p = 3, straight cuts: feasible" in ax.get_title(loc="left")


def test_weights_too_large_for_an_array():
    for weight in (2**61, 0):
        instance = RectangleTilingGrid([[weight, weight]], 1)
        solution = grid_model.solution_of_boxes(instance, [(0, 0, 1, 2)])
        ax = rectangle_tiling_grid.draw(instance, result_of(instance, solution))
        assert f"{2 * weight:,}" in texts(ax)
