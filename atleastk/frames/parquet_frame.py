"""Parquet files, through pyarrow."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.holding_frame import HoldingFrame
from atleastk.instances.fields.errors import InvalidInstanceError, optional
from atleastk.instances.files.files import TooMuchError
from atleastk.instances.files.writing import write_bytes


@dataclass(frozen=True, slots=True, eq=False)
class ParquetFrame(HoldingFrame):
    """A table of pyarrow that came from a Parquet file."""

    table: ArrowFrame

    @property
    def note(self) -> str | None:
        """A note for the reader of a file."""
        return self.table.note

    def write(self, path: Path) -> None:
        """Write the table to a Parquet file."""
        import pyarrow
        from pyarrow import parquet

        with pyarrow.BufferOutputStream() as stream:
            parquet.write_table(self.table.native, stream)
            write_bytes(path, stream.getvalue().to_pybytes())


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
