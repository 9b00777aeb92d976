"""Parquet files, through pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from atleastk.frames.arrow_frame import ArrowFile, ArrowFrame
from atleastk.instances.fields.errors import InvalidInstanceError, optional
from atleastk.instances.files.files import IN_ITS_FILE, TooMuchError, expect_room


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
