"""The words and figures of pages to be filed, explained for whoever reads one.

A page ends with those that are on it; ``words.toml`` has all of them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html import unescape
from importlib.resources import files
from typing import Final

_TAG: Final = re.compile(r"<[^>]*>")


def glossary(body: str) -> Iterator[tuple[str, str]]:
    """Yield the words that a page has, and what they mean."""
    text = " ".join(unescape(_TAG.sub(" ", body)).split())
    data = (files("atleastk.plots") / "words.toml").read_text(encoding="utf-8")
    for word, known in tomllib.loads(data).items():
        if re.search(known["sign"], text):
            yield word, " ".join(known["meaning"].split())
