import random

import pytest
from pictures import result_of, saved, texts

import atleastk
from atleastk import (
    BinCovering,
    Event,
    IntervalCovering,
    InvalidInstanceError,
    InvalidResultError,
    Result,
    UnknownNameError,
)
from atleastk.plots import bin_covering, interval_covering
from atleastk.plots.costs import draw_events
from atleastk.plots.drawing import axes


def test_bins_stand_between_k_and_the_cost():
    instance = BinCovering(sizes=[10, 6, 6, 6], k=10)
    ax = bin_covering.draw(instance, result_of(instance, [[0, 1], [2, 3]]))
    blocks = [(round(p.get_y(), 6), p.get_height()) for p in ax.patches]
    assert blocks == [(0, 10), (10, 6), (0, 6), (6, 6)]
    assert [line.get_ydata()[0] for line in ax.lines] == [10, 16]
    assert {"k = 10", "cost 16", "6"} <= set(texts(ax))
    assert "4 items in 2 bins" in ax.get_title(loc="left")


def test_labels_keep_off_the_line_at_k():
    instance = BinCovering(sizes=[90, 20, 85, 16], k=100)
    ax = bin_covering.draw(instance, result_of(instance, [[0, 1], [2, 3]]))
    heights = {text.get_text(): text.xy[1] for text in ax.texts}
    assert (heights["20"], heights["16"], heights["90"]) == (105, 93, 45)


def test_bins_are_sorted_and_intervals_are_not():
    sizes, groups = [3, 1, 2, 9], [[0, 1], [2, 3]]
    bins = BinCovering(sizes=sizes, k=4)
    row = IntervalCovering(sizes=sizes, k=4)
    first = bin_covering.draw(bins, result_of(bins, groups)).patches[0]
    assert first.get_height() == 9
    first = interval_covering.draw(row, result_of(row, groups)).patches[0]
    assert first.get_height() == 3


@pytest.mark.parametrize("n", [1, 30, 1000, 20_000])
def test_many_items_stay_few_shapes(n, tmp_path):
    sizes = random.Random(n).choices(range(50, 100), k=n)
    instance = BinCovering(sizes=sizes, k=100 if n > 1 else 1)
    groups = [range(i, min(i + 10, n)) for i in range(0, n, 10)]
    ax = bin_covering.draw(instance, result_of(instance, groups))
    assert len(ax.patches) <= 1500
    assert saved(ax, tmp_path / "bins.png") > 1000


@pytest.mark.parametrize("objective", ["excess", "quadratic"])
def test_other_objectives_mark_the_fullest_bin(objective):
    instance = BinCovering(sizes=[10, 6, 6, 6], k=10, objective=objective)
    ax = bin_covering.draw(instance, result_of(instance, [[0, 1], [2, 3]]))
    assert "fullest 16" in texts(ax)


def test_axes_are_taken_and_returned():
    instance = BinCovering(sizes=[10, 6, 6, 6], k=10)
    result = result_of(instance, [[0, 1, 2, 3]])
    mine = axes(None)
    assert bin_covering.draw(instance, result, ax=mine) is mine
    mine = axes(None)
    assert draw_events(result, ax=mine) is mine


def test_pictures_in_python_are_those_of_the_command_line(tmp_path):
    instance = BinCovering(sizes=[10, 6, 6, 6], k=10)
    result = atleastk.solve(instance)
    mine, picture = axes(None), tmp_path / "bins.svg"
    assert result.plot(picture, ax=mine) is mine
    assert "<svg" in picture.read_text(encoding="utf-8")
    assert "cost 16" in texts(mine)
    assert "cost 16" in texts(atleastk.plot(instance, result))
    assert result.plot(kind="events").get_xlabel() == "seconds"
    with pytest.raises(UnknownNameError, match="expected solution or events, got x"):
        result.plot(kind="x")
    with pytest.raises(InvalidResultError, match="another instance"):
        atleastk.plot(BinCovering(sizes=[1, 1, 1, 1], k=1), result)
    with pytest.raises(InvalidInstanceError, match=r"use atleastk\.plot"):
        Result.from_dict(result.to_dict()).plot()


def test_events_step_down_to_the_end():
    instance = BinCovering(sizes=[10, 6, 6, 6], k=10)
    events = (Event(0.5, 28, None), Event(1.0, 28, 10), Event(1.5, 16, 10))
    result = result_of(instance, [[0, 1], [2, 3]], seconds=2.0, events=events)
    ax = draw_events(result)
    costs = next(line for line in ax.lines if line.get_label() == "best cost")
    assert list(costs.get_xdata()) == [0.5, 1.0, 1.5, 2.0]
    assert list(costs.get_ydata()) == [28, 28, 16, 16]


def test_a_run_without_events_is_drawn():
    instance = BinCovering(sizes=[1], k=1)
    assert draw_events(result_of(instance, None)).get_xlabel() == "seconds"
