import pytest
from pages import Reader

import atleastk


@pytest.fixture(scope="module")
def made():
    sizes = [7, 7, 6, 5, 5, 4, 3, 2, 2, 1]
    return atleastk.tradeoff(atleastk.BinCovering(sizes, 5), range(1, 45), 600)


def test_the_page_tells_the_figures(made):
    text = " ".join(" ".join(Reader(made.to_html()).texts).split())
    for point in made:
        if point.cost is not None:
            assert f"{point.k} optimal {point.cost} {point.bound} 0.00%" in text
    assert "For 2 of them there is no solution." in text


def test_a_page_without_solutions():
    made = atleastk.tradeoff(atleastk.BinCovering([1, 2], 5), [4, 5])
    assert "svg" not in Reader(made.to_html()).elements


def test_the_page_says_if_the_cost_knows_k():
    made = atleastk.tradeoff(
        atleastk.BinCovering([1, 2], 5, objective="excess"), [1, 2]
    )
    assert "the cost itself depends on k" in made.to_html()


def test_the_picture_has_both_lines(made, tmp_path):
    ax = made.plot(tmp_path / "curve.png")
    assert [line.get_label() for line in ax.lines] == ["cost", "lower bound"]
    assert ax.get_title(loc="left") == "Cost against k"
    assert (tmp_path / "curve.png").stat().st_size
