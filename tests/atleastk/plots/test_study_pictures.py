import warnings
from itertools import pairwise

import pytest

from atleastk.plots.drawing import save, titled
from atleastk.plots.studies import draw_curves, draw_gaps, draw_profile, draw_ratios

NASTY = (r"$\foo$", "cmd:sh -c 'echo $a $b'", "_helper", "<b>&")


def legend(ax):
    return [text.get_text().strip() for text in ax.get_legend().get_texts()]


def line(ax, i):
    return [list(each) for each in ax.get_lines()[i].get_data()]


def test_the_best_ratios_come_first_and_lines_begin_at_nothing():
    ax = draw_ratios({"poor": [1.5, 3.0], "none": [], "good": [1.0, 2.0]})
    assert legend(ax) == ["good", "poor"]
    assert line(ax, 0) == [[1.0, 1.0, 2.0, 3.0], [0.0, 0.5, 1.0, 1.0]]
    assert line(ax, 1) == [[1.0, 1.5, 3.0, 3.0], [0.0, 0.5, 1.0, 1.0]]


def test_wide_ratios_have_a_logarithmic_axis():
    assert draw_ratios({"a": [1.0, 2.0]}).get_xscale() == "linear"
    assert draw_ratios({"a": [1.0, 200.0]}).get_xscale() == "log"


def test_a_profile_never_reaches_what_is_not_closed():
    ax = draw_profile({"x": [1.0], "y": [3.0, 1.0]}, 4)
    assert line(ax, 0) == [[1.0, 1.0, 3.0], [0.0, 0.25, 0.25]]
    assert line(ax, 1) == [[1.0, 1.0, 3.0, 3.0], [0.0, 0.25, 0.5, 0.5]]


def test_all_gaps_begin_and_end_together():
    ax = draw_gaps({"x": ([0.5, 1.0], [0.5, 0.0]), "y": ([2.0, 4.0], [0.75, 0.25])})
    assert line(ax, 0) == [[0.5, 0.5, 1.0, 4.0], [1.0, 0.5, 0.0, 0.0]]
    assert line(ax, 1) == [[0.5, 2.0, 4.0, 4.0], [1.0, 0.75, 0.25, 0.25]]
    assert draw_gaps({}).get_legend() is None


def test_twenty_eight_lines_differ_each_from_the_next_in_colour_and_in_style():
    ax = draw_ratios({f"{i:02}": [1.0] for i in range(28)})
    looks = [(each.get_color(), each.get_linestyle()) for each in ax.get_lines()]
    assert len(set(looks)) == 28
    for one, other in pairwise(looks):
        assert one[0] != other[0]
        assert one[1] != other[1]


@pytest.mark.parametrize("end", ["svg", "pdf", "png"])
def test_names_are_written_as_they_are(end, tmp_path):
    curves = {"costs": {name: ([1.0], [2.0]) for name in NASTY}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = draw_ratios({name: [1.0, 2.0] for name in NASTY})
        save(ax, tmp_path / f"ratios.{end}")
        save(draw_curves({NASTY[0]: curves}, "k"), tmp_path / f"curves.{end}")
        save(titled(None, NASTY[0]), tmp_path / f"empty.{end}")
    assert legend(ax) == list(NASTY)


def test_fonts_of_pdf_are_those_that_publishers_take(tmp_path):
    path = tmp_path / "ratios.pdf"
    save(draw_ratios({"a": [1.0]}), path)
    assert b"/CIDFontType2" in path.read_bytes()
    assert b"/Type3" not in path.read_bytes()
