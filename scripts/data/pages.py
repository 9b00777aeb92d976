"""Pages that are written from data, whole or below a mark."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def is_check(described: str | None, arguments: Sequence[str] | None) -> bool:
    """Tell whether pages are only compared, as ``--check`` asks.

    `described` is what the script that is run says of itself, `arguments` are those of
    the command line; None: of this process.
    """
    parser = argparse.ArgumentParser(description=(described or "").partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="compare, and do not write"
    )
    return bool(parser.parse_args(arguments).check)


def write_below(
    page: Path,
    mark: str,
    lines: Iterable[str],
    described: str | None,
    arguments: Sequence[str] | None,
) -> None:
    """Write the lines of a page below its mark; see `is_check`."""
    check = is_check(described, arguments)
    head = page.read_text(encoding="utf-8").partition(mark)[0]
    _write({page: head + mark + "\n".join(lines) + "\n"}, check=check)


def write_texts(
    texts: Mapping[Path, str], described: str | None, arguments: Sequence[str] | None
) -> None:
    """Write the texts of pages, or only compare them; see `is_check`."""
    _write(texts, check=is_check(described, arguments))


def _write(texts: Mapping[Path, str], *, check: bool) -> None:
    for page, text in texts.items():
        if not check:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8")
        elif not page.exists() or page.read_text(encoding="utf-8") != text:
            sys.exit(f"{page.name} is not what its data say: write it again")
