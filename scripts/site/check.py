"""Check a built site: it fetches nothing when it is read, and all links lead somewhere.

    python -m scripts.site.check build/site

Also tells how many pages there are, and what they weigh.
"""

import argparse
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src"}


class _Page(HTMLParser):
    """The targets of a page: what a browser fetches, and what a reader may follow."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.followed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the target of a tag."""
        known = dict(attrs)
        if known.get("rel") == "canonical":
            return
        if target := known.get(_FETCHED.get(tag, "")):
            self.fetched.append(target)
        elif tag == "a" and (target := known.get("href")):
            self.followed.append(target)


def problems(site: Path) -> Iterator[str]:
    """Yield what is wrong with the pages of a site, and with its style sheets."""
    for path in sorted(set(site.rglob("*.html")) - set(site.glob("_static/*"))):
        page = _Page()
        page.feed(path.read_text(encoding="utf-8"))
        for target in page.fetched:
            if _is_elsewhere(target):
                yield f"{path}: fetches {target}"
        for target in (*page.fetched, *page.followed):
            there = unquote(urlsplit(target).path)
            if urlsplit(target).scheme or _is_elsewhere(target) or not there:
                continue
            if not (path.parent / there).exists():
                yield f"{path}: {target} is not there"
    for path in sorted(site.rglob("*.css")):
        if "url(http" in path.read_text(encoding="utf-8").replace('"', ""):
            yield f"{path}: fetches what it shows"


def _is_elsewhere(target: str) -> bool:
    return target.startswith(("http:", "https:", "//"))


def main(site: Path) -> int:
    """Print what is wrong; return the exit code."""
    wrong = list(problems(site))
    pages = sum(1 for _ in site.rglob("*.html"))
    files = (p for p in site.rglob("*") if p.is_file() and ".doctrees" not in p.parts)
    weight = sum(path.stat().st_size for path in files)
    print(*wrong, f"{pages} pages, {weight / 1e6:.1f} MB", sep="\n")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site", type=Path)
    sys.exit(main(parser.parse_args().site))
