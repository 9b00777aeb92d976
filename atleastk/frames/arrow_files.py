"""Tables of files through pyarrow: Parquet, and Arrow, which is also called Feather."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.arrow_sizes import MARK, unpacked_size
from atleastk.frames.holding_frame import HoldingFrame
from atleastk.instances.fields.errors import InvalidInstanceError, optional
from atleastk.instances.files.files import (
    IN_ITS_FILE,
    TooMuchError,
    expect_room,
    read_bytes,
)
from atleastk.instances.files.writing import write_bytes


@dataclass(frozen=True, slots=True, eq=False)
class ArrowFile(HoldingFrame, ABC):
    """A table of pyarrow that came from a file, in a format that pyarrow writes."""

    table: ArrowFrame

    @property
    def note(self) -> str | None:
        return self.table.note

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

    def put(self, stream: Any) -> None:
        from pyarrow import parquet

        parquet.write_table(self.table.native, stream)


def read_parquet_frame(path: Path, most: float) -> ParquetFrame:
    """Read a Parquet file of at most `most` bytes, unpacked."""
    pyarrow = optional("pyarrow", "frames", "Parquet files")
    parquet = optional("pyarrow.parquet", "frames", "Parquet files")
    if not path.is_file():
        raise InvalidInstanceError(f"{path}: no such file")
    try:
        with parquet.ParquetFile(path) as file:
            if _unpacked_size(file.metadata) > most:
                raise TooMuchError
            cells = file.metadata.num_rows * file.metadata.num_columns
            expect_room(path, cells, IN_ITS_FILE)
            table = file.read()
        table.validate(full=True)  # a broken offset of a text would crash the process
    except (OSError, pyarrow.ArrowException) as error:
        raise InvalidInstanceError(f"{path}: cannot be read: {error}") from error
    return ParquetFrame(ArrowFrame(table))


def _unpacked_size(metadata: Any) -> int:
    """Return a lower bound of the unpacked bytes of a file: dictionary cells take 4."""
    stored = sum(
        metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)
    )
    return int(max(stored, 4 * metadata.num_rows * metadata.num_columns))


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
        opened = (ipc.open_file if data.startswith(MARK) else ipc.open_stream)(data)
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
