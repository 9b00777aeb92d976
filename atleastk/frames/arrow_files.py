"""Tables of files through pyarrow: Parquet, and Arrow, which is also called Feather.

What a file of Arrow takes is known without unpacking it. It is a stream of messages,
with a mark before it and an index behind. Buffers may be compressed one by one, and
then begin with their size. The head of a message has their places, in the layout of
FlatBuffers: a table has the offsets of its fields.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from struct import unpack_from
from typing import Any, Final, NamedTuple, Self

from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.frame import HoldingFrame
from atleastk.instances.fields.errors import InvalidInstanceError, optional
from atleastk.instances.files.files import (
    IN_ITS_FILE,
    TooMuchError,
    expect_room,
    read_bytes,
)
from atleastk.instances.files.writing import write_bytes

MARK: Final = b"ARROW1\0\0"
"""The magic bytes of a file that is no stream."""

_HEADER: Final = 2
"""The field of a message that is a batch: of rows, or of a dictionary."""

_DATA: Final = 1
"""The field of a batch of a dictionary that is a batch of rows."""

_BUFFERS: Final = 2
_PACKING: Final = 3
"""The fields of a batch of rows with the places and the compression of its buffers."""


def unpacked_size(data: bytes | bytearray) -> int:
    """Return a lower bound of the bytes of the tables of a file or stream.

    Broken parts are skipped; reading them raises the error.
    """
    pyarrow = optional("pyarrow", "frames", "Arrow files")
    ipc = optional("pyarrow.ipc", "frames", "Arrow files")
    stream = memoryview(data)[len(MARK) if data.startswith(MARK) else 0 :]
    size = 0
    try:
        for message in ipc.MessageReader.open_stream(pyarrow.py_buffer(stream)):
            if message.type in ("dictionary", "record batch"):
                size += _size_of(message)
    except (OSError, struct.error, pyarrow.ArrowException):
        pass
    return size


class _Table(NamedTuple):
    """A table of FlatBuffers."""

    data: memoryview
    place: int

    def field(self, number: int) -> int | None:
        fields = self.place - unpack_from("<i", self.data, self.place)[0]
        length = unpack_from("<H", self.data, fields)[0]
        if 4 + 2 * number >= length:
            return None
        offset = unpack_from("<H", self.data, fields + 4 + 2 * number)[0]
        return self.place + offset if offset else None

    def table(self, number: int) -> _Table:
        place = self.field(number)
        if place is None:
            raise struct.error
        return _Table(self.data, place + unpack_from("<I", self.data, place)[0])


def _size_of(message: Any) -> int:
    head = memoryview(message.metadata)
    batch = _Table(head, unpack_from("<I", head, 0)[0]).table(_HEADER)
    if message.type == "dictionary":
        batch = batch.table(_DATA)
    at = batch.field(_BUFFERS)
    if at is None:
        return 0
    at += unpack_from("<I", head, at)[0]
    count = unpack_from("<I", head, at)[0]
    places = [unpack_from("<qq", head, at + 4 + 16 * i) for i in range(count)]
    if batch.field(_PACKING) is None:
        return sum(length for _, length in places)
    body = memoryview(b"" if message.body is None else message.body)
    return sum(
        max(unpack_from("<q", body, start)[0], length - 8)
        for start, length in places
        if length
    )


@dataclass(frozen=True, slots=True, eq=False)
class ArrowFile(HoldingFrame, ABC):
    """A table of pyarrow that came from a file, in a format that pyarrow writes."""

    table: ArrowFrame

    @property
    def note(self) -> str | None:
        return self.table.note

    @classmethod
    @abstractmethod
    def read(cls, path: Path, most: float) -> Self:
        """Read a file of that format that holds at most `most` bytes, unpacked."""

    @abstractmethod
    def put(self, stream: Any) -> None:
        """Write the table to a stream, in that format."""

    def write(self, path: Path) -> None:
        import pyarrow

        with pyarrow.BufferOutputStream() as stream:
            self.put(stream)
            write_bytes(path, stream.getvalue().to_pybytes())


class ParquetFrame(ArrowFile):
    """A table of pyarrow that came from a Parquet file."""

    __slots__ = ()

    @classmethod
    def read(cls, path: Path, most: float) -> Self:
        pyarrow = optional("pyarrow", "frames", "Parquet files")
        parquet = optional("pyarrow.parquet", "frames", "Parquet files")
        if not path.is_file():
            raise InvalidInstanceError(f"{path}: no such file")
        try:
            with parquet.ParquetFile(path) as file:
                known = file.metadata
                groups = map(known.row_group, range(known.num_row_groups))
                cells = known.num_rows * known.num_columns
                # Unpacked, what a dictionary has takes 4 bytes a cell at least.
                size = max(sum(group.total_byte_size for group in groups), 4 * cells)
                if size > most:
                    raise TooMuchError
                expect_room(path, cells, IN_ITS_FILE)
                table = file.read()
            table.validate(full=True)  # a broken offset of a text crashes the process
        except (OSError, pyarrow.ArrowException) as error:
            raise InvalidInstanceError(f"{path}: cannot be read: {error}") from error
        return cls(ArrowFrame(table))

    def put(self, stream: Any) -> None:
        from pyarrow import parquet

        parquet.write_table(self.table.native, stream)


class FeatherFrame(ArrowFile):
    """A table of pyarrow that came from a file of Arrow, or a stream in a file."""

    __slots__ = ()

    @classmethod
    def read(cls, path: Path, most: float) -> Self:
        pyarrow = optional("pyarrow", "frames", "Arrow files")
        ipc = optional("pyarrow.ipc", "frames", "Arrow files")
        data = read_bytes(path)
        if unpacked_size(data) > most:
            raise TooMuchError
        try:
            opened = (ipc.open_file if data.startswith(MARK) else ipc.open_stream)(data)
            with opened as file:
                table = file.read_all()
            table.validate(full=True)  # as above
            size = table.nbytes
        except (OSError, UnicodeError, pyarrow.ArrowException) as error:
            raise InvalidInstanceError(
                f"{path}: cannot be read: it is no whole file of Arrow ({error})"
            ) from error
        # A column without a type takes nothing, until its values are numbered.
        if max(size, 4 * table.num_rows * table.num_columns) > most:
            raise TooMuchError
        return cls(ArrowFrame(table))

    def put(self, stream: Any) -> None:
        from pyarrow import ipc

        table = self.table.native
        options = ipc.IpcWriteOptions(unify_dictionaries=True)
        with ipc.new_file(stream, table.schema, options=options) as file:
            file.write_table(table)
