"""How Sphinx builds the site: python -m sphinx -W --keep-going docs build/site."""

import sys
from pathlib import Path
from typing import Any

import latex2mathml.converter
from docutils.nodes import SkipNode
from pygments.lexers import JsonLexer
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1]))

import atleastk
from scripts.site.contents import with_contents, write_made

project = "atleastk"
author = copyright = "The atleastk authors"
version = release = atleastk.__version__
extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_gallery.gen_gallery",
    "sphinx_llms_txt",
]
exclude_patterns = [
    "gallery",
    "template/atleastk",
    "template/tests",
    "pictures/*.ipynb",
]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "auto"
nb_execution_in_temp = True
nb_execution_timeout = 120
nb_execution_raise_on_error = True
numpydoc_show_class_members = False
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
autodoc_member_order = "bysource"
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "pictures",
    "filename_pattern": ".py",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("scripts.site.pictures.scraper",),
    "write_computation_times": False,
    "show_memory": False,
    "min_reported_time": 60,
    "remove_config_comments": True,
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
}

html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme = "pydata_sphinx_theme"
html_title = f"atleastk {release}"
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 4,
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc", "sourcelink"],
}
html_sidebars = {"index": []}
html_sourcelink_suffix = ""
html_math_renderer = "mathml"


def inline(translator: Any, node: Any) -> None:
    """Write a formula in a line as MathML, which needs no script."""
    translator.body.append(latex2mathml.converter.convert(node.astext()))
    raise SkipNode


def block(translator: Any, node: Any) -> None:
    """Write a formula of its own as MathML."""
    text = latex2mathml.converter.convert(node.astext(), display="block")
    translator.body.append(f'<div style="overflow-x: auto; margin: 1em 0">{text}</div>')
    raise SkipNode


def plain_defaults(*what: Any) -> tuple[str | None, str | None]:
    """Leave out of a signature what Sphinx cannot read: defaults that are made."""
    signature, returned = what[-2:]
    return signature and signature.replace("<factory>", "..."), returned


def list_pages(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the list of the pages below a page."""
    source[0] = with_contents(page, source[0])


def offer_notebooks(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any
) -> None:
    """Link to the source of a notebook, and of nothing else."""
    context["show_source"] = page.startswith("notebooks/")


def setup(app: Sphinx) -> None:
    """Make the pages that are made, and say how formulas and menus come about."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.add_lexer("jsonl", JsonLexer)
    app.connect("builder-inited", lambda _: write_made(), priority=100)
    app.connect("autodoc-process-signature", plain_defaults)
    app.connect("source-read", list_pages)
    app.connect("html-page-context", offer_notebooks)
