"""SHA-256 of files, as ``sha256sum`` prints it: which file a report is about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import AnyPath, is_standard, reason_of


class Filed(NamedTuple):
    """A file of a report."""

    role: str
    """What the file is: ``"table"``, ``"published"``, ``"earlier"``."""
    path: str
    """As it was given."""
    sha256: str
    """Of its bytes as they are stored, packed or not."""
    part: str | None = None
    """The name of a file of the folder at the path; None: the path is that of a
    file."""


def filed(role: str, path: AnyPath | None) -> tuple[Filed, ...]:
    """Return one file with its SHA-256; none of standard input, folders and patterns.

    Raise `InvalidInstanceError` if it cannot be read.
    """
    if path is None or is_standard(path) or not Path(path).is_file():
        return ()
    try:
        with Path(path).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = reason_of(error)
        raise InvalidInstanceError(f"{path}: cannot be read: {reason}") from error
    return (Filed(role, str(path), found),)


def parts_of(role: str, folder: AnyPath) -> tuple[Filed, ...]:
    """Return the files of a folder with their SHA-256; none if it is no folder."""
    place = Path(folder)
    files = sorted(place.iterdir()) if place.is_dir() else []
    return tuple(
        one._replace(path=str(folder), part=file.name)
        for file in files
        for one in filed(role, file)
    )


def digest_lines(files: Iterable[Filed]) -> Iterator[str]:
    """Yield a line of a report for every file."""
    files = tuple(files)
    width = max((len(Path(one.path).name) for one in files), default=0)
    label = "SHA-256"
    for one in files:
        yield f"  {label:12}{Path(one.path).name:{width}}  {one.sha256}"
        label = ""


def digest_object(files: Iterable[Filed]) -> dict[str, dict[str, Any]]:
    """Return the JSON object of files by their roles; of a folder all its parts."""
    found: dict[str, dict[str, Any]] = {}
    for one in files:
        if one.part is None:
            found[one.role] = {"path": one.path, "sha256": one.sha256}
        else:
            folder = found.setdefault(one.role, {"path": one.path, "parts": {}})
            folder["parts"][one.part] = one.sha256
    return found
