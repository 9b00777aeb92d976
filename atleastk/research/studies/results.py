"""The results of a study: ratios, tables and files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Self

from atleastk.instances.family import origin_of
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    InvalidResultError,
    UnknownNameError,
    known_are,
    placed,
)
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.fields.shapes import AnyObject, ObjectOf, Text
from atleastk.instances.files import files
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.models.results.columns import Kinds
from atleastk.models.results.result import Result, gap_between
from atleastk.models.results.status import Status
from atleastk.research.studies.ratios import Found, Known, Ratios, Tally
from atleastk.research.studies.run import ALGORITHM, FAILED, METHOD, REFUSED, WRONG
from atleastk.research.studies.store import WIDEST, Store
from atleastk.research.tables.tabular import Table, Tabular
from atleastk.runs.own_algorithms import algorithm_of
from atleastk.runs.registry import instance_from_dict, problem_named
from atleastk.solvers.method import Algorithm

Row = Mapping[str, Any]

Value = int | float | str | None
Values = tuple[Value, ...]
"""`Value`, `Values`: what instances are grouped by, by one name and by several."""

CLOSED: Final = (Status.OPTIMAL, Status.INFEASIBLE)
"""The statuses of closed runs."""

_HIDDEN: Final = ("result",)
"""Columns of a run that tables leave out."""

_LAST: Final = ("root", "nodes", "time_limit", "target_gap", "taken_from", "note")
"""Columns of a run that tables have at the end."""

_REALS: Final = ("ratio", "seconds", "cpu_seconds", "root", "time_limit", "target_gap")
_INTEGERS: Final = ("seed", "tries", "cost", "bound", "nodes", "instance_seed")
"""Columns of numbers; the others are texts."""


@dataclass(frozen=True)
class StudyResults(Tabular):
    """The results of a study.

    Attributes
    ----------
    problem, title
        The problem of all instances, and the title of the study.
    against
        A number of instances by which costs are listed; may be empty.
    by
        What instances are grouped by, as ``family`` and ``k``: columns of tables, too.
    rows
        A row for every run, those of an instance together.
    documents
        The JSON text of every instance, by its fingerprint.
    versions
        The versions of the software.
    algorithms
        The algorithms that are found here, by name, with their promises.
    grown
        Lines on what was kept and taken, if this call let the study grow.
    """

    problem: str
    title: str
    against: str
    rows: Sequence[Row]
    documents: Mapping[str, str]
    versions: Mapping[str, str]
    algorithms: Mapping[str, Algorithm[Any]]
    by: Sequence[str] = ()
    grown: Sequence[str] = ()
    _parsed: dict[str, Instance] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    __repr__ = brief

    @classmethod
    def load(cls, path: AnyPath) -> Self:
        """Read the file of a study, finished or not."""
        with Store.reading(Path(path)) as store:
            description = store.description
            with placed(path):
                problem = problem_named(description["problem"])
            known = {}
            for entry in json.loads(description["spec"])["algorithms"]:
                with suppress(UnknownNameError):  # without its promise
                    name = entry["name"]
                    known[name] = algorithm_of(
                        problem, name, Path(description["folder"])
                    )
            return cls.of(store, known)

    @classmethod
    def of(
        cls,
        store: Store,
        algorithms: Mapping[str, Algorithm[Any]],
        grown: Sequence[str] = (),
    ) -> Self:
        """Read the results from a store."""
        description = store.description
        with placed(store.place):
            versions = files.parse(
                description["versions"], "versions", InvalidResultError
            )
            versions = ObjectOf(Text()).parse(versions, "versions")
        return cls(
            description["problem"],
            description.get("title", ""),
            description.get("against", ""),
            list(store.rows()),
            store.documents(),
            versions,
            algorithms,
            description.get("by", "").splitlines(),
            grown,
        )

    @property
    def states(self) -> Mapping[str, int]:
        """How many runs are in which state."""
        return Counter(row["state"] for row in self.rows)

    @property
    def told(self) -> str:
        """A line with the number of runs, and how many are in which state."""
        states = (f"{count} {state}" for state, count in self.states.items())
        return f"{len(self.rows)} runs, {', '.join(states)}"

    @property
    def missed(self) -> Sequence[Row]:
        """The runs whose gap is above their target."""
        return [row for row in self._aimed if gap_of(row) > row["target_gap"]]

    @property
    def told_targets(self) -> str:
        """A line with the targets that are met and missed; empty without any."""
        if not self._aimed:
            return ""
        missed = [f"{self.label(row)}, {row['name']}" for row in self.missed]
        met = f"{len(self._aimed) - len(missed)} of {len(self._aimed)} targets met"
        return f"{met}; not met: {'; '.join(missed)}" if missed else met

    @property
    def _aimed(self) -> Sequence[Row]:
        """The runs that have a target."""
        return [row for row in self.rows if row["target_gap"] is not None]

    def instance(self, sha256: str) -> Instance:
        """Return an instance by its fingerprint; it is parsed and checked once."""
        if sha256 in self._parsed:
            return self._parsed[sha256]
        place = f"instance {sha256}"
        document = files.parse(self.documents[sha256], place, InvalidInstanceError)
        with placed(place):
            instance = instance_from_dict(document)
        if (instance.problem, instance.sha256) != (self.problem, sha256):
            raise InvalidInstanceError(f"{place}: {instance} is another one")
        self._parsed[sha256] = instance
        return instance

    def label(self, row: Row) -> str:
        """Return the description of the instance of a run, without its problem."""
        return str(self.instance(row["instance"])).removeprefix(f"{self.problem} ")

    def result(self, row: Row) -> Result:
        """Return the result of a run."""
        place = f"run {row['key']}: result"
        known = {"problem": self.problem, "instance_sha256": row["instance"]}
        document = files.parse(row["result"], place, InvalidResultError)
        with placed(place):
            return Result.from_dict(document | known)

    def part(self, rows: Sequence[Row]) -> Self:
        """Return the results of some of the runs, in no groups."""
        found = replace(self, rows=rows, by=())
        found._parsed.update(self._parsed)
        return found

    def groups(self, by: str | Sequence[str] | None = None) -> Mapping[Values, Self]:
        """Return the results of the instances of every value of these names, ascending.

        A name is ``family``, a parameter of the family, a field that was replaced, or a
        number or text of the instance, such as n or k; by default those of the study.
        Raise `UnknownNameError` if no instance has it.
        """
        names = self.by if by is None else [by] if isinstance(by, str) else by
        expect_names(names, (self.instance(sha256) for sha256, _ in self.by_instance()))
        found: dict[Values, list[Row]] = {}
        for sha256, rows in self.by_instance():
            instance = self.instance(sha256)
            group = tuple(value_of(instance, name) for name in names)
            found.setdefault(group, []).extend(rows)
        return {group: self.part(found[group]) for group in sorted(found, key=_order)}

    def by_instance(self) -> Iterator[tuple[str, Sequence[Row]]]:
        """Yield the fingerprint of every instance, and the rows of its runs."""
        for sha256, rows in groupby(self.rows, itemgetter("instance")):
            yield sha256, list(rows)

    def ratios(self) -> Ratios:
        """Compare the algorithms with the optima."""
        names = dict.fromkeys(r["name"] for r in self.rows if r["kind"] == ALGORITHM)
        tallies = {
            name: Tally(name, known.guarantee if known else None)
            for name in names
            for known in [self.algorithms.get(name)]
        }
        infeasible = unknown = still_open = instances = 0
        contradictions = []
        for sha256, rows in self.by_instance():
            instances += 1
            instance = self.instance(sha256)
            least, most, feasible = _known(rows)
            reasons = "; ".join(_contradictions(rows))
            if reasons:
                contradictions.append(Found(instance, reasons))
            elif not feasible:
                infeasible += 1
            elif least is None or most is None:
                unknown += 1
            else:
                still_open += least != most
                known = Known(instance, least, most)
                for row in rows:
                    if row["kind"] == ALGORITHM:
                        _count(tallies[row["name"]], known, row)
        every = list(tallies.values())
        return Ratios(every, instances, infeasible, unknown, still_open, contradictions)

    @property
    def table(self) -> Table:
        """The columns of a table with a row for every run, with its ratio."""
        columns: dict[str, list[Any]] = {}
        for sha256, rows in self.by_instance():
            least, _, _ = _known(rows)
            instance = self.instance(sha256)
            for row in rows:
                cost = row["cost"]
                fields = {k: v for k, v in row.items() if k not in (*_HIDDEN, *_LAST)}
                rated = cost is not None and least
                fields["ratio"] = instance.ratio(cost, least or 1) if rated else None
                noted = {**row, "note": _note(row)}
                fields |= {name: noted[name] for name in _LAST}
                fields |= _origin(instance)
                fields |= {n: value_of(instance, n) for n in self.by if n not in fields}
                for name, value in fields.items():
                    columns.setdefault(name, []).append(value)
        return {name: _narrow(values) for name, values in columns.items()}

    def kinds(self, table: Table) -> Kinds:
        """Return the types of the columns, the same in all studies."""
        return {name: _kind(name, values) for name, values in table.items()}

    def __str__(self) -> str:
        return "\n".join(filter(None, (*self._headlines, str(self.ratios()))))

    def _repr_html_(self) -> str:
        exact = Counter(
            (row["name"], row["status"] or row["state"], row["trust"] or "")
            for row in self.rows
            if row["kind"] == METHOD
        )
        heads = ("method", "status", "trust", "runs>")
        title, *targets = self._headlines
        rows = [(*run, count) for run, count in exact.items()]
        return notebook(title, heads, rows, targets) + self.ratios()._repr_html_()

    @property
    def _headlines(self) -> tuple[str, str]:
        return f"{self.title or self.problem}: {self.told}", self.told_targets


def open_share(cost: int | None, bound: int | None) -> float:
    """Return the gap between a cost and a bound; 1 if it is unknown, and at most."""
    gap = gap_between(cost, bound)
    return 1.0 if gap is None else min(1.0, gap)


def gap_of(row: Row) -> float:
    """Return the gap that a run leaves open; 0 if it is closed."""
    return 0.0 if row["status"] in CLOSED else open_share(row["cost"], row["bound"])


def _known(rows: Sequence[Row]) -> tuple[int | None, int | None, bool]:
    """Return the best bound and cost of all runs, and whether there is a solution."""
    exact = [row for row in rows if row["kind"] == METHOD]
    bounds = [row["bound"] for row in exact if row["bound"] is not None]
    costs = [row["cost"] for row in exact if row["cost"] is not None]
    feasible = all(row["status"] != Status.INFEASIBLE for row in exact)
    return max(bounds, default=None), min(costs, default=None), feasible


def _contradictions(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the claims of exact methods that contradict each other."""
    least, most, feasible = _known(rows)
    exact = [row for row in rows if row["kind"] == METHOD]
    if most is not None and (not feasible or (least is not None and least > most)):
        for row in exact:
            yield f"{row['name']} says {row['status']}, {row['cost']}, {row['bound']}"
    for row in exact:
        if row["status"] == WRONG:
            yield f"{row['name']}: {row['error']}"
    solved = [
        row for row in rows if row["kind"] == ALGORITHM and row["cost"] is not None
    ]
    if not feasible and solved:
        name, cost = solved[0]["name"], solved[0]["cost"]
        yield f"said to have no solution, but {name} costs {cost}"


def _count(tally: Tally, known: Known, row: Row) -> None:
    status, cost = row["status"], row["cost"]
    error = row["error"] or ""
    message = error if error.startswith(tally.name) else f"{tally.name}: {error}"
    found = Found(known.instance, message)
    if cost is not None:
        tally.add(known, cost)
    elif status == REFUSED:
        tally.refused += 1
    elif status == WRONG:
        tally.wrong.append(found)
    elif status == FAILED:
        tally.failed.append(found)


def _note(row: Row) -> str | None:
    """Return what a result says beside its numbers, such as why it is not proved."""
    if not row["result"]:
        return None
    place = f"run {row['key']}: result"
    document = files.parse(row["result"], place, InvalidResultError)
    with placed(place):
        return AnyObject().parse(document, "").get("note")


def _origin(instance: Instance) -> Row:
    """Return the family, parameters and seed of an instance as columns."""
    family, seed, parameters = origin_of(instance)
    text = json.dumps(dict(parameters)) if parameters else None
    return {"family": family, "parameters": text, "instance_seed": seed}


def value_of(instance: Instance, name: str) -> Value:
    """Return what an instance has of a name; None if it has nothing of it."""
    origin = origin_of(instance)
    if name == "family":
        return origin.family
    found = origin.parameters.get(name, getattr(instance, name, None))
    return found if isinstance(found, int | float | str) else None


def expect_names(
    by: Sequence[str], instances: Iterable[Instance], place: str = "by"
) -> None:
    """Raise `UnknownNameError` if no instance has what they are grouped by."""
    left, known = list(by), dict[str, None]()
    for instance in instances:
        left = [name for name in left if value_of(instance, name) is None]
        if not left:
            return
        known |= dict.fromkeys(_names(instance))
    if left and known:
        hint = known_are(left[0], known)
        raise UnknownNameError(f"{place}: no instance has {left[0]}; {hint}")


def _names(instance: Instance) -> Iterator[str]:
    origin = origin_of(instance)
    yield from ("family",) if origin.family else ()
    own = (name for name in ("n", "m", "k", "r") if hasattr(instance, name))
    yield from (*origin.parameters, *own)


def _order(values: Values) -> tuple[tuple[bool, bool, Value], ...]:
    """Sort numbers before texts, and what is missing last."""
    return tuple(
        (value is None, isinstance(value, str), 0 if value is None else value)
        for value in values
    )


def _kind(name: str, values: Sequence[Any]) -> type[int | float | str]:
    """Return the type of a column, which may be empty; integers may be texts."""
    if name in _REALS or any(isinstance(value, float) for value in values):
        return float
    texts = any(isinstance(value, str) for value in values)
    numbers = name in _INTEGERS or any(isinstance(value, int) for value in values)
    return int if numbers and not texts else str


def _narrow(values: list[Any]) -> list[Any]:
    """Return integers as texts where one is too wide for 64 bits."""
    if any(isinstance(v, int) and abs(v) >= WIDEST for v in values):
        return [None if value is None else str(value) for value in values]
    return values
