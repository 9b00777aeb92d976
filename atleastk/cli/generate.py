"""``atleastk generate``: an instance of a family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, write_or_print
from atleastk.cli.shared_options import seeded
from atleastk.instances.family import Family
from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError
from atleastk.runs import api
from atleastk.runs.registry import family_named, problem_named


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    epilog: ClassVar = "Parameters of the family follow as --NAME VALUE."
    takes_extra: ClassVar = True

    problem: str = option("PROBLEM", "a name that atleastk problems lists")
    family: str = option("FAMILY", "a family that atleastk problems PROBLEM lists")
    seed: int = seeded()
    set: Sequence[str] = option(
        "--set NAME=VALUE",
        "a parameter of the family; needed if this command has an option of its name",
        action="append",
        default=[],
    )
    output: str | None = option("-o --output OUT", "write the instance", writes=JSON)
    extra: Sequence[str]


def run(options: Options) -> Exit:
    family = family_named(problem_named(options.problem), options.family)
    words = given_parameters(options.set, options.extra)
    chosen = {name: parameter_of(family, name, text) for name, text in words}
    instance = api.generate(options.problem, options.family, options.seed, **chosen)
    write_or_print(options.output, instance.to_dict())
    return Exit(OK)


def given_parameters(
    pairs: Sequence[str], extra: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield names and texts of ``n=30`` and of ``--n 30 --k=7``."""
    for pair in pairs:
        name, _, text = pair.partition("=")
        yield name, text
    words = iter(extra)
    for word in words:
        name, equals, text = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not name:
            raise UnknownNameError(
                f'unexpected argument "{word}"; parameters are --NAME VALUE'
            )
        yield name.replace("-", "_"), text if equals else next(words, "")


def parameter_of(family: Family[Any], name: str, text: str) -> int | str:
    """Return the value of a parameter of a family, of the type that it has."""
    default = family.default(name)
    if isinstance(default, str):
        return text
    try:
        return int(text)
    except ValueError as error:
        if default is None and text:
            return text
        raise InvalidInstanceError(
            f'{family.name} {name}: expected an integer, got "{text}"'
        ) from error
