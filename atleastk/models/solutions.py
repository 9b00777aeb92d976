"""The kinds of solutions: what results are read into, as the file of a problem says."""

from __future__ import annotations

import re
from importlib import import_module
from types import ModuleType

from atleastk.models.results.solution import Solution


def solution_kind(problem: str) -> type[Solution]:
    """Return what holds the solutions of a problem: groups, or its own `SOLUTION`."""
    found: type[Solution] = getattr(problem_module(problem), "SOLUTION", Solution)
    return found


def problem_module(problem: str) -> ModuleType | None:
    """Return the file of a problem on this floor; None if no problem has this name."""
    if not re.fullmatch("[a-z-]+", problem):
        return None
    place = f"atleastk.models.{problem.replace('-', '_')}"
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        if error.name != place:
            raise
        return None
