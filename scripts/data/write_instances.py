"""Write what an algorithm may ask of an instance, as the classes say it, with examples.

    python -m scripts.data.write_instances [--check]

The page is ``docs/instances.md``. With ``--check`` it writes nothing, and ends with
code 1 if the page is not the same.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from inspect import cleandoc, signature
from pathlib import Path
from typing import Any

import numpy as np

import atleastk
from atleastk.instances.fields.shaped import Shaped
from atleastk.instances.fields.windows import Windowed
from atleastk.instances.generalization import Levelled
from atleastk.instances.instance import Instance
from atleastk.research.tables.markdown import markdown_table
from scripts.data.pages import write_below

PAGE = Path(__file__).parents[2] / "docs/instances.md"
MARK = "<!-- what follows is written from the classes -->\n"
POINTS = {"points": [[0, 0], [3, 4], [6, 8]], "r": 1, "max_clusters": 2}
TABLE = {"table": [["a", "x"], ["b", "x"], ["b", "y"]], "k": 2}
HIERARCHIES = [[["a", "*"], ["b", "*"]], [["x", "*"], ["y", "*"]]]
EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "bin-covering": {"sizes": [4, 3, 2], "k": 4},
    "interval-covering": {"sizes": [4, 3, 2], "k": 4},
    "k-anonymity": TABLE,
    "suppression": {**TABLE, "minimise": "rows", "limits": {"columns": 1}},
    "generalization": {**TABLE, "hierarchies": HIERARCHIES},
    "diversity": {
        **TABLE,
        "hierarchies": HIERARCHIES,
        "sensitive": [["p"], ["q"], ["p"]],
        "l": 2,
    },
    "k-ambiguity": TABLE,
    "r-gather": {**POINTS, "max_outliers": 1},
    "cellular-clustering": {**POINTS, "facility_costs": [5, 0, 0]},
    "connected-partition": {"weights": [5, 1, 4], "edges": [[0, 1], [1, 2]], "k": 5},
    "rectangle-tiling": {"points": [[0, 1, 3], [2, 5, 4]], "k": 3},
    "rectangle-tiling-grid": {"grid": [[1, 2, 3], [4, 0, 1]], "p": 2},
    "pair-partition": {"points": [[0, 0], [3, 4], [6, 8]], "k": 2},
}
"""An instance of every problem, on which all that may be asked for is tried."""
ARGUMENTS: Mapping[str, Sequence[Any]] = {
    "distance": (0, 1),
    "cost_of": ([0, 1],),
    "pairs_cost": ([0, 1],),
    "radius": (4,),
    "reach": (2,),
    "reached": (3,),
}
"""What methods are called with there."""
MOST = 48
"""Characters of an example; of longer ones the beginning is shown."""
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
    heads = ("ask for", "what it is", "example", "problems")
    yield from markdown_table(heads, rows_of(own))
    yield from ("", "## The instances of the examples", "", "```json")
    yield from (json.dumps(instance.to_dict()) for instance in examples().values())
    yield "```"


@cache
def examples() -> Mapping[str, Any]:
    """Return the instance of every problem."""
    return {
        name: atleastk.from_dict({"problem": name, **fields})
        for name, fields in EXAMPLES.items()
    }


def shown(problem: str, word: str) -> str:
    """Return what the instance of a problem answers."""
    name = word.partition("(")[0]
    value = getattr(examples()[problem], name)
    text = repr(plain(value(*ARGUMENTS[name]) if "(" in word else value))
    return f"`{text if len(text) <= MOST else f'{text[:MOST]} ...'}`"


def plain(value: Any) -> Any:
    """Return arrays as lists, and of records of the package their kind."""
    if isinstance(value, Levelled):
        value = value.of()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if type(value) is tuple:
        return tuple(map(plain, value))
    if isinstance(value, Mapping):
        return dict(value)
    known = value is None or isinstance(value, int | str | float | list | range)
    return value if known else Bare(type(value).__name__)


class Bare(str):
    """A text that is shown without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


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
        told = text.replace("``", "`")
        if not where:
            yield [", ".join(named), told]
            continue
        problem = where.strip("`").partition("`")[0]
        asked_for = (shown(problem, word.strip("`")) for word in named)
        yield [", ".join(named), told, ", ".join(asked_for), where]


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
            elif inspect.isfunction(value) and (
                value.__annotations__.get("return") != "None"
            ):
                words = f"{name}({', '.join([*signature(value).parameters][1:])})"
            else:
                continue
            if not name.startswith("_") and name not in vars(Shaped):
                text = cleandoc(value.__doc__ or "").partition("\n\n")[0]
                found[words] = found.get(words) or " ".join(text.split())
    return found


def described(owner: type[Any]) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the names of the section Attributes of a class, and what it says."""
    _, _, section = cleandoc(owner.__doc__ or "").partition("Attributes\n----------\n")
    for names, text in re.findall(r"^(\w.*)\n((?:    .*\n?)+)", section, re.MULTILINE):
        yield names.split(", "), " ".join(text.split())


if __name__ == "__main__":
    main()
