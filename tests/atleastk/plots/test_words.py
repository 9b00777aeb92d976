"""Pages: the words that they explain, their colours, and what they say of a cost."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pages import Reader

import atleastk
from atleastk.cli.main import main
from atleastk.plots.html_page import bar, between, framed, glossary, pair_of_bars

pytestmark = pytest.mark.usefixtures("quick")


def words_of(page):
    texts = Reader(page).texts
    return texts[len(texts) - texts[::-1].index("Words") :]


def rows(n=40):
    return [
        {"age": i % 7, "sex": "fm"[i % 2], "pay": i, "ill": "flu"} for i in range(n)
    ]


def test_a_page_explains_its_words():
    plain = atleastk.anonymize(rows(), 3, ["age", "sex"])
    words = words_of(plain.to_html())
    for word in ("k", "class", "suppressed", "prosecutor's risk", "learnt", "mean"):
        assert word in words
    for word in ("precision", "k-map", "l", "t, distance"):
        assert word not in words
    assert plain.report.trust in words
    more = atleastk.anonymize(
        rows(), 3, ["age", "sex"], hierarchies="auto", sensitive="pay", l=2
    )
    words = words_of(more.to_html())
    for word in ("precision", "discernibility", "hierarchy, level", "l", "t, distance"):
        assert word in words


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({}, "suppressed cells; 80 if nothing were left"),
        ({"limits": {"entries": 99}}, "cells; 80 if nothing were left"),
        ({"weights": {"age": 2}}, "suppressed cells, by their weights"),
        (
            {"hierarchies": "auto"},
            "the sum of the levels, of every column; 4 if nothing were left",
        ),
        (
            {"on": "entries"},
            "the sum of the levels, of every cell; 80 if nothing were left",
        ),
        (
            {"hierarchies": "auto", "loss": "average-class-size"},
            "the number of rows less that of classes; 39 if nothing were left",
        ),
    ],
)
def test_a_page_says_what_its_cost_counts(wishes, told):
    made = atleastk.anonymize(rows(), 3, ["age", "sex"], **wishes)
    texts = Reader(made.to_html()).texts
    assert texts[texts.index("cost") + 1] == f"{made.result.cost}: {told}"


def test_words_of_figures_that_nobody_knows():
    """The words of the trade that a page has are explained on it."""
    made = atleastk.anonymize(rows(), 3, ["age", "sex"], hierarchies="auto")
    words = words_of(made.to_html())
    for word in ("bits", "average-class-size", "median", "cost", "method, seed"):
        assert word in words
    assert "bands, prefix, dates, suppression" in words


def test_a_word_is_explained_where_it_is_used():
    found = dict(glossary("<p title='k-map'>the gap is 5.00%</p>"))
    assert list(found) == ["gap"]
    assert "k-map" in dict(glossary("<b>every row (k-map)</b>"))


def test_pictures_stay_within_their_lines():
    for before, after in ((0.5, 0.25), (-1e300, 1e300), (0.0, 0.0)):
        picture = between((0.0, 1.0), before, after, 9.0)
        places = [float(x) for x in re.findall(r'cx="([\d.]+)"', picture)]
        assert all(6 <= x <= 114 for x in places)
        assert len(places) == 2
    assert "nan" not in between((1.0, 1.0), 1.0, 1.0)
    assert re.findall(r'width="([\d.]+)" height', pair_of_bars(0.5, 2.0)) == [
        "30.0",
        "60.0",
    ]


def test_colours_of_pictures_are_those_of_the_page_in_light_and_in_dark():
    pictures = [bar(0.5), pair_of_bars(0.2, 0.4), between((0.0, 1.0), 0.2, 0.4)]
    page = framed("A page", datetime(2026, 1, 1, tzinfo=UTC), {"One": pictures})
    assert "color-scheme: light dark" in page
    light, dark = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    used = {*re.findall(r"var\(--(\w+)\)", page)}
    for colours in (light, dark):
        assert used <= {*re.findall(r"--(\w+):", colours)}
    assert not re.search(r'(?:fill|stroke)="#', page)


@pytest.fixture
def checked(here):
    lines = ["id,age,<b>sex</b>,ill"]
    lines += [f"p{i},{i // 4},{'fm'[i % 2]},{'ab'[i % 3 == 0]}" for i in range(40)]
    Path("people.csv").write_text("\n".join(lines) + "\n")

    def check(*words):
        named = ("--columns", "age,<b>sex</b>", "--report", "c.html")
        code = main(["anonymize", "people.csv", "--check", *named, *words])
        return code, Path("c.html").read_text()

    return check


def test_the_page_of_a_check(checked, capsys):
    code, page = checked("-k", "2", "--sensitive", "ill", "--l", "2")
    told = capsys.readouterr().out
    reader = Reader(page)
    text = " ".join("".join(reader.texts).split())
    assert code == 1
    assert reader.links == ["data:,"]
    assert "script" not in reader.elements
    assert "A check of people.csv" in text
    for verdict in ("2-anonymous", "classes break what is asked of their values"):
        assert verdict in text
        assert verdict in told
    assert 'column "id", left unchanged, singles out 40 of 40 rows' in text
    assert "people.csv" in text
    assert "id 40 100.00%" in " ".join(" ".join(reader.texts).split())
    assert '<p class="warning"><strong>people.csv: 2-anonymous.' in page
    code, page = checked("-k", "2")
    assert code == 0
    assert "<p><strong>people.csv: 2-anonymous.</strong></p>" in page


def test_the_style_has_no_fixed_widths():
    """At 390 px tables scroll in their own box, and nothing else is that wide."""
    style = (Path(atleastk.__file__).parent / "plots/page.css").read_text()
    assert ".wide { overflow-x: auto; }" in style
    assert ".wide, pre { background:" in style  # a shadow tells that it scrolls
    fixed = re.findall(r"(?<![-\w])(?:min-)?width:\s*([\d.]+)(px|rem)", style)
    assert [
        size for size, unit in fixed if float(size) * (16 if unit == "rem" else 1) > 480
    ] == []
