"""Pages that are written from data, whole or below a mark."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def write_below(
    page: Path,
    mark: str,
    lines: Iterable[str],
    described: str | None,
    arguments: Sequence[str] | None,
) -> None:
    """Write the lines of a page below its mark; see `write_texts`."""
    head = page.read_text(encoding="utf-8").partition(mark)[0]
    text = head + mark + "\n".join(lines) + "\n"
    write_texts({page: text}, described, arguments)


def write_texts(
    texts: Mapping[Path, str], described: str | None, arguments: Sequence[str] | None
) -> None:
    """Write the texts of pages; with ``--check`` only compare them.

    Parameters
    ----------
    described
        What the script that is run says of itself.
    arguments
        Those of the command line; None: of this process.
    """
    parser = argparse.ArgumentParser(description=(described or "").partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="compare, and do not write"
    )
    check = parser.parse_args(arguments).check
    for page, text in texts.items():
        if not check:
            page.write_text(text, encoding="utf-8")
        elif page.read_text(encoding="utf-8") != text:
            sys.exit(f"{page.name} is not what its data say: write it again")
