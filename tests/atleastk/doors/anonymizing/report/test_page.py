import re
from dataclasses import replace

import pytest
from pages import Reader

from atleastk import anonymize

pytestmark = pytest.mark.usefixtures("quick")

NASTY = "<script>alert('x')</script>&\"quoted\" "


def rows(n=40):
    return [
        {NASTY: i % 7, "wide" * 30: f"{NASTY}{i % 3}", "pay": i, "ill": "flu"}
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def made():
    return anonymize(rows(), 3, [NASTY, "wide" * 30], time_limit=60)


def test_the_page_tells_the_figures(made):
    text = " ".join("".join(Reader(made.to_html()).texts).split())
    report = made.report
    assert f"{report.suppressed} of 80 cells are suppressed" in text
    assert f"at least {report.attained - 1} others" in text
    assert f"{report.risk.after.highest:.2%}" in text
    assert made.result.instance_sha256 in text
    assert " ".join(str(report).split()) in text


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"limits": {"rows": 40}}, "limits rows: 40"),
        ({"ambiguous": True}, "ambiguous yes"),
        ({"deletion": True, "minimise": "rows"}, "deletion yes"),
        ({"column_order": [["age"], ["zip"]]}, "column order age &gt; zip"),
        ({"hierarchies": {"zip": [["1", "*"], ["2", "*"]]}}, "zip: given"),
        ({"hierarchies": "auto"}, "age: suppression (auto: no more than two numbers)"),
    ],
)
def test_wishes_are_told(wish, told):
    table = [{"age": i % 2, "zip": "12"[i % 3 == 0]} for i in range(8)]
    text = re.sub(r"<[^>]*>", " ", anonymize(table, 2, **wish).to_html())
    assert told in " ".join(text.split())


def test_what_is_proved_is_said():
    made = anonymize([(i // 2,) for i in range(8)], 2)
    assert "No table within what was asked costs less" in made.to_html()
    halfway = replace(made, report=replace(made.report, gap=0.125))
    assert "No table saves more than 12.50%" in halfway.to_html()


def test_without_a_table_the_page_says_so():
    text = anonymize(rows(2), 3).to_html()
    assert "No table was published: infeasible." in text
    assert "Risk" not in Reader(text).texts


def test_classes_of_many_sizes_share_bars(made):
    risk = replace(made.report.risk, sizes={2: 2, 3: 1, 90: 1, 300: 1})
    page = replace(made, report=replace(made.report, risk=risk)).to_html()
    assert "from 2 on the left to 300 on the right" in page
    assert "the highest bar stands for 3 classes." in page
    assert re.search(r"<figure.*?</figure>", page, re.DOTALL)[0].count("<rect") == 3


def test_the_page_says_what_figures_are_of():
    """Levels as ranges, rows that are suppressed, what is kept apart, and a scale."""
    cells = [(30 + i % 12, "flu" if i % 2 else "cold") for i in range(24)]
    wish = {"hierarchies": {0: "bands:5,10"}, "levels": {0: (1, 2)}, "suppress_rows": 2}
    cells += [(91, "flu"), (97, "cold")]
    made = anonymize(cells, 2, [0], sensitive=[1], l=2, **wish)
    page = made.to_html()
    assert "0: 1 to 2" in page
    assert "<strong>2</strong> of 26 rows are suppressed altogether, 7.69%" in page
    assert "sensitive values keep <strong>" in page
    assert "of every column; 3 if nothing were left" in page
    assert "The distance is 0 if every class has the values" in page
    assert ">hidden<" not in page
    plain = anonymize([(1, "a"), (1, "b"), (2, "a"), (2, "a")], 2).to_html()
    assert "suppressed cells; 8 if nothing were left" in plain
    assert ">hidden<" in plain
