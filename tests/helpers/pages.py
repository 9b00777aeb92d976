"""What the tests of pages share: a strict reader, and a browser that looks at them."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

VOID = {"meta", "link", "rect", "line", "path", "img"}
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


def looked_at(page, width, folder):
    """Return how wide a browser shows a page, and what it says meanwhile."""
    file = folder / "page.html"
    measure = "<script>document.title = document.documentElement.scrollWidth</script>"
    file.write_text(page.replace("</body>", f"{measure}</body>"))
    ended = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *("--enable-logging=stderr", f"--window-size={width},800"),
            *(f"--user-data-dir={folder}/profile", file.as_uri()),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    shown = re.search(r"<title>(\d+)</title>", ended.stdout)
    assert shown is not None
    return int(shown[1]), ended.stderr
