"""Paths: standard input and output, and files compressed by gzip, bzip2 or ZIP.

The path ``-`` is standard input or output. How a file is compressed is detected by its
content when it is read, and chosen by the end of its name when it is written; a ZIP
archive holds exactly one file. The same data are compressed into the same bytes.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import IO, Final

AnyPath = str | PathLike[str]

Source = IO[bytes] | io.BufferedIOBase
"""An open file, compressed or not."""

STANDARD: Final = "-"
"""The path of standard input and standard output."""

PACKED: Final = (".gz", ".bz2", ".zip")
"""How names of compressed files end."""

_BZIP2: Final = (b"1AY&SY", b"\x17rE8P\x90")
"""The magic number of a block, or of the end of an empty file: a text that begins with
``BZh`` has neither."""

_ASIDE: Final = "__MACOSX/"
"""The folder in which macOS puts metadata of the files of an archive."""

BROKEN: Final = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,  # an archive may ask for anything
    OSError,
    RuntimeError,  # for a password
    zlib.error,
)
"""What decompressing corrupt data raises."""


def is_standard(path: AnyPath) -> bool:
    """Tell whether a path is standard input or output."""
    return os.fspath(path) == STANDARD


def plain_name(path: AnyPath) -> str:
    """Return the name of a file without the suffix of its compression."""
    name = Path(path).name
    end = Path(name).suffix
    return name.removesuffix(end) if end in PACKED else name


def packed(path: AnyPath, data: bytes) -> bytes:
    """Return data compressed as the name of the file says."""
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
    """Open compressed data; None if they are not compressed.

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


def reason_of(failure: OSError | ValueError) -> str:
    """Return why a file cannot be read or written, in few words."""
    match failure:
        case FileNotFoundError():
            return "no such file"
        case IsADirectoryError():
            return "is a directory, not a file"
        case PermissionError():
            return "no permission"
        case OSError():
            return (failure.strerror or str(failure)).lower()
        case _:
            return f"not a file name ({failure})"
