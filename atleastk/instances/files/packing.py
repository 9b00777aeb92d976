"""Packed files: by gzip, bzip2, or as the only file of a ZIP archive.

What a file is packed by is told by its content when it is read, and by the end of its
name when it is written. The same data are packed into the same bytes.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import IO, Final

Source = IO[bytes] | io.BufferedIOBase
"""What is read from, packed or not."""

PACKED: Final = (".gz", ".bz2", ".zip")
"""How names of packed files end."""

_BZIP2: Final = (b"1AY&SY", b"\x17rE8P\x90")
"""Pi, or its root if there is nothing: a text that begins with ``BZh`` has neither."""

_ASIDE: Final = "__MACOSX/"
"""Where some systems put what they know of the files of an archive."""

BROKEN: Final = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,  # an archive may ask for anything
    OSError,
    RuntimeError,  # for a password
    zlib.error,
)
"""What reading data raises that are not what they began like."""


def plain_name(path: str | PathLike[str]) -> str:
    """Return the name of a file without the end that says how it is packed."""
    name = Path(path).name
    end = Path(name).suffix
    return name.removesuffix(end) if end in PACKED else name


def packed(path: str | PathLike[str], data: bytes) -> bytes:
    """Return data as they are written to a file of this name."""
    match Path(path).suffix:
        case ".gz":
            return gzip.compress(data, mtime=0)
        case ".bz2":
            return bz2.compress(data)
        case ".zip":
            archive = io.BytesIO()
            member = zipfile.ZipInfo(plain_name(path))
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr(member, data, zipfile.ZIP_DEFLATED)
            return archive.getvalue()
    return data


def unpacking(data: bytes | bytearray) -> Source | None:
    """Return a file of what data hold if they are packed.

    Raises
    ------
    zipfile.BadZipFile
        If an archive has no file, or several.
    """
    if data.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=io.BytesIO(data))
    if data.startswith(b"BZh") and data[4:10] in _BZIP2:
        return bz2.BZ2File(io.BytesIO(data))
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = members_of(archive)
    if len(members) != 1:
        raise zipfile.BadZipFile(
            f"the archive holds {len(members)} files, expected one"
        )
    return archive.open(members[0])


def members_of(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files of an archive."""
    return [
        member
        for member in archive.infolist()
        if not (member.is_dir() or member.filename.startswith(_ASIDE))
    ]
