"""What the tests of pages share: a strict reader, and a browser that looks at them."""

import html
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

VOID = {"meta", "link", "rect", "line", "path", "img"}
MEASURE = """
onload = () => {
  const frames = [...document.querySelectorAll("iframe")];
  document.title = frames.map(f => f.contentDocument.documentElement.scrollWidth);
}
"""
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")


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


def too_wide(pages, folder):
    """Return the pages that do not fit a telephone or a desk, with what they take."""
    widths = [(page, width) for page in pages for width in (390, 1200)]
    frames = "".join(
        f'<iframe width="{width}" srcdoc="{html.escape(page)}"></iframe>'
        for page, width in widths
    )
    found = map(int, told(f"{frames}<script>{MEASURE}</script>", folder).split(","))
    return [
        (page, width, wide)
        for (page, width), wide in zip(widths, found, strict=True)
        if wide > width
    ]


def told(body, folder):
    """Return the title that the scripts of a page give it in a browser.

    It may not complain of them.
    """
    file = folder / "pages.html"
    file.write_text(f"<body>{body}</body>")
    ended = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *("--enable-logging=stderr", f"--user-data-dir={folder}/profile"),
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CONSOLE" not in ended.stderr
    shown = re.search(r"<title>(.+)</title>", ended.stdout)
    assert shown is not None
    return shown[1]
