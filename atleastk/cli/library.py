"""``atleastk library``: instances with proven optima, and those still open."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk import api
from atleastk.cli.console import NO, OK, Exit, complain
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, expect_lines
from atleastk.cli.paths import Kind, Paths
from atleastk.cli.print_table import print_table
from atleastk.cli.readers import target
from atleastk.cli.results import code_of, documents, kept, print_result, result_at
from atleastk.cli.shared_options import Running
from atleastk.collecting.exporting import FORMATS, exported, solved_by
from atleastk.collecting.improving import improved, violation_of
from atleastk.collecting.library import Library
from atleastk.collecting.record import STATUSES, Record, named
from atleastk.instances import files
from atleastk.instances.errors import InvalidResultError, UnknownNameError, placed
from atleastk.instances.packing import plain_name
from atleastk.models.result import Result
from atleastk.models.status import Status

__all__ = ["Options", "run"]

ACTIONS: Final = {
    "list": "the records and what is known of them",
    "show": "all that is known of an instance",
    "solve": "solve instances, and compare",
    "check": "re-check what is known, without any solver",
    "improve": "work on open instances, from what is known; write a submission",
    "submit": "take over results from files, once they are checked, into a folder",
    "add": "add the instances of files to a folder",
    "export": "write an instance as a model for other solvers",
}
"""What can be done, and what it is."""

_CHANGING: Final = ("submit", "add")
"""The actions that write the files of a folder."""

_WRITTEN: Final = {
    "json": JSON,
    "cp-sat": Kind("a model of CP-SAT as text", (".txt", ".pbtxt")),
    **{
        name: Kind(f"a model in {name}", (f".{name}",))
        for name in ("mps", "lp", "opb", "wcnf", "cnf")
    },
}
"""What an export is written to, by its format."""

_NAMED: Final = ("show", "solve", "export")
"""The actions that do not mean all records unless they say so."""

_ALL: Final = "all"
"""Stands for the names of all records."""

_SHOWN: Final = ("name", "size", "status", "difficulty", "cost", "bound")
"""What a list shows of every record."""


@dataclass(frozen=True, kw_only=True)
class Options(Running):
    """What ``atleastk library`` is asked."""

    epilog: ClassVar = "; ".join(f"{name}: {told}" for name, told in ACTIONS.items())

    action: str = option("ACTION", ", ".join(ACTIONS), choices=tuple(ACTIONS))
    names: Sequence[str] = option(
        "NAME", "instances of the library, or all; files for submit and add", nargs="*"
    )
    problem: str | None = option("--problem P", "only those of this problem")
    family: str | None = option(
        "--family F", "only those of this family; of added ones, what it is"
    )
    status: str | None = option(
        "--status S", "only those: certified, agreed, proved, open"
    )
    difficulty: str | None = option(
        "--difficulty D", "only those: toy, easy, medium, hard"
    )
    folder: str | None = option(
        "--folder DIR", "a library of your own (default: the one of the package)"
    )
    take_claims: bool = option(
        "--take-claims", "submit: take bounds without a certificate, too"
    )
    licence: str = option(
        "--licence L", "add: under which others may use the instances", default="none"
    )
    to: str = option(
        "--to", "export: the format (default: mps)", choices=FORMATS, default="mps"
    )
    at_most: int | None = option(
        "--at-most COST",
        "export to cnf: what it may cost (default: what is known)",
        target,
    )
    solver: str | None = option(
        "--solver S", "solve: a MILP solver of PuLP, such as SCIP_PY, on the mps model"
    )
    output: str | None = option(
        "-o --output OUT", "write the results, a submission (.jsonl); or the export"
    )

    def paths(self) -> Paths:
        read = self.names if self.action in _CHANGING else ()
        inputs = [("a file that is read", path) for path in read]
        kind = _WRITTEN[self.to] if self.action == "export" else JSON
        return Paths(inputs, [(self.output, kind)])

    def chosen(self, library: Library) -> list[Record]:
        """Return the records that are asked for; all without a name."""
        wanted = library.filter(
            problem=self.problem,
            family=self.family,
            status=self.status,
            difficulty=self.difficulty,
        )
        if _ALL in self.names or not (self.names or self.action in _NAMED):
            return wanted
        if not self.names:
            message = f"{self.action} needs the NAME of an instance, or all"
            raise UnknownNameError(message)
        names = {record.name for record in wanted}
        return [library[name] for name in self.names if library[name].name in names]


def run(options: Options) -> Exit:
    """Do what is asked for with the library."""
    folder = None if options.folder is None else Path(options.folder)
    library = Library(folder)
    if options.action in _CHANGING:
        if folder is None:
            message = f"{options.action} needs --folder, a library of your own"
            raise UnknownNameError(message)
        change = _submit if options.action == "submit" else _add
        return change(options, library, folder)
    records = options.chosen(library)
    match options.action:
        case "list":
            return _list(records, options.json)
        case "show":
            return _show(records, options.json)
        case "check":
            return _check(records)
        case "export":
            return _export(records, options)
        case "solve" if options.solver is not None:
            return _solve_by(options.solver, records, options)
        case "improve":
            records = [record for record in records if record.status != STATUSES[0]]
    return _solve(records, options)


def _list(records: Sequence[Record], as_json: bool) -> Exit:
    if as_json:
        for record in records:
            print(json.dumps(_row(record)))
        return Exit(OK)
    print_table(
        (*_SHOWN[:-2], "cost>", "bound>"),
        [[_text(row[name]) for name in _SHOWN] for row in map(_row, records)],
    )
    print(f"{len(records)} instances: {_counted(records)}")
    return Exit(OK)


def _counted(records: Iterable[Record]) -> str:
    counts = Counter(record.status for record in records)
    return ", ".join(f"{counts[word]} {word}" for word in STATUSES if counts[word])


def _row(record: Record) -> Mapping[str, Any]:
    known = record.known
    return {
        "name": record.name,
        "problem": record.problem,
        "family": record.family,
        "size": record.size,
        "status": record.status,
        "difficulty": record.difficulty,
        "cost": None if known is None else known.cost,
        "bound": None if known is None else known.bound,
        "instance_sha256": record.instance_sha256,
    }


def _show(records: Sequence[Record], as_json: bool) -> Exit:
    for record in records:
        if as_json:
            print(json.dumps(record.to_dict()))
            continue
        print(f"{record.name}: {record.problem}, {record.size}")
        print(f"  status     {record.status}, {record.difficulty}")
        print(f"  source     {record.source} ({record.licence})")
        print(f"  sha256     {record.instance_sha256}")
        print_table(
            ("date", "status", "cost>", "bound>", "trust", "proof", "s>", "method"),
            [
                (
                    entry.date,
                    entry.status,
                    _text(entry.cost),
                    _text(entry.bound),
                    _text(entry.trust),
                    _text(entry.certificate),
                    f"{entry.seconds:.2f}",
                    entry.method,
                )
                for entry in record.history
            ],
        )
    return Exit(OK)


def _check(records: Sequence[Record]) -> Exit:
    """Re-check all that records say, without any solver."""
    false = 0
    for record in records:
        if (wrong := violation_of(record)) is not None:
            false += 1
            print(f"{record.name}: {wrong}", flush=True)
    print(f"{len(records) - false} of {len(records)} hold: {_counted(records)}")
    return Exit(NO if false else OK)


def _solve(records: Sequence[Record], options: Options) -> Exit:
    """Solve the instances; improving, begin with what is known of open ones.

    What is written is a submission.
    """
    improving = options.action == "improve"
    if len(records) > 1 or improving:
        expect_lines(options.output, "results")
    code, abandoned, results = OK, False, list[Result]()
    for record in records:
        start = record.result if improving and record.witness is not None else None
        with options.watching(options.work(), record.name) as work:
            outcome = work.solve(record.instance, certify=improving, start=start)
        result, abandoned = outcome.result, abandoned | outcome.abandoned
        after = improved(record, result, _today(), taking_claims=True)
        if improving:
            gained = after is not record
            print(f"{record.name}: {_told(after) if gained else 'no gain'}", flush=True)
        else:
            print_result(result, options.json, record.name)
            print(f"    the library has {_told(record)}", file=sys.stderr)
            code = max(code, code_of(result))
        if after is not record or not improving:
            results.append(result)
            if options.output:
                code = max(code, kept(options.output, results, 1))
        if outcome.signalled is not None:
            return Exit(128 + outcome.signalled, abandoned)
    return Exit(code, abandoned)


def _solve_by(solver: str, records: Sequence[Record], options: Options) -> Exit:
    """Let another solver have the model, and compare."""
    code = OK
    for record in records:
        answer = solved_by(record.instance, solver, options.time_limit, options.workers)
        told = f"{answer.status}, cost {answer.cost}, bound {answer.bound}"
        print(f"{record.name}: {told}; the library has {_told(record)}", flush=True)
        code = max(code, OK if answer.status >= Status.INFEASIBLE else NO)
    return Exit(code)


def _export(records: Sequence[Record], options: Options) -> Exit:
    if len(records) != 1:
        message = f"export takes one instance, not {len(records)}"
        raise UnknownNameError(message)
    (record,) = records
    known = None if record.known is None else record.known.cost
    at_most = known if options.at_most is None else options.at_most
    with placed(record.name):
        text = exported(record.instance, options.to, at_most)
    if options.output is None:
        print(text, end="")
    else:
        files.write_text(options.output, text)
    return Exit(OK)


def _told(record: Record) -> str:
    """Return what is known of an instance in a few words."""
    known = record.known
    if known is None:
        return "nothing of it"
    if known.status is Status.INFEASIBLE:
        return f"{record.status}, it is infeasible"
    return f"{record.status}, cost {_text(known.cost)}, bound {_text(known.bound)}"


def _submit(options: Options, library: Library, folder: Path) -> Exit:
    """Take over results, each for the instance of its fingerprint."""
    changed: dict[str, Record] = {}
    code = OK
    for path in options.names:
        for place, document in documents(path):
            try:
                result = result_at(place, document)
                record = library.of(result.instance_sha256)
                if record is None:
                    message = "the library has no instance of this fingerprint"
                    raise InvalidResultError(message)
                before = changed.get(record.name, record)
                claims = options.take_claims
                after = improved(before, result, _today(), taking_claims=claims)
            except InvalidResultError as error:
                complain(f"{place}: {error}")
                code = NO
                continue
            if after is not before:
                changed[after.name] = after
                print(f"{after.name}: {_told(after)}")
            else:
                print(f"{before.name}: no gain")
    library.with_all(list(changed.values()), folder)
    return Exit(code)


def _add(options: Options, library: Library, folder: Path) -> Exit:
    """Add instances of which nothing is known yet; those that are there stay."""
    added: dict[str, Record] = {}
    for path in options.names:
        for number, instance in enumerate(api.load_all(path), 1):
            name = named(instance.name or f"{plain_name(path)}-{number}")
            held = library.get(name)
            if held is not None and held.instance_sha256 == instance.sha256:
                continue
            if held is not None or name in added:
                message = f"{path}: there is an instance called {name} already"
                raise UnknownNameError(message)
            added[name] = Record.of(
                instance,
                name=name,
                family=options.family or "added",
                source=instance.source or f"the file {Path(path).name}",
                licence=options.licence,
            )
    library.with_all(list(added.values()), folder)
    print(f"{len(added)} instances are new")
    return Exit(OK)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
