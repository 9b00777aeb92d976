"""The file of a study: the plan, and the results.

It is a database of SQLite. One process writes it, the driver of the study: the plan in
one transaction, and then every run in one. So it can be killed at any moment, and
readers see whole runs only. States of a run:

===========  ===================================================================
planned      not begun
running      handed to an executor by a driver that lives
interrupted  handed over, and then the driver or the worker was lost: runs again
done         its record is stored, and it never runs again
failed       likewise, but without an answer: `error` says why
===========  ===================================================================
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    InvalidResultError,
    placed,
)
from atleastk.instances.fields.shapes import (
    PRINTED_DIGITS,
    Integer,
    Nullable,
    Number,
    OneOf,
    Shape,
    Text,
)
from atleastk.instances.instance import Instance
from atleastk.models.results.fields import INTEGER
from atleastk.models.results.status import Status, Trust
from atleastk.research.studies.run import (
    ALGORITHM,
    FAILED,
    METHOD,
    REFUSED,
    WRONG,
    Record,
)

PLANNED: Final = "planned"
RUNNING: Final = "running"
INTERRUPTED: Final = "interrupted"
DONE: Final = "done"
_FAILED: Final = "failed"

_FORMAT: Final = 0xA73
"""The version of the tables, ``user_version``: an arbitrary number."""

WIDEST: Final = 2**63
"""Integers from here on are too large for SQLite: there, and in tables, texts."""

_COLUMNS: Final[Mapping[str, tuple[str, Shape[object]]]] = {
    "key": ("TEXT PRIMARY KEY", Text()),
    "instance": ("TEXT NOT NULL", Text()),
    "kind": ("TEXT NOT NULL", OneOf((METHOD, ALGORITHM))),
    "name": ("TEXT NOT NULL", Text()),
    "seed": ("INTEGER NOT NULL", Integer(0)),
    "state": ("TEXT NOT NULL", OneOf((PLANNED, RUNNING, INTERRUPTED, DONE, _FAILED))),
    "tries": ("INTEGER NOT NULL", Integer(0)),
    "status": ("TEXT", Nullable(OneOf((*map(str, Status), REFUSED, WRONG, FAILED)))),
    "trust": ("TEXT", Nullable(OneOf(tuple(map(str, Trust))))),
    "cost": ("", Nullable(INTEGER)),
    "bound": ("", Nullable(INTEGER)),
    "seconds": ("REAL", Nullable(Number(0))),
    "cpu_seconds": ("REAL", Nullable(Number(0))),
    "error": ("TEXT", Nullable(Text())),
    "result": ("TEXT", Nullable(Text())),
    "time_limit": ("REAL", Nullable(Number(0))),
    "root": ("REAL", Nullable(Number())),
    "nodes": ("INTEGER", Nullable(Integer(0))),
    "target_gap": ("REAL", Nullable(Number(0))),
    "taken_from": ("TEXT", Nullable(Text())),
    "place": ("INTEGER", Nullable(Integer(0))),
}
"""The columns of a run: their types in SQLite, and what they hold. Its place is that in
the plan, none if it is asked no more; its result may be taken from another study."""
_SHAPES: Final = {
    **{name: shape for name, (_, shape) in _COLUMNS.items()},
    "instance_name": Nullable(Text()),
}
_TABLES: Final = (
    "CREATE TABLE study (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE instances (sha256 TEXT PRIMARY KEY, name TEXT, document TEXT)",
    f"CREATE TABLE runs ({', '.join(f'{n} {t}' for n, (t, _) in _COLUMNS.items())})",
    "CREATE INDEX runs_by_state ON runs (state)",
    "CREATE INDEX runs_by_instance ON runs (instance)",
)
_LATER: Final = {"root": None, "nodes": None}
"""The columns that files of earlier versions have not."""
_ENDED: Final = ("status", "seconds", "cpu_seconds")
"""The columns that a run that has ended must have."""
_FULL: Final = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
)
"""Errors about the place of a file, not about its content."""
_RECORDED: Final = tuple(each.name for each in fields(Record))
_END: Final = (
    f"UPDATE runs SET state = ?, {', '.join(f'{name} = ?' for name in _RECORDED)}, "
    "taken_from = ? WHERE key = ?"
)


class Planned(NamedTuple):
    """A planned run."""

    key: str
    instance: str
    kind: str
    name: str
    seed: int
    time_limit: float | None = None
    """Its seconds; None is no limit."""
    target_gap: float | None = None
    """The gap that it should leave open at most; None without a target."""
    state: str = PLANNED
    tries: int = 0
    """How often a worker was lost with it."""


_DESCRIBE: Final = "INSERT OR REPLACE INTO study VALUES (?, ?)"
_PLAN: Final = (
    f"INSERT INTO runs ({', '.join(Planned._fields)}, place) "
    f"VALUES ({', '.join('?' * len(Planned._fields))}, ?) ON CONFLICT (key) "
    "DO UPDATE SET place = excluded.place, target_gap = excluded.target_gap"
)
_CHANGED: Final = (
    "SELECT name, count(*) FROM runs AS new WHERE rowid > ? AND EXISTS (SELECT * FROM "
    "runs AS old WHERE old.instance = new.instance AND old.place IS NULL AND "
    "(old.kind, old.name, old.seed) = (new.kind, new.name, new.seed)) GROUP BY name"
)
"""How many new runs there are instead of runs that are asked no more, by name."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What a new plan made of the runs of a study."""

    kept: int
    """Runs that had ended, and are asked again."""
    fresh: int
    """Runs that are new."""
    changed: Mapping[str, int]
    """Those of them that are there instead of others, by method or algorithm."""
    aside: int
    """Runs that are asked no more; they stay in the file."""

    def __str__(self) -> str:
        again = ", ".join(f"{count} of {name}" for name, count in self.changed.items())
        why = f" ({again}: they or their limits have changed)" if again else ""
        return f"{self.kept} runs kept, {self.fresh} new{why}, {self.aside} set aside"


class Store:
    """The file of a study."""

    def __init__(self, connection: sqlite3.Connection, place: str) -> None:
        self._connection = connection
        self.place = place
        known = connection.execute("PRAGMA user_version").fetchone()[0]
        self.empty = not connection.execute("SELECT * FROM sqlite_master").fetchone()
        if not self.empty and known != _FORMAT:
            raise InvalidResultError(f"{place}: no study of this version of atleastk")

    @classmethod
    @contextmanager
    def reading(cls, path: Path) -> Iterator[Self]:
        """Open a study to read it, while another process may write."""
        if not path.is_file():
            raise InvalidResultError(f"{path}: no such file")
        # The next reader rolls back the open transaction of a driver that was killed.
        uri = f"{path.resolve().as_uri()}?mode=rw"
        with (
            _sqlite_errors(str(path)),
            closing(sqlite3.connect(uri, uri=True)) as connection,
        ):
            store = cls(connection, str(path))
            if store.empty:
                raise InvalidResultError(f"{path}: nothing is planned yet")
            yield store

    @classmethod
    @contextmanager
    def writing(cls, path: Path | None) -> Iterator[Self]:
        """Open or begin a study, one in memory without a path.

        No other process may write to it meanwhile.
        """
        place = ":memory:" if path is None else str(path)
        with (
            _sqlite_errors(place),
            _alone(path),
            closing(_connected(place)) as connection,
        ):
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
        description: Mapping[str, str],
        planned: Iterable[tuple[Instance, Sequence[Planned]]],
    ) -> Grown | None:
        """Store all runs that are to be done, in one transaction.

        Runs that are there already stay as they are; those that are not asked any more
        are set aside. Return what was there, unless there was nothing.
        """
        with self._transaction() as execute:
            for table in _TABLES if self.empty else self._missing():
                execute(table)
            execute(f"PRAGMA user_version = {_FORMAT}")
            self._connection.executemany(_DESCRIBE, description.items())
            ended = "SELECT key FROM runs WHERE state IN (?, ?)"
            known = {key for (key,) in self._ask(ended, DONE, _FAILED)}
            ((last,),) = self._ask("SELECT ifnull(max(rowid), 0) FROM runs")
            execute("UPDATE runs SET place = NULL")
            place = kept = 0
            for instance, runs in planned:
                document = json.dumps(instance.to_dict(), separators=(",", ":"))
                row = (instance.sha256, instance.name, document)
                execute("INSERT OR REPLACE INTO instances VALUES (?, ?, ?)", row)
                for run in runs:
                    execute(_PLAN, (*run, place))
                    kept += run.key in known
                    place += 1
        first, self.empty = self.empty, False
        if first:
            return None
        ((fresh,),) = self._ask("SELECT count(*) FROM runs WHERE rowid > ?", last)
        ((aside,),) = self._ask("SELECT count(*) FROM runs WHERE place IS NULL")
        return Grown(kept, fresh, dict(self._ask(_CHANGED, last)), aside)

    @property
    def description(self) -> Mapping[str, str]:
        """The entries of the table ``study``, checked."""
        found = dict(self._ask("SELECT name, value FROM study"))
        for name in ("problem", "folder", "spec", "spec_sha256", "versions"):
            with placed(self.place):
                Text().parse(found.get(name), name)
        if hashlib.sha256(found["spec"].encode()).hexdigest() != found["spec_sha256"]:
            raise InvalidResultError(
                f"{self.place}: spec: what the study asks was changed"
            )
        return found

    def describe(self, description: Mapping[str, str]) -> None:
        """Store the entries of the table ``study`` as they are now."""
        with self._transaction():
            self._connection.executemany(_DESCRIBE, description.items())

    def _ask(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._connection.execute(query, values)

    def _missing(self) -> Iterator[str]:
        """Yield what adds the columns that files of earlier versions have not."""
        held = {name for _, name, *_ in self._ask("PRAGMA table_info(runs)")}
        for name, (kind, _) in _COLUMNS.items():
            if name not in held:
                yield f"ALTER TABLE runs ADD COLUMN {name} {kind}"

    def recall(self) -> None:
        """Call interrupted what a driver left running that is no more."""
        lost = "UPDATE runs SET state = ? WHERE state = ?"
        self._ask(lost, INTERRUPTED, RUNNING)

    def retry(self) -> None:
        """Mark failed runs as planned again."""
        again = "UPDATE runs SET state = ?, tries = 0 WHERE state = ?"
        self._ask(again, PLANNED, _FAILED)

    def waiting(self) -> Sequence[Planned]:
        """Return the runs that are to be done, in the order of the plan."""
        runs = self._runs(
            "SELECT * FROM runs WHERE state IN (?, ?) AND place IS NOT NULL "
            "ORDER BY place",
            *(PLANNED, INTERRUPTED),
        )
        return [Planned(*(run[name] for name in Planned._fields)) for run in runs]

    def _runs(self, query: str, *values: object) -> Iterator[dict[str, Any]]:
        """Yield the columns of runs, checked."""
        cursor = self._ask(query, *values)
        names = [column for column, *_ in cursor.description]
        for row in cursor:
            with placed(self.place):
                found = _run(_LATER | dict(zip(names, row, strict=True)))
            yield found

    def begin(self, keys: Iterable[str]) -> None:
        """Note that runs are handed over."""
        with self._transaction() as execute:
            for key in keys:
                execute("UPDATE runs SET state = ? WHERE key = ?", (RUNNING, key))

    def interrupt(self, key: str, tries: int) -> None:
        """Note that a worker was lost with a run, and how often by now."""
        lost = "UPDATE runs SET state = ?, tries = ? WHERE key = ?"
        self._ask(lost, INTERRUPTED, tries, key)

    def end(self, key: str, record: Record) -> None:
        """Store the record of a run, in one transaction."""
        self.end_all([(key, record, None)])

    def end_all(self, ended: Iterable[tuple[str, Record, str | None]]) -> None:
        """Store records in one transaction, each with where it was taken from."""
        with self._transaction() as execute:
            for key, record, origin in ended:
                state = _FAILED if record.status == FAILED else DONE
                values = [
                    str(v) if isinstance(v, int) and abs(v) >= WIDEST else v
                    for v in astuple(record)
                ]
                execute(_END, (state, *values, origin, key))

    def record(self, key: str) -> Record | None:
        """Return the record of a run that is done; None if there is none."""
        query = "SELECT * FROM runs WHERE key = ? AND state = ?"
        found = next(self._runs(query, key, DONE), None)
        if found is None:
            return None
        return Record(**{name: found[name] for name in _RECORDED})

    def limits_set_aside(self) -> Sequence[float]:
        """Return the limits of time of runs that are done and asked no more."""
        query = (
            "SELECT DISTINCT time_limit FROM runs WHERE place IS NULL AND state = ? "
            "AND time_limit IS NOT NULL ORDER BY time_limit"
        )
        return [limit for (limit,) in self._ask(query, DONE)]

    def states(self) -> Mapping[str, int]:
        """Return how many runs are in which state."""
        asked = "WHERE place IS NOT NULL GROUP BY state"
        return dict(self._ask(f"SELECT state, count(*) FROM runs {asked}"))

    def document(self, sha256: str) -> str:
        """Return the JSON text of an instance."""
        query = "SELECT document FROM instances WHERE sha256 = ?"
        found = self._ask(query, sha256).fetchone()
        with placed(self.place):
            return Text().parse(found and found[0], f"instance {sha256}")

    def documents(self) -> Mapping[str, str]:
        """Return the JSON texts of all instances, by their fingerprints."""
        query = (
            "SELECT sha256, document FROM instances WHERE sha256 IN "
            "(SELECT instance FROM runs WHERE place IS NOT NULL)"
        )
        with placed(self.place):
            return {
                sha256: Text().parse(document, f"instance {sha256}")
                for sha256, document in self._ask(query)
            }

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield all runs, those of an instance together, in the order of the plan."""
        for found in self._runs(
            "SELECT runs.*, instances.name AS instance_name FROM runs "
            "JOIN instances ON instances.sha256 = runs.instance "
            "WHERE place IS NOT NULL ORDER BY place"
        ):
            del found["place"]
            yield found

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., object]]:
        """Commit all that the body executes, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _run(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a run, after checking them."""
    found = {}
    with placed(f"run {columns.get('key')}"):
        for name, value in columns.items():
            if name in ("cost", "bound") and _is_long(value):
                value = int(value)
            if name not in _SHAPES:
                raise InvalidInstanceError(f"{name}: unknown column of a run")
            found[name] = _SHAPES[name].parse(value, name)
        ended = found["state"] in (DONE, _FAILED)
        for name in _ENDED if ended else ():
            if found.get(name) is None:
                raise InvalidInstanceError(
                    f"{name}: missing, though the run is {found['state']}"
                )
    return found


def _is_long(value: object) -> bool:
    """Tell whether a value is an integer stored as a text."""
    if not isinstance(value, str) or len(value) > PRINTED_DIGITS:
        return False
    return value.removeprefix("-").isdecimal()


@contextmanager
def _sqlite_errors(place: str) -> Iterator[None]:
    """Turn errors of SQLite into ours, which name the file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _FULL:
            raise AtleastkError(f"{place}: cannot be written: {error}") from error
        raise InvalidResultError(f"{place}: no study: {error}") from error


def _connected(place: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise AtleastkError(f"{place}: cannot be written: {error}") from error


@contextmanager
def _alone(path: Path | None) -> Iterator[None]:
    """Hold the lock of a study: the system lets go of it however a process ends.

    Its file is deleted while it is held. A process that had opened it by then locks a
    file without a name, which SQLite refuses to write to.
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
            if error.sqlite_errorcode & 0xFF in (
                sqlite3.SQLITE_FULL,
                sqlite3.SQLITE_IOERR,
            ):
                raise
            raise AtleastkError(
                f"{path}: another process writes to this study ({error})"
            ) from error
        try:
            yield
        finally:
            with suppress(PermissionError):  # Windows keeps files that are open
                Path(place).unlink()
