"""The class of solutions of every problem: `SOLUTION` of its model."""

from __future__ import annotations

import re
from importlib import import_module
from types import ModuleType

from atleastk.models.results.solution import Solution


def solution_kind(problem: str) -> type[Solution]:
    """Return the class of solutions of a problem: its `SOLUTION`, by default groups."""
    found: type[Solution] = getattr(problem_module(problem), "SOLUTION", Solution)
    return found


def problem_module(problem: str) -> ModuleType | None:
    """Return the model of a problem; None if no problem has this name."""
    if not re.fullmatch("[a-z-]+", problem):
        return None
    place = f"atleastk.models.{problem.replace('-', '_')}"
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        if error.name != place:
            raise
        return None
