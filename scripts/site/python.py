"""The pages of the public names, which Sphinx fills from their docstrings."""

import inspect
from collections.abc import Mapping
from typing import Final

from atleastk import public

PAGES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "python-errors": ("Errors", ("instances.fields.errors",)),
    "python-tables": ("Tables, clusters, teams and maps", ("doors", "models.tables")),
    "python-instances": ("Instances", ("instances",)),
    "python-results": ("Results", ("models",)),
    "python-runs": ("Solve, check and prove", ("runs",)),
    "python-research": ("Studies and the library", ("research",)),
}
"""The pages: title, and whose names: the first page that names a folder has it."""


def pages() -> dict[str, str]:
    """Return the text of every page."""
    names: dict[str, list[str]] = {page: [] for page in PAGES}
    for name in sorted(set(vars(public)["__all__"]) - {"__version__"}):
        names[page_of(name)].append(name)
    return {
        page: _headed(title, [_directive(name) for name in names[page]])
        for page, (title, _) in PAGES.items()
    }


def page_of(name: str) -> str:
    """Return the page of a public name: that of the folder where it is made."""
    home = getattr(public, name).__module__.removeprefix("atleastk.")
    return next(
        page
        for page, (_, folders) in PAGES.items()
        if any(f"{home}.".startswith(f"{folder}.") for folder in folders)
    )


def _headed(title: str, parts: list[str]) -> str:
    return "\n\n".join([f"{title}\n{'=' * len(title)}", *parts, ""])


def _directive(name: str) -> str:
    thing = getattr(public, name)
    if inspect.isclass(thing):
        return f".. autoclass:: atleastk.{name}\n   :members:"
    if not inspect.isroutine(thing):  # an object, such as the library
        kind = type(thing)
        return f".. autoclass:: {kind.__module__}.{kind.__name__}\n   :members:"
    return f".. autofunction:: atleastk.{name}"
