"""``atleastk models``: formulations by name, for other solvers, and back."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

from atleastk.cli.console import OK, Exit
from atleastk.cli.exporting import Exporting
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, print_result, write_or_complain
from atleastk.cli.print_table import print_table
from atleastk.cli.shared_options import Action, printed
from atleastk.instances.fields.errors import placed
from atleastk.instances.files.files import read_text
from atleastk.research.formulating import formulation_named, formulations_of
from atleastk.research.reading_back import read_back
from atleastk.runs import api
from atleastk.runs.registry import PROBLEMS, problem_named


@dataclass(frozen=True, kw_only=True)
class Options(Action):
    """The options of an action of ``atleastk models``, and what it does."""

    @abstractmethod
    def perform(self) -> Exit:
        """Perform the action."""


@dataclass(frozen=True, kw_only=True)
class _List(Options):
    action: ClassVar = "list"
    summary: ClassVar = "List the formulations of a problem, or of all."

    problem: str | None = option("PROBLEM", "a problem (default: all)", nargs="?")

    def perform(self) -> Exit:
        chosen = [problem_named(self.problem)] if self.problem else PROBLEMS.values()
        print_table(
            ("problem", "formulation", "what it is"),
            [
                (problem.name, formulation.name, formulation.summary)
                for problem in chosen
                for formulation in formulations_of(problem)
            ],
        )
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _Show(Options):
    action: ClassVar = "show"
    summary: ClassVar = "Show the variables and the rows of a formulation, as formulas."

    problem: str = option("PROBLEM", "its problem")
    formulation: str = option("NAME", "its name")

    def perform(self) -> Exit:
        problem = problem_named(self.problem)
        print(formulation_named(problem, self.formulation).mathematics)
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _Export(Options, Exporting):
    action: ClassVar = "export"
    summary: ClassVar = "Write an instance as a model for other solvers."

    instance: str = option("INSTANCE", "the instance", reads="the instance")

    def perform(self) -> Exit:
        instance = api.load(self.instance)
        with placed(self.instance):
            self.write(instance)
        return Exit(OK)


@dataclass(frozen=True, kw_only=True)
class _ReadBack(Options):
    action: ClassVar = "read-back"
    summary: ClassVar = "Check what another solver found of an exported model."

    instance: str = option("INSTANCE", "the instance", reads="the instance")
    solution: str = option(
        "SOLUTION", "what the solver wrote: names and values, or lines v", reads="it"
    )
    formulation: str | None = option(
        "--formulation NAME", "that of the model (default: the usual one)"
    )
    json: bool = printed()
    output: str | None = option("-o --output OUT", "write the result", writes=JSON)

    def perform(self) -> Exit:
        instance = api.load(self.instance)
        text = read_text(self.solution)
        with placed(self.solution):
            result = read_back(instance, text, self.formulation)
        code = OK
        if self.output:
            code = write_or_complain(self.output, [result], 1)
        print_result(result, self.json)
        return Exit(code)


ACTIONS: Final = {kind.action: kind for kind in (_List, _Show, _Export, _ReadBack)}
"""The options of every action by its name."""


def run(options: Options) -> Exit:
    return options.perform()
