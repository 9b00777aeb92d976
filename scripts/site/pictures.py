"""What the gallery shows of an example: the Axes that it calls `picture`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def scraper(
    _block: object, variables: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """Write the picture of an example; return what shows it."""
    from sphinx_gallery.scrapers import figure_rst

    drawn = variables["example_globals"].pop("picture", None)
    if drawn is None:
        return ""
    path = Path(next(variables["image_path_iterator"]))
    drawn.get_figure(root=True).savefig(path, dpi=90, bbox_inches="tight")
    title = drawn.get_title(loc="left").replace("\n", ": ")
    return str(figure_rst([str(path)], settings["src_dir"], title))
