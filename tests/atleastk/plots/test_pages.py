"""Every page is whole, loads nothing, shows names as they are, and fits a telephone."""

import networkx as nx
import pytest
from pages import Reader, needs_browser, too_wide

import atleastk

NASTY = "<script>alert('x')</script>&\"quoted\" "
WIDE = "wide" * 30
ROWS = [{NASTY: i % 7, WIDE: f"{NASTY}{i % 3}", "pay": i + 1} for i in range(40)]
BINS = atleastk.BinCovering([7, 7, 6, 5, 5, 4, 3, 2, 2, 1], 5)


def valley():
    graph = nx.path_graph(6)
    nx.set_node_attributes(graph, NASTY, "called")
    return atleastk.partition(graph, 3, weight=None, name="called")


PAGES = {
    "anonymize": lambda: atleastk.anonymize(ROWS, 3, [NASTY, WIDE]).to_html(NASTY),
    "average": lambda: atleastk.anonymize(ROWS, 3, ["pay"], average=True).to_html(
        NASTY
    ),
    "check": lambda: atleastk.check_table(ROWS, 2, ["pay"]).to_html(),
    "inspect": lambda: atleastk.inspect(ROWS).to_html(NASTY),
    "tradeoff": lambda: atleastk.tradeoff(BINS, range(1, 45), 600).to_html(NASTY),
    "assign": lambda: atleastk.assign(ROWS[:6], 3, name=WIDE).to_html(NASTY),
    "pack": lambda: atleastk.pack(ROWS, "pay", 99, name=WIDE).to_html(NASTY),
    "partition": lambda: valley().to_html(NASTY),
}
HEADS = {
    "anonymize": "Summary, What was asked, What was done, Risk, Use, Search, Words",
    "average": "Summary, What was asked, Risk, Use, Words",
    "inspect": "Summary, Columns, Who is found by what, How to go on",
    "tradeoff": "Summary, Cost against k, Figures, How to read it",
    "check": "Summary, Words",
    "assign": "Who is where",
}


@pytest.fixture(scope="module")
def pages():
    return {name: make() for name, make in PAGES.items()}


@pytest.mark.parametrize("name", PAGES)
def test_it_is_whole_and_loads_nothing(pages, name):
    reader = Reader(pages[name])
    assert all(link.startswith("data:") for link in reader.links)
    assert "script" not in reader.elements
    assert NASTY.strip() in "".join(reader.texts)
    heads = HEADS[name].split(", ") if name in HEADS else []
    assert [each for each in reader.texts if each in heads] == heads


@needs_browser
def test_they_fit_any_screen(pages, tmp_path):
    assert too_wide(pages.values(), tmp_path) == []
