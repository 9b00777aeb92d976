import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from pictures import result_of

from atleastk import CellularClustering, NotApplicableError, RGather, Solution
from atleastk.models.clustering import solution_of
from atleastk.plots import cellular_clustering, r_gather
from atleastk.plots.clustering import length
from atleastk.plots.drawing import ACCENT, save
from atleastk.plots.hues import HUES
from atleastk.plots.planes import plane_of

TIMES = "\N{MULTIPLICATION SIGN}"
POINTS = ((0, 0), (0, 6), (8, 6), (20, 0), (22, 0), (20, 2), (30, 9))
TWO = solution_of([[0, 1, 2], [3, 4, 5]], [1, 3], [6])


def discs(ax):
    return [
        (path.vertices[:-1], to_hex(edge))
        for drawn in ax.collections
        if isinstance(drawn, PolyCollection)
        for path, edge in zip(drawn.get_paths(), drawn.get_edgecolors(), strict=True)
    ]


def lines(ax):
    return [
        segment.tolist()
        for drawn in ax.collections
        if isinstance(drawn, LineCollection)
        for segment in drawn.get_segments()
    ]


def scattered(ax):
    plain = [c for c in ax.collections if type(c).__name__ == "PathCollection"]
    return [drawn.get_offsets().tolist() for drawn in plain]


def title(ax):
    return ax.get_title(loc="left")


def test_gathered_points():
    instance = RGather(points=POINTS, r=3, max_outliers=1)
    ax = r_gather.draw(instance, result_of(instance, TWO))
    assert title(ax) == ("r-gather\nr = 3: feasible, radius 8, 2 clusters, 1 outlier")
    (small, edge), (wide, border) = discs(ax)
    assert np.allclose(np.hypot(*(small - [20, 0]).T), 2)
    assert np.allclose(np.hypot(*(wide - [0, 6]).T), 8)
    assert border == ACCENT != edge
    points, centres, outliers = scattered(ax)
    assert sorted(points) == sorted(map(list, POINTS[:6]))
    assert centres == [[0, 6], [20, 0]]
    assert outliers == [[30, 9]]
    assert len(lines(ax)) == 6
    assert [[8, 6], [0, 6]] in lines(ax)
    message = [text.get_text() for text in ax.get_legend().get_texts()]
    assert message == ["centre", "outlier"]


def test_outliers_far_off_are_counted_only():
    points = (*POINTS, (90, 90))
    instance = RGather(points=points, r=3, max_outliers=2)
    found = solution_of([[0, 1, 2], [3, 4, 5]], [1, 3], [6, 7])
    ax = r_gather.draw(instance, result_of(instance, found))
    assert scattered(ax)[2] == [[30, 9]]
    message = [text.get_text() for text in ax.get_legend().get_texts()]
    assert message == ["centre", "outlier (1 of 2 are far off)"]
    assert ax.get_ylim()[1] < 60


def test_groups_alone_get_centres():
    instance = RGather(points=POINTS, r=3, max_outliers=1)
    grouping = Solution.of([[0, 1, 2], [3, 4, 5]])
    ax = r_gather.draw(instance, result_of(instance, grouping))
    assert "2 clusters, 1 outlier" in title(ax)
    assert scattered(ax)[1:] == [[[0, 6], [20, 0]], [[30, 9]]]


def test_centres_anywhere():
    instance = RGather(points=POINTS[:6], r=3, centres="any")
    ax = r_gather.draw(instance, result_of(instance, solution_of(TWO.groups)))
    assert "radius 5, 2 clusters" in title(ax)
    _, (wide, _) = discs(ax)
    assert np.allclose(np.hypot(*(wide - [4, 3]).T), 5)
    assert sorted(map(sorted, lines(ax))) == [[[0, 0], [8, 6]], [[20, 2], [22, 0]]]
    assert ax.get_legend() is None


def test_cellular_costs_are_reported():
    instance = CellularClustering(
        points=POINTS[:6], r=3, facility_costs=[0, 0, 0, 50, 0, 0]
    )
    result = result_of(instance, Solution.of(TWO.groups))
    ax = cellular_clustering.draw(instance, result)
    assert f"cost {result.cost}, 2 clusters" in title(ax)
    assert sorted(text.get_text() for text in ax.texts) == [
        f"3 {TIMES} 3",
        f"3 {TIMES} 8",
    ]
    assert scattered(ax)[1][1] != [20, 0]
    assert ACCENT not in {edge for _, edge in discs(ax)}
    wide, _ = max(discs(ax), key=lambda disc: np.ptp(disc[0][:, 0]))
    label = next(text for text in ax.texts if text.get_text() == f"3 {TIMES} 8")
    assert np.allclose(label.xy, wide[wide[:, 1].argmax()])


def test_labels_are_not_crowded():
    points = [(0, 0), (0, 100), (1, 0), (1, 99), (500, 0), (500, 0)]
    instance = CellularClustering(points=points, r=2)
    solution = solution_of([[0, 1], [2, 3], [4, 5]], [0, 2, 4])
    ax = cellular_clustering.draw(instance, result_of(instance, solution))
    assert [text.get_text() for text in ax.texts] == [f"2 {TIMES} 100"]


def test_manhattan_balls_are_squares():
    instance = RGather(points=POINTS[:6], metric="manhattan", r=3)
    ax = r_gather.draw(instance, result_of(instance, solution_of(TWO.groups, [1, 3])))
    _, (wide, _) = discs(ax)
    assert wide.tolist() == [[8, 6], [0, 14], [-8, 6], [0, -2]]


def test_circles_on_the_earth():
    points = [(60.0, 10.0), (61.5, 11.0), (59.0, 9.0), (58.0, 12.0)]
    instance = RGather(points=points, metric="great-circle", r=4)
    result = result_of(instance, solution_of([range(4)], [0]))
    ax = r_gather.draw(instance, result)
    kilometres = instance.space.matrix[0].max() / 1000
    assert f"radius {kilometres:,.1f} km" in title(ax)
    ((outline, _),) = discs(ax)
    around = RGather(
        points=[points[0], *outline[:, ::-1].tolist()], metric="great-circle", r=1
    )
    assert np.allclose(around.space.row(0)[1:], result.cost, atol=1.5)
    assert ax.get_xlabel() == "longitude"
    assert ax.get_aspect() == pytest.approx(1 / np.cos(np.radians(59.75)))
    assert ax.xaxis.get_major_formatter()(-70.5, 0) == "70.5° W"
    assert ax.yaxis.get_major_formatter()(60, 0) == "60° N"
    assert ax.yaxis.get_major_formatter()(0, 0) == "0°"


def test_a_line_is_drawn_flat():
    instance = RGather(points=[(1,), (4,), (9,)], r=3)
    ax = r_gather.draw(instance, result_of(instance, solution_of([range(3)], [1])))
    assert scattered(ax)[0] == [[1, 0], [4, 0], [9, 0]]
    assert list(ax.get_yticks()) == []
    assert len(ax.get_xticks()) > 1


def test_scaling_keeps_distances_that_fit_a_plane():
    space = CellularClustering(points=POINTS, scale=1000)
    matrix = RGather(distances=space.space.matrix.tolist(), r=1)
    solid = RGather(points=[(*point, 7) for point in POINTS], r=1)
    for instance, unit in ((matrix, 1000), (solid, 1)):
        plane = plane_of(instance)
        apart = np.linalg.norm(plane.places[:, None] - plane.places, axis=2)
        assert np.allclose(apart / unit, space.space.matrix / 1000, atol=0.01)
        assert plane.around is None
        assert "100% of the spread" in plane.axes[0]


def test_pictures_without_coordinates():
    rows = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0]]
    instance = RGather(points=rows, metric="hamming", r=2)
    solution = solution_of([[0, 1], [2, 3]], [0, 2])
    ax = r_gather.draw(instance, result_of(instance, solution))
    assert discs(ax) == []
    assert len(lines(ax)) == 4
    assert "multidimensional scaling" in ax.get_xlabel()
    assert list(ax.get_xticks()) == []
    instance = CellularClustering(points=rows, metric="hamming", r=2)
    ax = cellular_clustering.draw(instance, result_of(instance, solution))
    assert {text.get_text() for text in ax.texts} == {f"2 {TIMES} 1"}


def test_points_without_a_distance_are_far_apart():
    instance = RGather(distances=[[0, 4, None], [4, 0, None], [None, None, 0]], r=1)
    places = plane_of(instance).places
    assert np.linalg.norm(places[0] - places[1]) == pytest.approx(4)
    assert np.linalg.norm(places[0] - places[2]) == pytest.approx(8)


def test_too_many_to_scale():
    instance = RGather(points=[(i % 5, 0, 0) for i in range(2001)], r=3)
    with pytest.raises(NotApplicableError, match=r"at most 2,000 of them, got 2,001"):
        plane_of(instance)


def test_neighbours_have_different_hues():
    points = [
        (100 * i + d, 100 * j) for i in range(9) for j in range(9) for d in (0, 1)
    ]
    instance = RGather(points=points, r=2)
    groups = [[i, i + 1] for i in range(0, len(points), 2)]
    solution = solution_of(groups, [g[0] for g in groups])
    ax = r_gather.draw(instance, result_of(instance, solution))
    _, centres = (c for c in ax.collections if type(c).__name__ == "PathCollection")
    hues = np.array([to_hex(c) for c in centres.get_facecolors()]).reshape(9, 9)
    assert set(hues.flat) == set(HUES)
    assert (hues[1:] != hues[:-1]).all()
    assert (hues[:, 1:] != hues[:, :-1]).all()


def test_many_points(tmp_path):
    points = np.random.default_rng(1).integers(0, 10**5, (6000, 2))
    points = points[points[:, 0].argsort()].tolist()
    instance = RGather(points=points, r=5)
    groups = [range(i, i + 5) for i in range(0, 6000, 5)]
    solution = solution_of(groups, [g[0] for g in groups])
    ax = r_gather.draw(instance, result_of(instance, solution))
    assert lines(ax) == []
    assert len(scattered(ax)) == 1
    assert len(discs(ax)) == 1200
    save(ax, tmp_path / "many.png")


def test_all_points_are_outliers():
    instance = RGather(points=POINTS, r=3, max_outliers=7)
    ax = r_gather.draw(instance, result_of(instance, solution_of([], [], range(7))))
    assert "radius 0, 0 clusters, 7 outliers" in title(ax)
    assert len(scattered(ax)[-1]) == 7


def test_lengths():
    assert length(RGather(points=POINTS, r=2), 10**6) == "1,000"
    assert length(CellularClustering(points=POINTS), 7_654_321) == "7,654,321"
    assert length(RGather(points=POINTS, r=2, centres="any"), 36) == "3"
    earth = RGather(points=[(0, 0)], metric="great-circle", r=1)
    assert length(earth, 1_234_567) == "1,234.6 km"
