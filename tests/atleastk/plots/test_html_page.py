import re
from datetime import UTC, datetime

from atleastk.plots.html_page import bar, between, framed, pair_of_bars

USED = re.compile(r"var\(--(\w+)\)")


def test_colours_of_pictures_are_those_of_the_page_in_light_and_in_dark():
    pictures = [bar(0.5), pair_of_bars(0.2, 0.4), between((0.0, 1.0), 0.2, 0.4)]
    page = framed("A page", datetime(2026, 1, 1, tzinfo=UTC), {"One": pictures})
    assert "color-scheme: light dark" in page
    light, dark = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    for colours in (light, dark):
        assert {*USED.findall(page)} <= {*re.findall(r"--(\w+):", colours)}
    assert not re.search(r'(?:fill|stroke)="#', page)
