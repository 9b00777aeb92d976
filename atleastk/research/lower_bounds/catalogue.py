"""The families that prove lower bounds on ratios, one list for all problems."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from importlib.resources import files
from typing import Any, Final

from atleastk.research.lower_bounds.lower_bound import LowerBound

_FIELDS: Final = frozenset(each.name for each in fields(LowerBound))


def _listed(catalogue: Mapping[str, Any]) -> Iterator[LowerBound]:
    """Yield the families of a file: the field that is left names what grows."""
    for problem, entries in catalogue.items():
        for entry in entries:
            entry["algorithms"] = tuple(entry["algorithms"])
            entry["reason"] = " ".join(entry["reason"].split())
            (parameter,) = entry.keys() - _FIELDS
            values = tuple(range(*entry.pop(parameter)))
            yield LowerBound(problem, parameter=parameter, values=values, **entry)


LOWER_BOUNDS: Final[Sequence[LowerBound]] = tuple(
    _listed(tomllib.loads((files(__package__) / "catalogue.toml").read_text("utf-8")))
)
"""All families, problem by problem; what grows has a first value, an end and a step."""
