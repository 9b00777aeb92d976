"""Write what an algorithm may ask of an instance, as the classes say it.

    python -m scripts.data.write_instances [--check]

The page is ``docs/instances.md``. With ``--check`` it writes nothing, and ends with
code 1 if the page is not the same.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from inspect import cleandoc, signature
from pathlib import Path
from types import FunctionType
from typing import Any

import atleastk
from atleastk.instances.fields.shaped import Shaped
from atleastk.instances.fields.windows import Windowed
from atleastk.instances.instance import Instance
from atleastk.research.tables.markdown import markdown_table
from scripts.data.pages import write_below

PAGE = Path(__file__).parents[2] / "docs/instances.md"
MARK = "<!-- what follows is written from the classes -->\n"
AS_IN = re.compile(r"As in ([\w-]+)\.")


def main(arguments: Sequence[str] | None = None) -> None:
    write_below(PAGE, MARK, lines(), __doc__, arguments)


def lines() -> Iterator[str]:
    kinds = {problem.name: problem.instance for problem in atleastk.problems()}
    asked = {name: members(kind, kinds) for name, kind in kinds.items()}
    every = members(Instance, kinds)
    yield from ("", "## All instances", "")
    yield from markdown_table(("ask for", "what it is"), rows_of({"": every}))
    yield from ("", "## Some instances", "")
    own = {
        name: {word: text for word, text in of.items() if word not in every}
        for name, of in asked.items()
    }
    yield from markdown_table(("ask for", "what it is", "problems"), rows_of(own))


def rows_of(asked: Mapping[str, Mapping[str, str]]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table: what is said alike of the same problems is one."""
    places: dict[tuple[str, str], list[str]] = {}
    for problem, of in asked.items():
        for word, text in of.items():
            places.setdefault((word, text), []).append(problem)
    words: dict[tuple[str, str], list[str]] = {}
    for (word, text), problems in places.items():
        where = ", ".join(f"`{name}`" for name in problems if name)
        words.setdefault((text, where), []).append(f"`{word}`")
    spread: dict[str, int] = {}
    for (word, _), problems in places.items():
        spread[f"`{word}`"] = spread.get(f"`{word}`", 0) + len(problems)
    for (text, where), named in sorted(
        words.items(), key=lambda row: (-spread[row[1][0]], row[1][0], row[0][1])
    ):
        plain = text.replace("``", "`")
        yield [", ".join(named), plain, *([where] if where else [])]


def members(kind: type[Any], kinds: Mapping[str, type[Any]]) -> dict[str, str]:
    """Return the public attributes and methods of a class, and what they are."""
    found: dict[str, str] = {}
    for owner in kind.__mro__:
        if owner is not Windowed and not issubclass(owner, Instance):
            continue
        for names, text in described(owner):
            told = AS_IN.match(text)
            elsewhere = members(kinds[told[1]], kinds) if told else {}
            for name in names:
                found.setdefault(name, elsewhere.get(name, text))
        for name, value in vars(owner).items():
            if isinstance(value, property | cached_property):
                words = name
            elif inspect.isfunction(value) and not gives_nothing(value):
                words = f"{name}({', '.join([*signature(value).parameters][1:])})"
            else:
                continue
            if not name.startswith("_") and name not in vars(Shaped):
                text = cleandoc(value.__doc__ or "").partition("\n\n")[0]
                found[words] = found.get(words) or " ".join(text.split())
    return found


def gives_nothing(function: FunctionType) -> bool:
    return function.__annotations__.get("return") == "None"


def described(owner: type[Any]) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the names of the section Attributes of a class, and what it says."""
    _, _, section = cleandoc(owner.__doc__ or "").partition("Attributes\n----------\n")
    for names, text in re.findall(r"^(\w.*)\n((?:    .*\n?)+)", section, re.MULTILINE):
        yield names.split(", "), " ".join(text.split())


if __name__ == "__main__":
    main()
