"""``atleastk problems``: the problems, or the methods and algorithms of one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.cli.print_table import print_table
from atleastk.instances.fields.errors import UnknownNameError
from atleastk.runs import registry
from atleastk.solvers.problem import Problem


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    light: ClassVar = True
    epilog: ClassVar = "Example: atleastk problems k-anonymity"

    name: str | None = option(
        "NAME", "show the methods, algorithms and families of this problem", nargs="?"
    )
    schema: bool = option("--schema", "print the JSON Schema of its instances")


def run(options: Options) -> Exit:
    if options.name is None:
        if options.schema:
            raise UnknownNameError("problems --schema needs the name of a problem")
        known = ((one.name, one.question) for one in registry.PROBLEMS.values())
        print_table(("problem", "question"), known)
        print("atleastk problems NAME: methods, algorithms and families of one")
        return Exit(OK)
    problem = registry.problem_named(options.name)
    if options.schema:
        print(json.dumps(problem.instance.json_schema(), indent=2))
    else:
        _print_problem(problem)
    return Exit(OK)


def _print_problem(problem: Problem[Any]) -> None:
    from atleastk.runs import api  # heavy, for one problem

    print(f"{problem.name}: {problem.question}\n")
    print_table(
        ("exact method", "family", "summary"),
        ((m.name, m.family, m.summary) for m in problem.methods),
    )
    print_table(
        ("algorithm", "promise", "theorem", "summary"),
        (
            (a.name, a.promise, a.theorem, a.summary)
            for a in api.algorithms(problem.name)
        ),
    )
    print_table(
        ("family", "parameters", "summary"),
        (
            (f.name, " ".join(f"{n}={d}" for n, d in f.parameters.items()), f.summary)
            for f in problem.families
        ),
    )
    if problem.name == "suppression":
        _print_names()


def _print_names() -> None:
    """Show the names of the suppression family, a row for each decision problem."""
    from atleastk.instances.suppression_names import (
        DECISIONS,
        MAXIMISATIONS,
        MINIMISATIONS,
    )

    print_table(
        ("variant", "limits", "minimised", "k maximised"),
        (
            (
                name,
                ", ".join(decision.limits),
                " ".join(n for n, v in MINIMISATIONS.items() if v.decision == decision),
                " ".join(
                    n
                    for n, v in MAXIMISATIONS.items()
                    if (v.limits, v.type) == (decision.limits, decision.type)
                ),
            )
            for name, decision in DECISIONS.items()
        ),
        title=(
            f"{len(DECISIONS)} decision problems, {len(MINIMISATIONS)} minimisations, "
            f"{len(MAXIMISATIONS)} maximisations of k; names for the field variant"
        ),
    )
