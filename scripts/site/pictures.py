"""What the gallery shows of an example: the Axes that it calls `picture`.

Pages show some of these pictures, too, where no gallery is built: ``drawn/NAME.png`` is
that of the example ``gallery/NAME.py``. They are drawn anew by

    python -m scripts.site.pictures [NAME ...]
"""

import re
import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from scripts.site.contents import DOCS

DRAWN: Final = DOCS / "drawn"


def scraper(
    _block: object, variables: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """Write the picture of an example; return what shows it."""
    from sphinx_gallery.scrapers import figure_rst

    drawn = variables["example_globals"].pop("picture", None)
    if drawn is None:
        return ""
    path = Path(next(variables["image_path_iterator"]))
    _save(drawn, path, dpi=90)
    title = drawn.get_title(loc="left").replace("\n", ": ")
    return str(figure_rst([str(path)], settings["src_dir"], title))


def shown() -> set[str]:
    """Return the names of the examples whose pictures pages show."""
    texts = (page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    return {name for text in texts for name in re.findall(r"\(drawn/(\w+)\.png", text)}


def main(names: Sequence[str]) -> None:
    """Draw the pictures of these examples, of all that are shown if there are none."""
    for name in names or sorted(shown()):
        example = runpy.run_path(str(DOCS / f"gallery/{name}.py"))
        _save(example["picture"], DRAWN / f"{name}.png", dpi=72)


def _save(axes: Any, path: Path, dpi: int) -> None:
    path.parent.mkdir(exist_ok=True)
    axes.get_figure(root=True).savefig(path, dpi=dpi, bbox_inches="tight")


if __name__ == "__main__":
    main(sys.argv[1:])
