"""DuckDB in this process: its limits, and its errors on one line."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any
from uuid import uuid4

from atleastk.frames.engine_files import text_in_sql
from atleastk.frames.frame import Name
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    NoAnswerError,
    OutOfMemoryError,
    optional,
)

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Engine:
    """A connection to the engine, for a table."""

    path: str
    """What the table is called."""
    db: Any = field(repr=False)

    def run(self, query: str) -> None:
        """Run a query of the engine."""
        with self.telling():
            self.db.execute(query)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query, which still runs while they are fetched."""
        with self.telling():
            found: list[tuple[Any, ...]] = self.db.execute(query).fetchall()
            return found

    def arrays(self, query: str) -> dict[str, Any]:
        """Return the columns of a query as arrays."""
        with self.telling():
            found: dict[str, Any] = self.db.execute(query).fetchnumpy()
            return found

    def arrow(self, query: str) -> Any:
        """Return the table of a query, of pyarrow."""
        with self.telling():
            return self.db.sql(query).to_arrow_table()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell errors of the engine on one line."""
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise OutOfMemoryError(
                f"{self.path}: the engine needs more memory, or more room in its "
                f"scratch folder: {_on_one_line(error)}"
            ) from error
        except duckdb.InterruptException as error:
            raise NoAnswerError(
                f"{self.path}: the time was over before the table was counted once"
            ) from error
        except duckdb.Error as error:
            raise InvalidInstanceError(f"{self.path}: {_on_one_line(error)}") from error

    def kinds_of(self, rows: str) -> dict[Name, str]:
        """Return the types of the columns of a table or a query, by their names."""
        return dict(row[:2] for row in self.rows(f"DESCRIBE {rows}"))

    def keep_arrays(self, name: str, **columns: Any) -> None:
        import pyarrow

        self.db.register("given", pyarrow.table(columns))
        self.run(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM given")
        self.db.unregister("given")

    def store(
        self,
        query: str,
        target: Path,
        form: str = "FORMAT parquet, COMPRESSION zstd",
        expect: Callable[[], object] = lambda: None,
    ) -> None:
        """Write what a query gives to a file, whole or not at all.

        `expect` raises an error if the file must not get its name.
        """
        half = target.with_name(f".{target.name}.{uuid4().hex}")
        try:
            self.run(f"COPY ({query}) TO {text_in_sql(str(half))} ({form})")
            expect()
            half.replace(target)
        except InvalidInstanceError:
            expect()
            raise
        except OSError as error:
            if not target.exists():  # or another run was first, and removed the half
                raise AtleastkError(f"{target}: {error.strerror}") from error
        finally:
            half.unlink(missing_ok=True)


def remove_halves(targets: Sequence[Path]) -> None:
    """Remove what is left of files of a folder that `store` was stopped at."""
    names = {target.name for target in targets}
    for folder in {target.parent for target in targets}:
        for half in folder.glob(".*"):
            if half.name[1:].rpartition(".")[0] in names:
                half.unlink(missing_ok=True)


@contextmanager
def engine_for(
    path: str, memory: float, workers: int, scratch: str | PathLike[str] | None = None
) -> Iterator[Engine]:
    """Give an engine with a folder of its own for what has no room in memory.

    The engine may take `memory` bytes. The folder is in `scratch`, by default among
    those of the system.
    """
    duckdb = optional("duckdb", "scale", "tables that stay in their files")
    with _scratch(scratch) as folder:
        engine = Engine(path, duckdb.connect(str(folder / "counts.duckdb")))
        try:
            engine.run(f"SET memory_limit='{int(memory / 1e6)}MB'")
            engine.run(f"SET threads={workers}")
            engine.run(f"SET temp_directory={text_in_sql(str(folder))}")
            engine.run("SET preserve_insertion_order=false")
            shows = engine.rows("SELECT current_setting('enable_progress_bar')")
            if shows[0][0]:  # Jupyter without widgets refuses to set it
                engine.run("SET enable_progress_bar=false")
            # The first loses rows of NaN, which statistics of Parquet leave out. Joins
            # are in order, and of 200 tables the other takes 14 s, whatever the limit.
            engine.run("SET disabled_optimizers='join_filter_pushdown,join_order'")
            yield engine
        finally:
            engine.db.close()


@contextmanager
def _scratch(folder: str | PathLike[str] | None) -> Iterator[Path]:
    """Give a new folder in another one, which is deleted in the end.

    Its file `lock` is locked by this process. The lock of a process that was killed is
    free, and so the next run deletes the folder.
    """
    _remove_left(Path(folder or tempfile.gettempdir()))
    try:
        made = tempfile.TemporaryDirectory(prefix=_ours(), dir=folder)
    except OSError as error:
        raise AtleastkError(f"scratch {folder}: {error.strerror}") from error
    with made as name, (Path(name) / "locking").open("wb") as stream:
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks: it has no `lock`
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                Path(stream.name).rename(Path(name) / "lock")
        yield Path(name)


def _ours() -> str:
    return f"atleastk-{os.getpid()}-"


def _remove_left(scratch: Path) -> None:
    """Delete scratch folders of processes that are no more, where that is allowed."""
    for lock in scratch.glob("atleastk-*/lock") if fcntl is not None else ():
        if not lock.parent.name.startswith(_ours()):
            with suppress(OSError), lock.open("r+b") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent)


def _on_one_line(error: Exception) -> str:
    """Return what an engine says, without the query and advice on its own options.

    Of an error that it wraps in an object, what that says.
    """
    text, wrapped, message = str(error).partition('"exception_message":')
    if wrapped:
        text = str(json.JSONDecoder().raw_decode(message)[0])
    said = re.split(r"\nLINE |\s*Possible solutions:", text)[0].split("\n")
    return " ".join(filter(None, said[:3]))
