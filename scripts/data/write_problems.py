"""Write the parts of the problems' pages that are data: ``docs/<problem>.md``.

    python -m scripts.data.write_problems [--check]

They stand between a comment ``<!-- methods -->`` and ``<!-- end -->``: the exact
methods; the algorithms, with promises and the best lower bound known on the ratio; and
what the papers print otherwise than the algorithms have it, from the sections *As
printed* of their docstrings. With ``--check`` nothing is written, and it ends with code
1 if a page is not the same.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.problem import Problem
from scripts.data import write_lower_bounds
from scripts.data.pages import write_texts
from scripts.site.contents import DOCS

HEADS: Final = (
    "How hard it is",
    "Formulations",
    "Exact methods",
    "Algorithms",
    "As printed",
    "How far it gets",
    "Limits",
)
"""The parts of a page, in their order, below the definition and a picture."""
_PART: Final = re.compile(r"(<!-- (?!end)(\w+) -->\n\n).*?(?=<!-- end -->)", re.DOTALL)
_PRINTED: Final = re.compile(
    r"^As printed\n-+\n(.*?)\n(?=\S[^\n]*\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE
)
_MEANINGS: Final = {
    "tight": "*Tight*: costs come as near to the promise as you like.",
    "once": "*Once*: a single instance; no family is known.",
}
_ROLE: Final = re.compile(r":\w+:`~?(?:[\w.]+\.)?(\w+)`")
_NAMED: Final = re.compile(r":mod:`~?(atleastk\.solvers\.[\w.]+)`")


def main(arguments: Sequence[str] | None = None) -> None:
    pages = {DOCS / f"{p.name}.md": p for p in PROBLEMS.values()}
    held = {page: page.read_text(encoding="utf-8") for page in pages if page.exists()}
    made = {page: filled(pages[page], text) for page, text in held.items()}
    write_texts(made, __doc__, arguments)


def filled(problem: Problem[Any], text: str) -> str:
    """Return a page with the parts between comments made anew."""

    def part(found: re.Match[str]) -> str:
        return found[1] + "\n".join(PARTS[found[2]](problem)) + "\n\n"

    return _PART.sub(part, text)


def _methods(problem: Problem[Any]) -> Iterator[str]:
    columns = (f"exact method of `{problem.name}`", "family", "how")
    rows = ((f"`{m.name}`", m.family, m.summary) for m in problem.methods)
    yield from markdown_table(columns, rows)


def _algorithms(problem: Problem[Any]) -> Iterator[str]:
    columns = (
        *(f"algorithm of `{problem.name}`", "how", "promise", "proved in"),
        "[worst ratio at least](benchmarks/lower_bounds.md)>",
    )
    rows = [
        (f"`{a.name}`", a.summary, a.promise, a.theorem, known)
        for a in problem.algorithms
        for known in [ratios().get((problem.name, a.name), "")]
    ]
    yield from markdown_table(columns, rows)
    told = [
        meaning
        for word, meaning in _MEANINGS.items()
        if any(word in known for *_, known in rows)
    ]
    if told:
        yield from ["", " ".join(told)]


@cache
def ratios() -> Mapping[tuple[str, str], str]:
    """Return by problem and algorithm the greatest ratio that is known to occur."""
    page = write_lower_bounds.PAGE.read_text(encoding="utf-8")
    found = {}
    for part in page.split("\n## ")[1:]:
        problem = part.partition("\n")[0]
        for name, row in re.findall(r"^\| `(\S+)` \|(.*)\|$", part, re.MULTILINE):
            *_, limit, gap, single, _ = (cell.strip() for cell in row.split("|"))
            short = (limit or single).rstrip("0").removesuffix(".")
            tight = gap == write_lower_bounds.TIGHT
            word = ", tight" if tight else ", once" if not limit else ""
            found[problem, name] = f"{short}{word}" if short else ""
    return found


def _printed(problem: Problem[Any]) -> Iterator[str]:
    told = [
        f"**{_plain(_title(text))}**\n\n{_plain(section.strip())}"
        for module in _modules(problem)
        for text in [inspect.cleandoc(module.__doc__ or "")]
        for section in _PRINTED.findall(f"{text}\n")
    ]
    yield "\n\n".join(told) or "Nothing that is here is printed otherwise in a paper."


def _title(text: str) -> str:
    return text.partition("\n")[0].removesuffix(".")


def _modules(problem: Problem[Any]) -> list[ModuleType]:
    """Return the modules of a problem's algorithms, and those that they name."""
    home = f"atleastk.solvers.{problem.name.replace('-', '_')}.algorithms"
    package = import_module(home)
    found = [import_module(f"{home}.{m.name}") for m in iter_modules(package.__path__)]
    named = {name for m in found for name in _NAMED.findall(m.__doc__ or "")}
    others = sorted(name for name in named if ".algorithms" not in name)
    return [*found, *map(import_module, others)]


def _plain(text: str) -> str:
    """Return a text of docstrings as Markdown."""
    return _ROLE.sub(r"`\1`", text).replace("``", "`").replace("*_", r"\*_")


PARTS: Final[Mapping[str, Callable[[Problem[Any]], Iterator[str]]]] = {
    "methods": _methods,
    "algorithms": _algorithms,
    "printed": _printed,
}


if __name__ == "__main__":
    main()
