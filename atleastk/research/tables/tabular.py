"""What has a table of named columns, as a frame and as a file."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from atleastk.frames.arrow_files import ParquetFrame
from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.files.writing import write_bytes
from atleastk.models.results.columns import Kinds, table_of

Table = Mapping[str, Sequence[Any]]


class Tabular(ABC):
    """Results with a table."""

    __slots__ = ()

    @property
    @abstractmethod
    def table(self) -> Table:
        """The columns of the table."""

    @abstractmethod
    def kinds(self, table: Table) -> Kinds:
        """Return the types of its columns, which may be empty."""

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a frame of pandas, polars or pyarrow."""
        table = self.table
        return table_of(table, library, self.kinds(table))

    def export(self, path: AnyPath) -> None:
        """Write the table to a file: CSV, or Parquet if its name says so."""
        if Path(path).suffix.lower() == ".parquet":
            ParquetFrame(ArrowFrame(self.to_frame("pyarrow"))).write(Path(path))
            return
        columns, written = self.table, io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        write_bytes(path, written.getvalue().encode())
