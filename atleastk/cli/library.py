"""``atleastk library``: instances with proven optima, and those still open."""

from __future__ import annotations

import json
import sys
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.cli.console import NO, OK, Exit, complain
from atleastk.cli.exporting import Exporting
from atleastk.cli.options import option
from atleastk.cli.outputs import (
    JSON,
    code_of,
    expect_lines,
    print_result,
    result_at,
    write_or_complain,
)
from atleastk.cli.print_table import print_table
from atleastk.cli.shared_options import Action, Running, executed, printed
from atleastk.instances.fields.errors import (
    InvalidResultError,
    UnknownNameError,
    placed,
)
from atleastk.instances.files import files
from atleastk.instances.files.paths import plain_name
from atleastk.instances.files.writing import make_folder
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.collecting.effort import EFFORT_HEADS, effort_cells
from atleastk.research.collecting.exporting import solve_by
from atleastk.research.collecting.improving import improved, violation_of
from atleastk.research.collecting.library import Library, library
from atleastk.research.collecting.record import OPEN, STATUSES, Record, named
from atleastk.runs import api
from atleastk.runs.performing import performed
from atleastk.runs.pools import memory_of_task
from atleastk.runs.solving import Outcome, solve_within

_ALL: Final = "all"
"""Stands for the names of all records."""

_SHOWN: Final = ("name", "size", "status", "difficulty", "cost", "bound")
"""What a list shows of every record."""


@dataclass(frozen=True, kw_only=True)
class Options(Action):
    """The options of an action of ``atleastk library``, and what it does."""

    folder: str | None = option(
        "--folder DIR", "a library of your own (default: the one of the package)"
    )

    @abstractmethod
    def perform(self, library: Library) -> Exit:
        """Perform the action on a library."""


@dataclass(frozen=True, kw_only=True)
class _Choosing(Options):
    """The options of actions on records."""

    needs_name: ClassVar[bool] = False
    """Whether the action takes all records only if the name is ``all``."""

    names: Sequence[str] = option("NAME", "instances of the library, or all", nargs="*")
    problem: str | None = option("--problem P", "only those of this problem")
    family: str | None = option("--family F", "only those of this family")
    status: str | None = option(
        "--status S", "only those: certified, agreed, proved, open, tried, new"
    )
    difficulty: str | None = option(
        "--difficulty D", "only those: toy, small, medium, hard, unmeasured"
    )

    def chosen(self, library: Library) -> list[Record]:
        """Return the chosen records; all if no name is given."""
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
class _List(_Choosing):
    action: ClassVar = "list"
    summary: ClassVar = "Show the records and what is known of them."

    json: bool = printed()

    def perform(self, library: Library) -> Exit:
        records = self.chosen(library)
        rows = map(_row, records)
        if self.json:
            for row in rows:
                print(json.dumps(row))
            return Exit(OK)
        print_table(
            (*_SHOWN[:-2], "cost>", "bound>"),
            [[_text(row[name]) for name in _SHOWN] for row in rows],
        )
        print(f"{len(records)} instances: {_counted(records) or 'none'}")
        if not records and self.status == OPEN:
            print("open is what was tried long enough; for the others: --status tried")
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _Show(_Choosing):
    action: ClassVar = "show"
    summary: ClassVar = "Show all that is known of an instance."
    needs_name: ClassVar = True

    json: bool = printed()

    def perform(self, library: Library) -> Exit:
        for record in self.chosen(library):
            if self.json:
                print(json.dumps(record.to_dict()))
            else:
                _print_record(record)
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _Cite(_Choosing):
    action: ClassVar = "cite"
    summary: ClassVar = "Print how to cite what is known: a sentence, and BibTeX."
    needs_name: ClassVar = True

    def perform(self, library: Library) -> Exit:
        print("\n\n".join(record.citation for record in self.chosen(library)))
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _Check(_Choosing):
    action: ClassVar = "check"
    summary: ClassVar = "Re-check what is known, without any solver."

    def perform(self, library: Library) -> Exit:
        records, false = self.chosen(library), 0
        for record in records:
            if (wrong := violation_of(record)) is not None:
                false += 1
                print(f"{record.name}: {wrong}", flush=True)
        print(f"{len(records) - false} of {len(records)} hold: {_counted(records)}")
        return Exit(NO if false else OK)


@dataclass(frozen=True, kw_only=True)
class _Solve(_Choosing, Running):
    action: ClassVar = "solve"
    summary: ClassVar = "Solve instances, and compare."
    needs_name: ClassVar = True

    executor: str | None = executed()
    solver: str | None = option(
        "--solver S", "a MILP solver of PuLP, such as SCIP_PY, on the mps model"
    )
    output: str | None = option("-o --output OUT", "write the results", writes=JSON)

    def perform(self, library: Library) -> Exit:
        records = self.chosen(library)
        if self.solver is None:
            return _solve(records, self)
        code, limits = OK, (self.solver, self.time_limit, self.workers)
        calls = (partial(solve_by, record.instance, *limits) for record in records)
        for place, answer in performed(calls, self.executor):
            record = records[place]
            found = f"{answer.status}, cost {answer.cost}, bound {answer.bound}"
            known = f"the library has {_summary(record)}"
            print(f"{record.name}: {found}; {known}", flush=True)
            code = max(code, OK if answer.status >= Status.INFEASIBLE else NO)
        return Exit(code)


@dataclass(frozen=True, kw_only=True)
class _Improve(_Choosing, Running):
    action: ClassVar = "improve"
    summary: ClassVar = (
        "Work on what is not certified, from what is known; write a submission."
    )

    executor: str | None = executed()
    output: str | None = option(
        "-o --output OUT", "write the submission: results (.jsonl)", writes=JSON
    )

    def perform(self, library: Library) -> Exit:
        records = self.chosen(library)
        return _solve([r for r in records if r.status != STATUSES[0]], self)


@dataclass(frozen=True, kw_only=True)
class _Export(_Choosing, Exporting):
    action: ClassVar = "export"
    summary: ClassVar = "Write an instance as a model for other solvers."
    needs_name: ClassVar = True

    def perform(self, library: Library) -> Exit:
        records = self.chosen(library)
        if len(records) != 1:
            raise UnknownNameError(f"export takes one instance, not {len(records)}")
        (record,) = records
        known = None if record.known is None else record.known.cost
        with placed(record.name):
            self.write(record.instance, known)
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _Changing(Options):
    """The options of actions that write the files of a folder."""

    files: Sequence[str] = option(
        "FILE", "files that are read", reads="a file that is read", nargs="*"
    )

    def own(self) -> Path:
        if self.folder is None:
            raise UnknownNameError(
                f"{self.action} needs --folder, a library of your own"
            )
        return Path(self.folder)


@dataclass(frozen=True, kw_only=True)
class _Submit(_Changing):
    action: ClassVar = "submit"
    summary: ClassVar = "Take over results of files into a folder, once checked."

    take_claims: bool = option(
        "--take-claims", "take bounds without a certificate, too"
    )

    def perform(self, library: Library) -> Exit:
        folder = self.own()
        changed: dict[str, Record] = {}
        code = OK
        for path in self.files:
            for place, document in files.documents(path, InvalidResultError):
                try:
                    result = result_at(place, document)
                    record = library.of(result.instance_sha256)
                    if record is None:
                        raise InvalidResultError(
                            "the library has no instance of this fingerprint"
                        )
                    before, claims = changed.get(record.name, record), self.take_claims
                    after = improved(before, result, _today(), taking_claims=claims)
                except InvalidResultError as error:
                    complain(f"{place}: {error}")
                    code = NO
                    continue
                if after is not before:
                    changed[after.name] = after
                    print(f"{after.name}: {_summary(after)}")
                else:
                    print(f"{before.name}: no gain")
        library.with_all(list(changed.values()), folder)
        return Exit(code)


@dataclass(frozen=True, kw_only=True)
class _Add(_Changing):
    action: ClassVar = "add"
    summary: ClassVar = "Add the instances of files to a folder."

    family: str = option(
        "--family F", "what they are (default: added)", default="added"
    )
    licence: str = option(
        "--licence L", "under which others may use them (default: none)", default="none"
    )

    def perform(self, library: Library) -> Exit:
        folder = self.own()
        make_folder(folder)
        added: dict[str, Record] = {}
        for path in self.files:
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
                    family=self.family,
                    source=instance.source or f"the file {Path(path).name}",
                    licence=self.licence,
                )
        library.with_all(list(added.values()), folder)
        print(f"{len(added)} instances are new")
        return Exit(OK)


_KINDS: Final = (
    *(_List, _Show, _Cite, _Solve, _Check),
    *(_Improve, _Submit, _Add, _Export),
)

ACTIONS: Final = {kind.action: kind for kind in _KINDS}
"""The options of every action by its name."""


def run(options: Options) -> Exit:
    return options.perform(
        library if options.folder is None else Library(Path(options.folder))
    )


def _counted(records: Iterable[Record]) -> str:
    counts = Counter(record.status for record in records)
    return ", ".join(f"{counts[word]} {word}" for word in STATUSES if counts[word])


def _row(record: Record) -> Mapping[str, Any]:
    head = ("name", "problem", "family", "size", "status", "difficulty")
    return {
        **{name: getattr(record, name) for name in head},
        **{name: getattr(record.known, name, None) for name in ("cost", "bound")},
        "instance_sha256": record.instance_sha256,
    }


def _print_record(record: Record) -> None:
    print(f"{record.name}: {record.problem}, {record.size}")
    print(f"  status     {record.status}, {record.difficulty}")
    print(f"  source     {record.source} ({record.licence})")
    print(f"  sha256     {record.instance_sha256}")
    told = ("date", "status", "cost", "bound", "trust", "certificate")
    print_table(
        ("date", "status", "cost>", "bound>", "trust", "proof", "s>", "method"),
        [
            (*(_text(getattr(e, n)) for n in told), f"{e.seconds:.2f}", e.method)
            for e in record.history
        ],
    )
    if record.efforts:
        seconds = sum(effort.seconds for effort in record.efforts)
        print(f"  {len(record.efforts)} runs of {seconds:.0f} s in all")
        print_table(EFFORT_HEADS, list(map(effort_cells, record.efforts)))


def _solve(records: Sequence[Record], options: _Solve | _Improve) -> Exit:
    """Solve the instances; to improve, start from the best known solutions.

    The results are written as a submission.
    """
    improving = isinstance(options, _Improve)
    if len(records) > 1 or improving:
        expect_lines(options.output, "results")
    code, abandoned, results = OK, False, list[Result]()
    starts = [
        one.result if improving and one.witness is not None else None for one in records
    ]
    calls = (
        partial(_outcome, one.name, one.instance, options, start)
        for one, start in zip(records, starts, strict=True)
    )
    for place, outcome in performed(calls, options.executor):
        record = records[place]
        result, abandoned = outcome.result, abandoned | outcome.abandoned
        after = improved(record, result, _today(), taking_claims=True)
        if improving:
            gain = "no gain" if after is record else _summary(after)
            print(f"{record.name}: {gain}", flush=True)
        else:
            print_result(result, options.json, record.name)
            print(f"    the library has {_summary(record)}", file=sys.stderr)
            code = max(code, code_of(result))
        if after is not record or not improving:
            results.append(result)
            if options.output:
                code = max(code, write_or_complain(options.output, results, 1))
        if outcome.signalled is not None:
            return Exit(128 + outcome.signalled, abandoned)
    return Exit(code, abandoned)


def _outcome(
    name: str, instance: Instance, options: _Solve | _Improve, start: Result | None
) -> Outcome:
    """Solve an instance, here or by one of several workers, who have a share each."""
    certify = isinstance(options, _Improve)
    if options.executor is None:
        ask = options.ask(certify=certify, start=start)
        with options.watching(ask, name) as watched:
            return solve_within(instance, watched)
    memory = options.memory_limit or memory_of_task() / 1e9
    mine = replace(options, workers=options.workers or 1, memory_limit=memory)
    return solve_within(instance, mine.ask(certify=certify, start=start))


def _summary(record: Record) -> str:
    known = record.known
    if known is None:
        return "nothing of it"
    if known.status is Status.INFEASIBLE:
        return f"{record.status}, it is infeasible"
    return f"{record.status}, cost {_text(known.cost)}, bound {_text(known.bound)}"


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
