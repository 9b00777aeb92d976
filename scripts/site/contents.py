"""Which page of the site stands below which, read from the links of the pages.

The list of ``docs/index.md`` names the parts of the site. The pages that a part lists,
in items or in the first cells of tables, stand below it, each below the first part that
lists it. So GitHub shows ordinary Markdown, and the site has its menus from the same
lines.
"""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from scripts.site import commands, formats, python, records

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
ROOT_PAGE: Final = "index"
MADE: Final = "made"
"""The folder, below `DOCS`, of the pages that are made when the site is built."""
MADE_BELOW: Final[Mapping[str, tuple[str, ...]]] = {
    ROOT_PAGE: ("pictures/index",),
    "reference": tuple(f"{MADE}/{n}" for n in ("commands", "fields", *python.PAGES)),
    "inside": (f"{MADE}/contributing",),
    "library": (f"{MADE}/{records.FOLDER}",),
}
"""Pages that no page can link to, since they are there only on the site."""
_FOLDERS: Final = "benchmarks", "errata", "template"
"""The folders, below `DOCS`, of pages that are written."""
_LISTED: Final = re.compile(
    r"^(?:- |\| )\[[^\]]+\]\(([\w/.-]+)\.(?:md|ipynb)\)", re.MULTILINE
)


def pages() -> set[str]:
    """Return the names of all pages that stand in the sources."""
    return {
        page.relative_to(DOCS).with_suffix("").as_posix()
        for pattern in ("*.md", "notebooks/*.ipynb", *(f"{f}/*.md" for f in _FOLDERS))
        for page in DOCS.glob(pattern)
    }


def contents() -> dict[str, list[str]]:
    """Return the pages below the root page, and those below each of them."""
    parts = listed(ROOT_PAGE)
    found, placed = {ROOT_PAGE: parts}, {ROOT_PAGE, *parts}
    for part in parts:
        found[part] = [name for name in listed(part) if name not in placed]
        placed.update(found[part])
    return found


def listed(page: str) -> list[str]:
    """Return the names of the pages that the lists and tables of a page begin with."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    home = PurePosixPath(page).parent
    return list(dict.fromkeys(str(home / name) for name in _LISTED.findall(text)))


def with_contents(page: str, text: str) -> str:
    """Return the text of a page with the list of the pages below it, for the menus."""
    below, made = contents().get(page, []), MADE_BELOW.get(page, ())
    hidden = _toctree(below, ":hidden:")
    return text + hidden + _toctree(made, ":maxdepth: 1")


def _toctree(names: list[str] | tuple[str, ...], option: str) -> str:
    lines = "\n".join(f"/{name}" for name in names)
    return f"\n\n```{{toctree}}\n{option}\n\n{lines}\n```\n" if names else ""


def write_made() -> None:
    """Write the pages that are made: of commands, fields, names, what is not closed.

    A page that stands as it should is left alone, so that a second build is quick.
    """
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    made = {
        "commands.md": commands.page(),
        "fields.md": formats.page(),
        "contributing.md": contributing.replace("](docs/", "](../"),
        **{f"{name}.rst": text for name, text in python.pages().items()},
        **records.pages(),
    }
    folder = DOCS / MADE
    (folder / records.FOLDER).mkdir(parents=True, exist_ok=True)
    for closed in set(folder.glob(f"{records.FOLDER}/*")) - {folder / n for n in made}:
        closed.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
