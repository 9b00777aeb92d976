"""Keep the site of every release beside the others, with a page that lists them.

    python -m scripts.site.releases build/site ../pages

copies the site into a folder of its version below ``../pages``, where a site of the
same version is replaced, and writes ``index.html``, which leads to the newest.
"""

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import atleastk

_VERSION = re.compile(r"\d+(\.\d+)*")

_INDEX = """\
<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>atleastk</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3; url={newest}/index.html">
<h1>atleastk</h1>
<p>The pages of version <a href="{newest}/index.html">{newest}</a> come next.</p>
<p>All versions:</p>
<ul>
{versions}
</ul>
</html>
"""


def versions_in(pages: Path) -> list[str]:
    """Return the versions whose sites are in a folder, the newest first."""
    names = (path.parent.name for path in pages.glob("*/index.html"))
    known = [name for name in names if _VERSION.fullmatch(name)]
    return sorted(known, key=lambda name: [*map(int, name.split("."))], reverse=True)


def index_of(versions: Sequence[str]) -> str:
    """Return the page that lists the versions and leads to the first."""
    entries = (f'<li><a href="{each}/index.html">{each}</a></li>' for each in versions)
    return _INDEX.format(newest=versions[0], versions="\n".join(entries))


def add(site: Path, pages: Path, version: str = atleastk.__version__) -> None:
    """Copy a built site to those of other versions, and list them anew."""
    if not (site / "index.html").is_file():
        sys.exit(f"{site}: holds no site; python -m sphinx docs {site} builds it")
    home = pages / version
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(site, home, ignore=shutil.ignore_patterns(".doctrees"))
    (pages / "index.html").write_text(index_of(versions_in(pages)), encoding="utf-8")


if __name__ == "__main__":
    add(Path(sys.argv[1]), Path(sys.argv[2]))
