from pathlib import Path

import atleastk
from scripts.data.library_page import page

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_of_this_library():
    written = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    assert written == page(atleastk.library)
