"""The unpacked size of files of Arrow, without unpacking them.

A file is a stream of messages, with a mark before it and an index behind. Buffers may
be compressed one by one, and then begin with their size. The head of a message has
their places, in the layout of FlatBuffers: a table has the offsets of its fields.
"""

from __future__ import annotations

import struct
from struct import unpack_from
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import optional

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
