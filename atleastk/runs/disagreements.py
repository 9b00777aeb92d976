"""Disagreements: the record of two methods that contradict each other.

One of them is wrong, and mending it needs the instance. The instance is shrunk as long
as the two still contradict each other, and stored in a folder with both answers, each
with its method, seed and versions, and with the commands that repeat them.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.instances.shrinking import shrunk
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.solvers.clock import CLOCK

FOLDER: Final = Path("atleastk-disagreements")
"""Where they are stored, below the working directory."""

_SECONDS: Final = 20.0
"""Seconds that shrinking an instance may take; 400 trials of tiny ones take 5."""

Answers = Mapping[str, Result]
"""The answers of methods, by their names."""


def contradictory(one: Result, other: Result) -> bool:
    """Tell whether two results cannot both be right."""
    return _exceeds(one, other) or _exceeds(other, one)


def _exceeds(one: Result, other: Result) -> bool:
    """Tell whether the bound of one excludes the solution of the other."""
    if other.cost is None:
        return False
    infeasible = one.status is Status.INFEASIBLE
    return infeasible or (one.bound is not None and one.bound > other.cost)


def store(
    instance: Instance, answers: Answers, solve: Callable[[Instance, str], Result]
) -> str:
    """Store a disagreement; return a sentence on where it is, or why it is not.

    `solve` solves another instance by a method within a short time.
    """
    smaller, answers = _shrunk(instance, answers, solve)
    folder = FOLDER / f"{instance.problem}-{smaller.sha256[:8]}"
    commands = [
        shlex.join(["atleastk", "solve", "instance.json", "--method", name])
        for name in answers
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.write(folder / "instance.json", smaller.to_dict())
        files.write(folder / "original.json", instance.to_dict())
        for name, result in answers.items():
            files.write(folder / f"{name}.json", result.to_dict())
        files.write_text(folder / "commands.txt", "\n".join(commands) + "\n")
    except (AtleastkError, OSError) as failure:
        return f"it could not be stored: {failure}"
    return f"instance and answers are in {folder}"


def _shrunk(
    instance: Instance, answers: Answers, solve: Callable[[Instance, str], Result]
) -> tuple[Instance, Answers]:
    """Return a smaller instance with contradictory answers, and these answers."""
    end, found = CLOCK.now() + _SECONDS, [(instance, answers)]

    def differ(document: Mapping[str, Any]) -> bool:
        if CLOCK.now() > end:
            return False
        try:
            smaller = type(instance).from_dict(document)
            given = {name: solve(smaller, name) for name in answers}
        except Exception:  # refused, or another mistake than the one to be shown
            return False
        if not contradictory(*given.values()):
            return False
        found.append((smaller, given))
        return True

    shrunk(json.loads(json.dumps(instance.to_dict())), differ)
    return found[-1]
