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
    chosen: dict[str, Any] = {}
    for pair in (*options.set, *_pairs(options.extra)):
        name, _, text = pair.partition("=")
        chosen[name] = _value(f"{family.name} {name}", text, family.default(name))
    instance = api.generate(options.problem, options.family, options.seed, **chosen)
    write_or_print(options.output, instance.to_dict())
    return Exit(OK)


def _pairs(extra: Sequence[str]) -> Iterator[str]:
    """Turn ``--n 30 --k=7`` into ``n=30``, ``k=7``."""
    words = iter(extra)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not name:
            raise UnknownNameError(
                f'unexpected argument "{word}"; parameters are --NAME VALUE'
            )
        if not equals:
            value = next(words, "")
        yield f"{name.replace('-', '_')}={value}"


def _value(place: str, text: str, default: int | str | None) -> int | str:
    if isinstance(default, str):
        return text
    try:
        return int(text)
    except ValueError as error:
        if default is None and text:
            return text
        raise InvalidInstanceError(
            f'{place}: expected an integer, got "{text}"'
        ) from error
