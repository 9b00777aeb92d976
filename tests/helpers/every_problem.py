"""A few instances of every problem and variant, for what has to hold of all of them.

They stand in ``examples/<problem>.py``: `INSTANCES`, a few of every variant, the first
feasible and the last not, if there are any without a solution; `EMPTY`, those without
items.
"""

import tomllib
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from atleastk.instances.instance import Instance
from atleastk.runs.registry import NAMES


def _examples(what: str) -> Mapping[str, Sequence[Instance]]:
    """Return a list of every problem's examples, by problem."""
    files = {name: name.replace("-", "_") for name in NAMES}
    return {
        name: getattr(import_module(f"examples.{file}"), what)
        for name, file in files.items()
    }


INSTANCES = _examples("INSTANCES")
EMPTY = _examples("EMPTY")

WALKS = Path(__file__).parents[1] / "walks.toml"
COMMITTED = tomllib.loads(WALKS.read_text(encoding="utf-8"))
"""How far runs travel, and how many lines there are."""

SETTLED = tuple(name for name in NAMES if f"solve {name}" in COMMITTED["walks"])
"""The problems that are in docs, library, sweeps and studies, too: all but new ones."""

NEW = {*NAMES} - {*SETTLED}
