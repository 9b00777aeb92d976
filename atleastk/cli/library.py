"""``atleastk library``: instances with proven optima, and those still open."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.cli.console import NO, OK, Exit, complain
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, expect_lines
from atleastk.cli.paths import Kind, Paths
from atleastk.cli.print_table import print_table
from atleastk.cli.readers import integer
from atleastk.cli.results import (
    code_of,
    print_result,
    result_at,
    write_or_complain,
)
from atleastk.cli.shared_options import Reading, Running, printed
from atleastk.instances.fields.errors import (
    InvalidResultError,
    UnknownNameError,
    placed,
)
from atleastk.instances.files import files
from atleastk.instances.files.paths import plain_name
from atleastk.instances.files.writing import make_folder
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.collecting.exporting import FORMATS, exported, solve_by
from atleastk.research.collecting.improving import improved, violation_of
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import STATUSES, Record, named
from atleastk.runs import api
from atleastk.runs.solving import solve_within

_WRITTEN: Final = {
    "json": JSON,
    "cp-sat": Kind("a model of CP-SAT as text", (".txt", ".pbtxt")),
    **{
        name: Kind(f"a model in {name}", (f".{name}",))
        for name in ("mps", "lp", "opb", "wcnf", "cnf")
    },
}
"""What an export is written to, by its format."""

_ALL: Final = "all"
"""Stands for the names of all records."""

_SHOWN: Final = ("name", "size", "status", "difficulty", "cost", "bound")
"""What a list shows of every record."""


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    """What every action of ``atleastk library`` is asked.

    Attributes
    ----------
    action
        The word for what is done.
    summary
        What it is.
    """

    action: ClassVar[str]
    summary: ClassVar[str]

    folder: str | None = option(
        "--folder DIR", "a library of your own (default: the one of the package)"
    )


@dataclass(frozen=True, kw_only=True)
class _Choosing(Options):
    """What actions on records are asked.

    Attributes
    ----------
    needs_name
        Whether the action does not mean all records unless it says so.
    """

    needs_name: ClassVar[bool] = False

    names: Sequence[str] = option("NAME", "instances of the library, or all", nargs="*")
    problem: str | None = option("--problem P", "only those of this problem")
    family: str | None = option("--family F", "only those of this family")
    status: str | None = option(
        "--status S", "only those: certified, agreed, proved, open"
    )
    difficulty: str | None = option(
        "--difficulty D", "only those: toy, easy, medium, hard"
    )

    def chosen(self, library: Library) -> list[Record]:
        """Return the records that are asked for; all without a name."""
        wanted = library.filter(
            problem=self.problem,
            family=self.family,
            status=self.status,
            difficulty=self.difficulty,
        )
        if _ALL in self.names or not (self.names or self.needs_name):
            return wanted
        if not self.names:
            raise UnknownNameError(
                f"{self.action} needs the NAME of an instance, or all"
            )
        names = {record.name for record in wanted}
        return [library[name] for name in self.names if library[name].name in names]


@dataclass(frozen=True, kw_only=True)
class Listing(_Choosing):
    """What ``atleastk library list`` is asked."""

    action: ClassVar = "list"
    summary: ClassVar = "Show the records and what is known of them."

    json: bool = printed()


@dataclass(frozen=True, kw_only=True)
class Showing(_Choosing):
    """What ``atleastk library show`` is asked."""

    action: ClassVar = "show"
    summary: ClassVar = "Show all that is known of an instance."
    needs_name: ClassVar = True

    json: bool = printed()


@dataclass(frozen=True, kw_only=True)
class Solving(_Choosing, Running):
    """What ``atleastk library solve`` is asked."""

    action: ClassVar = "solve"
    summary: ClassVar = "Solve instances, and compare."
    needs_name: ClassVar = True

    solver: str | None = option(
        "--solver S", "a MILP solver of PuLP, such as SCIP_PY, on the mps model"
    )
    output: str | None = option("-o --output OUT", "write the results")

    def paths(self) -> Paths:
        return Paths((), [(self.output, JSON)])


@dataclass(frozen=True, kw_only=True)
class Checking(_Choosing):
    """What ``atleastk library check`` is asked."""

    action: ClassVar = "check"
    summary: ClassVar = "Re-check what is known, without any solver."


@dataclass(frozen=True, kw_only=True)
class Improving(_Choosing, Running):
    """What ``atleastk library improve`` is asked."""

    action: ClassVar = "improve"
    summary: ClassVar = (
        "Work on what is not certified, from what is known; write a submission."
    )

    output: str | None = option(
        "-o --output OUT", "write the submission: results (.jsonl)"
    )

    def paths(self) -> Paths:
        return Paths((), [(self.output, JSON)])


@dataclass(frozen=True, kw_only=True)
class Exporting(_Choosing):
    """What ``atleastk library export`` is asked."""

    action: ClassVar = "export"
    summary: ClassVar = "Write an instance as a model for other solvers."
    needs_name: ClassVar = True

    to: str = option(
        "--to", "the format (default: mps)", choices=FORMATS, default="mps"
    )
    at_most: int | None = option(
        "--at-most COST", "cnf: what it may cost (default: what is known)", integer
    )
    output: str | None = option("-o --output OUT", "write the model")

    def paths(self) -> Paths:
        return Paths((), [(self.output, _WRITTEN[self.to])])


@dataclass(frozen=True, kw_only=True)
class _Changing(Options):
    """What actions are asked that write the files of a folder."""

    files: Sequence[str] = option("FILE", "files that are read", nargs="*")

    def paths(self) -> Paths:
        return Paths([("a file that is read", path) for path in self.files], ())

    def own(self) -> Path:
        """Return the folder of the library that is changed."""
        if self.folder is None:
            raise UnknownNameError(
                f"{self.action} needs --folder, a library of your own"
            )
        return Path(self.folder)


@dataclass(frozen=True, kw_only=True)
class Submitting(_Changing):
    """What ``atleastk library submit`` is asked."""

    action: ClassVar = "submit"
    summary: ClassVar = "Take over results of files into a folder, once checked."

    take_claims: bool = option(
        "--take-claims", "take bounds without a certificate, too"
    )


@dataclass(frozen=True, kw_only=True)
class Adding(_Changing):
    """What ``atleastk library add`` is asked."""

    action: ClassVar = "add"
    summary: ClassVar = "Add the instances of files to a folder."

    family: str = option(
        "--family F", "what they are (default: added)", default="added"
    )
    licence: str = option(
        "--licence L", "under which others may use them (default: none)", default="none"
    )


ACTIONS: Final = {
    kind.action: kind
    for kind in (
        *(Listing, Showing, Solving, Checking),
        *(Improving, Submitting, Adding, Exporting),
    )
}
"""What can be done with a library, and what is asked then."""


def run(options: Options) -> Exit:
    """Do what is asked for with the library."""
    library = Library(None if options.folder is None else Path(options.folder))
    match options:
        case Listing():
            return _list(options.chosen(library), options.json)
        case Showing():
            return _show(options.chosen(library), options.json)
        case Checking():
            return _check(options.chosen(library))
        case Exporting():
            return _export(options.chosen(library), options)
        case Solving() if options.solver is not None:
            return _solve_by(options.solver, options.chosen(library), options)
        case Solving():
            return _solve(options.chosen(library), options)
        case Improving():
            records = options.chosen(library)
            return _solve([r for r in records if r.status != STATUSES[0]], options)
        case Submitting():
            return _submit(options, library)
    assert isinstance(options, Adding), options
    return _add(options, library)


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


def _solve(records: Sequence[Record], options: Solving | Improving) -> Exit:
    """Solve the instances; improving, begin with what is known of open ones.

    What is written is a submission.
    """
    improving = isinstance(options, Improving)
    if len(records) > 1 or improving:
        expect_lines(options.output, "results")
    code, abandoned, results = OK, False, list[Result]()
    for record in records:
        start = record.result if improving and record.witness is not None else None
        ask = replace(options.ask(), certify=improving, start=start)
        with options.watching(ask, record.name) as watched:
            outcome = solve_within(record.instance, watched)
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
                code = max(code, write_or_complain(options.output, results, 1))
        if outcome.signalled is not None:
            return Exit(128 + outcome.signalled, abandoned)
    return Exit(code, abandoned)


def _solve_by(solver: str, records: Sequence[Record], options: Solving) -> Exit:
    """Let another solver have the model, and compare."""
    code = OK
    for record in records:
        answer = solve_by(record.instance, solver, options.time_limit, options.workers)
        told = f"{answer.status}, cost {answer.cost}, bound {answer.bound}"
        print(f"{record.name}: {told}; the library has {_told(record)}", flush=True)
        code = max(code, OK if answer.status >= Status.INFEASIBLE else NO)
    return Exit(code)


def _export(records: Sequence[Record], options: Exporting) -> Exit:
    if len(records) != 1:
        raise UnknownNameError(f"export takes one instance, not {len(records)}")
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


def _submit(options: Submitting, library: Library) -> Exit:
    """Take over results, each for the instance of its fingerprint."""
    folder = options.own()
    changed: dict[str, Record] = {}
    code = OK
    for path in options.files:
        for place, document in files.documents(path, InvalidResultError):
            try:
                result = result_at(place, document)
                record = library.of(result.instance_sha256)
                if record is None:
                    raise InvalidResultError(
                        "the library has no instance of this fingerprint"
                    )
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


def _add(options: Adding, library: Library) -> Exit:
    """Add instances of which nothing is known yet; those that are there stay."""
    folder = options.own()
    make_folder(folder)
    added: dict[str, Record] = {}
    for path in options.files:
        for number, instance in enumerate(api.load_all(path), 1):
            name = named(instance.name or f"{plain_name(path)}-{number}")
            held = library.get(name)
            if held is not None and held.instance_sha256 == instance.sha256:
                continue
            if held is not None or name in added:
                raise UnknownNameError(
                    f"{path}: there is an instance called {name} already"
                )
            added[name] = Record.of(
                instance,
                name=name,
                family=options.family,
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
