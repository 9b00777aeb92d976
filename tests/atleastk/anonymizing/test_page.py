"""The page of a report: whole, escaped, and nothing is loaded from anywhere."""

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from atleastk import anonymize

pytestmark = pytest.mark.usefixtures("quick")

NASTY = "<script>alert('x')</script>&\"quoted\" "
VOID = {"meta", "link", "rect", "line", "path"}
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


class Reader(HTMLParser):
    """Reads a page; every element that is opened has to be closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.links, self.texts, self.elements = [], [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.links += [v for name, v in attrs if name in ("src", "href", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def rows(n=40):
    return [
        {NASTY: i % 7, "wide" * 30: f"{NASTY}{i % 3}", "pay": i, "ill": "flu"}
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def made():
    return anonymize(rows(), 3, [NASTY, "wide" * 30], time_limit=60)


def test_the_page_is_whole_and_loads_nothing(made):
    reader = Reader(made.to_html(NASTY))
    assert reader.links == ["data:,"]
    assert "script" not in reader.elements
    assert f"Anonymisation of {NASTY}".strip() in "".join(reader.texts)
    heads = ["Summary", "What was asked", "What was done", "Risk", "Use", "Search"]
    assert [t for t in reader.texts if t in heads] == heads


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
        ({"column_order": [["age"], ["zip"]]}, "column order age, zip"),
        ({"hierarchies": {"zip": [["1", "*"], ["2", "*"]]}}, "zip: given"),
        ({"hierarchies": "auto"}, "age: suppression (auto), zip: suppression (auto)"),
    ],
)
def test_wishes_are_told(wish, told):
    table = [{"age": i % 2, "zip": "12"[i % 3 == 0]} for i in range(8)]
    text = re.sub(r"<[^>]*>", " ", anonymize(table, 2, **wish).to_html())
    assert told in " ".join(text.split())


def test_what_is_proved_is_said():
    table = [(i // 2,) for i in range(8)]
    made = anonymize(table, 2)
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
    assert "from 2 to 300; 3 at most" in page
    figure = re.search(r"<figure.*?</figure>", page, re.DOTALL)[0]
    assert figure.count("<rect") == 3


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look at the page")
@pytest.mark.parametrize("width", [390, 1200])
def test_a_browser_shows_it(made, width, tmp_path):
    """Without a word on the console, and no wider than its window."""
    page = tmp_path / "page.html"
    measure = "<script>document.title = document.documentElement.scrollWidth</script>"
    page.write_text(made.to_html(NASTY).replace("</body>", f"{measure}</body>"))
    ended = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *("--enable-logging=stderr", f"--window-size={width},800"),
            *(f"--user-data-dir={tmp_path}/profile", page.as_uri()),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CONSOLE" not in ended.stderr
    shown = re.search(r"<title>(\d+)</title>", ended.stdout)
    assert shown is not None
    assert int(shown[1]) <= max(width, 500)
