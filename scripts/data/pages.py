"""Pages that are written from data below a mark."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_below(
    page: Path,
    mark: str,
    lines: Iterable[str],
    described: str | None,
    arguments: Sequence[str] | None,
) -> None:
    """Write the lines of a page below its mark; with ``--check`` only compare them.

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
    held = page.read_text(encoding="utf-8")
    made = held.partition(mark)[0] + mark + "\n".join(lines) + "\n"
    if not check:
        page.write_text(made, encoding="utf-8")
    elif held != made:
        sys.exit(f"{page.name} is not what its data say: write it again")
