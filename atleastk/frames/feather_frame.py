"""Files of Arrow, which are also called Feather, through pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from atleastk.frames.arrow_frame import ArrowFile, ArrowFrame
from atleastk.frames.arrow_sizes import unpacked_size
from atleastk.instances.fields.errors import InvalidInstanceError, optional
from atleastk.instances.files.files import TooMuchError, read_bytes

_MARK: Final = b"ARROW1"
"""The magic bytes of a file that is no stream."""


class FeatherFrame(ArrowFile):
    """A table of pyarrow that came from a file of Arrow."""

    __slots__ = ()

    def put(self, stream: Any) -> None:
        from pyarrow import ipc

        table = self.table.native
        options = ipc.IpcWriteOptions(unify_dictionaries=True)
        with ipc.new_file(stream, table.schema, options=options) as file:
            file.write_table(table)


def read_feather_frame(path: Path, most: float) -> FeatherFrame:
    """Read a file of Arrow, or a stream of Arrow in a file, of at most `most` bytes."""
    pyarrow = optional("pyarrow", "frames", "Arrow files")
    ipc = optional("pyarrow.ipc", "frames", "Arrow files")
    data = read_bytes(path)
    if unpacked_size(data) > most:
        raise TooMuchError
    try:
        opened = (ipc.open_file if data.startswith(_MARK) else ipc.open_stream)(data)
        with opened as file:
            table = file.read_all()
        table.validate(full=True)  # a broken offset of a text would crash the process
        size = table.nbytes
    except (OSError, UnicodeError, pyarrow.ArrowException) as error:
        raise InvalidInstanceError(
            f"{path}: cannot be read: it is no whole file of Arrow ({error})"
        ) from error
    # A column without a type takes nothing, until its values are numbered.
    if max(size, 4 * table.num_rows * table.num_columns) > most:
        raise TooMuchError
    return FeatherFrame(ArrowFrame(table))
