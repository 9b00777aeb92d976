import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from pictures import saved

from atleastk.plots.drawing import ACCENT
from atleastk.plots.reduction_web import STATUSES, EdgeCheck, draw_web, positions
from atleastk.research.reducing import REDUCTIONS, web_of

KINDS = {"many-one": 23, "L": 44}


@pytest.fixture(params=KINDS)
def web(request):
    return web_of(r for r in REDUCTIONS if r.kind == request.param and "SUP" in r.name)


def test_places_are_apart(web):
    places = list(positions(web).values())
    assert len(places) == len(web)
    for i, (x, y) in enumerate(places):
        assert all(abs(x - u) > 1.2 or abs(y - v) > 0.5 for u, v in places[:i])


def test_all_is_drawn(web, tmp_path):
    edges = sorted(set(web.edges()))
    checks = {edges[0]: EdgeCheck("refuted", 3), edges[1]: EdgeCheck("checked", 5000)}
    first, second = edges[0][1], edges[-1][1]
    marked = {"first words": [first], "second words": [second]}
    ax = draw_web(web, checks, marked, "a title")
    arrows = [p for p in ax.patches if isinstance(p, FancyArrowPatch)]
    assert len(arrows) == len(edges)
    texts = {text.get_text().replace("\N{PRIME}", "'") for text in ax.texts}
    assert set(web) <= texts
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend[0] == "1 as printed (5,000 instances or more each)"
    assert legend[1] == "1 refuted as printed; repaired (3 instances or more each)"
    assert legend[2] == f"{len(edges) - 2} not checked"
    assert legend[3:] == ["first words", "second words"]
    framed = [
        box.get_linestyle()
        for box in ax.patches
        if isinstance(box, FancyBboxPatch) and box.get_edgecolor() == to_rgba(ACCENT)
    ]
    assert sorted(framed) == ["-", "--"]
    assert STATUSES["refuted"][0] == ACCENT
    assert ax.get_title(loc="left") == "a title"
    assert saved(ax, tmp_path / "web.png") > 10_000
