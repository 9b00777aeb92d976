"""The page of the library tells what the library holds."""

from pathlib import Path

import atleastk
from scripts.data.library_page import page

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_of_this_library():
    """`python -m scripts.data.library_page` writes it."""
    written = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    assert written == page(atleastk.library)
