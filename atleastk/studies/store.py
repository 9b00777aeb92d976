"""The file of a study: what is planned, and what came of it.

It is a database of SQLite. One process writes it, the driver of the study: the plan in
one transaction, and then every run in one. So it can be killed at any moment, and
whoever reads meanwhile sees whole runs only. States of a run:

===========  ===================================================================
planned      not begun
running      handed to an executor by a driver that lives
interrupted  handed over, and then the driver or the worker was lost: runs again
done         its record is kept, and it never runs again
failed       likewise, but without an answer: `error` says why
===========  ===================================================================
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from atleastk.instances.errors import AtleastkError, InvalidResultError
from atleastk.instances.instance import Instance
from atleastk.studies.run import FAILED, Record

__all__ = ["DONE", "INTERRUPTED", "PLANNED", "RUNNING", "Planned", "Store"]

PLANNED: Final = "planned"
RUNNING: Final = "running"
INTERRUPTED: Final = "interrupted"
DONE: Final = "done"
_FAILED: Final = "failed"

_FORMAT: Final = 0xA71
"""The number of this arrangement of tables: any that no other program uses."""

_WIDEST: Final = 2**63
"""Integers from here on are no numbers of SQLite: they are kept as texts."""

_TABLES: Final = (
    "CREATE TABLE study (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE instances (sha256 TEXT PRIMARY KEY, name TEXT, document TEXT)",
    "CREATE TABLE runs (key TEXT PRIMARY KEY, instance TEXT NOT NULL, "
    "kind TEXT NOT NULL, name TEXT NOT NULL, seed INTEGER NOT NULL, "
    "state TEXT NOT NULL, tries INTEGER NOT NULL, status TEXT, trust TEXT, "
    "cost, bound, seconds REAL, cpu_seconds REAL, error TEXT, result TEXT)",
    "CREATE INDEX runs_by_state ON runs (state)",
)
_PLAN: Final = (
    "INSERT INTO runs (key, instance, kind, name, seed, state, tries) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_RECORDED: Final = tuple(each.name for each in fields(Record))
_END: Final = (
    f"UPDATE runs SET state = ?, {', '.join(f'{name} = ?' for name in _RECORDED)} "
    "WHERE key = ?"
)


class Planned(NamedTuple):
    """A run as the plan has it.

    Attributes
    ----------
    tries
        How often a worker was lost with it.
    """

    key: str
    instance: str
    kind: str
    name: str
    seed: int
    state: str = PLANNED
    tries: int = 0


class Store:
    """The file of a study."""

    def __init__(self, connection: sqlite3.Connection, place: str) -> None:
        self._connection = connection
        self.place = place
        try:
            known = connection.execute("PRAGMA user_version").fetchone()[0]
            self.empty = not connection.execute(
                "SELECT * FROM sqlite_master"
            ).fetchone()
        except sqlite3.DatabaseError as error:
            message = f"{place}: no study: {error}"
            raise InvalidResultError(message) from error
        if not self.empty and known != _FORMAT:
            message = f"{place}: no study of this version of atleastk"
            raise InvalidResultError(message)

    @classmethod
    @contextmanager
    def reading(cls, path: Path) -> Iterator[Self]:
        """Open a study to read it, while another process may write."""
        if not path.is_file():
            message = f"{path}: no such file"
            raise InvalidResultError(message)
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            yield cls(connection, str(path))

    @classmethod
    @contextmanager
    def writing(cls, path: Path | None) -> Iterator[Self]:
        """Open or begin a study, one in memory without a path.

        No other process may write to it meanwhile.
        """
        place = ":memory:" if path is None else str(path)
        with _alone(path), closing(_connected(place)) as connection:
            store = cls(connection, place)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            try:
                yield store
            finally:
                with suppress(sqlite3.OperationalError):  # somebody reads: it stays WAL
                    connection.execute("PRAGMA journal_mode = DELETE")

    def plan(
        self,
        told: Mapping[str, str],
        planned: Iterable[tuple[Instance, Sequence[Planned]]],
    ) -> None:
        """Keep what is to be done: all of it, or nothing."""
        with self._transaction() as execute:
            for table in _TABLES:
                execute(table)
            execute(f"PRAGMA user_version = {_FORMAT}")
            for entry in told.items():
                execute("INSERT INTO study VALUES (?, ?)", entry)
            for instance, runs in planned:
                document = json.dumps(instance.to_dict(), separators=(",", ":"))
                row = (instance.sha256, instance.name, document)
                execute("INSERT INTO instances VALUES (?, ?, ?)", row)
                for run in runs:
                    execute(_PLAN, run)
        self.empty = False

    @property
    def told(self) -> Mapping[str, str]:
        """What is kept of the study itself."""
        return dict(self._connection.execute("SELECT name, value FROM study"))

    def recall(self) -> None:
        """Call interrupted what a driver left running that is no more."""
        with self._transaction() as execute:
            lost = "UPDATE runs SET state = ? WHERE state = ?"
            execute(lost, (INTERRUPTED, RUNNING))

    def retry(self) -> None:
        """Let what has failed wait for another try."""
        with self._transaction() as execute:
            again = "UPDATE runs SET state = ?, tries = 0 WHERE state = ?"
            execute(again, (PLANNED, _FAILED))

    def waiting(self) -> Sequence[Planned]:
        """Return the runs that are to be done, in the order of the plan."""
        found = self._connection.execute(
            "SELECT key, instance, kind, name, seed, state, tries FROM runs "
            "WHERE state IN (?, ?) ORDER BY rowid",
            (PLANNED, INTERRUPTED),
        )
        return [Planned(*row) for row in found]

    def begin(self, key: str) -> None:
        """Note that a run is handed over."""
        with self._transaction() as execute:
            execute("UPDATE runs SET state = ? WHERE key = ?", (RUNNING, key))

    def interrupt(self, key: str, tries: int) -> None:
        """Note that a worker was lost with a run, and how often by now."""
        lost = "UPDATE runs SET state = ?, tries = ? WHERE key = ?"
        with self._transaction() as execute:
            execute(lost, (INTERRUPTED, tries, key))

    def end(self, key: str, record: Record) -> None:
        """Keep what came of a run, in one transaction."""
        state = _FAILED if record.status == FAILED else DONE
        values = [
            str(value) if isinstance(value, int) and abs(value) >= _WIDEST else value
            for value in (getattr(record, name) for name in _RECORDED)
        ]
        with self._transaction() as execute:
            execute(_END, (state, *values, key))

    def states(self) -> Mapping[str, int]:
        """Return how many runs are in which state."""
        counts = "SELECT state, count(*) FROM runs GROUP BY state"
        return dict(self._connection.execute(counts))

    def document(self, sha256: str) -> str:
        """Return the JSON text of an instance."""
        query = "SELECT document FROM instances WHERE sha256 = ?"
        found: str = self._connection.execute(query, (sha256,)).fetchone()[0]
        return found

    def documents(self) -> Mapping[str, str]:
        """Return the JSON texts of all instances, by their fingerprints."""
        return dict(self._connection.execute("SELECT sha256, document FROM instances"))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield all runs, those of an instance together, in the order of the plan."""
        cursor = self._connection.execute(
            "SELECT runs.*, instances.name AS instance_name FROM runs "
            "JOIN instances ON instances.sha256 = runs.instance ORDER BY runs.rowid"
        )
        names = [column for column, *_ in cursor.description]
        for row in cursor:
            found = dict(zip(names, row, strict=True))
            for name in ("cost", "bound"):
                found[name] = None if found[name] is None else int(found[name])
            yield found

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., object]]:
        """Let all that the body executes happen, or nothing of it."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _connected(place: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        message = f"{place}: cannot be written: {error}"
        raise AtleastkError(message) from error


@contextmanager
def _alone(path: Path | None) -> Iterator[None]:
    """Hold the lock of a study: the system lets go of it however a process ends.

    Its file is deleted as long as it is held. Whoever had opened it by then holds the
    lock of a file without a name: SQLite refuses to write to that.
    """
    if path is None:
        yield
        return
    place = f"{path}.lock"
    with closing(_connected(place)) as connection:
        try:
            connection.execute("PRAGMA busy_timeout = 0")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("CREATE TABLE held (by_a_driver)")
        except sqlite3.OperationalError as error:
            message = f"{path}: another process writes to this study ({error})"
            raise AtleastkError(message) from error
        try:
            yield
        finally:
            with suppress(PermissionError):  # Windows keeps files that are open
                Path(place).unlink()
