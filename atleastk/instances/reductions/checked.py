"""Results of checking the reductions: instances checked, and counter-examples.

`checked.json` holds what scripts/reductions/check_sources.py and
scripts/reductions/check_reduction_web.py found, one row for each reading of a
reduction.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from atleastk.instances.reductions.reduction import Reduction

FILE: Final = "checked.json"
COLUMNS: Final = ("source", "target", "kind", "repaired", "instances", "refuting")
"""Of the rows in the file."""

Key = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of the checks of one reading of a reduction."""

    instances: int  # on how many it was checked; 0 if it is not well-defined
    refuting: int  # on how many of them it does not hold


@cache
def _checks() -> Mapping[Key, Check]:
    text = (files("atleastk.instances.reductions") / FILE).read_text("utf-8")
    rows = json.loads(text)["rows"]
    return {(a, b, kind, repaired): Check(*n) for a, b, kind, repaired, *n in rows}


def check_of(reduction: Reduction, repaired: bool | None = None) -> Check | None:
    """Return the outcome for a reduction, or for its repaired or printed reading."""
    if repaired is None:
        repaired = reduction.repaired
    return _checks().get((reduction.source, reduction.target, reduction.kind, repaired))


def state_of(reduction: Reduction) -> str:
    """Say whether a reduction holds, as printed or repaired, and on how many."""
    check = check_of(reduction)
    if check is None:
        return "ours" if reduction.ours else "as printed"
    if check.refuting:
        return f"refuted as printed: wrong on {_share(check)}"
    if not reduction.repaired:
        return f"holds as printed: checked on {check.instances:,}"
    printed = check_of(reduction, repaired=False)
    if printed is None:
        before = "; ours"
    elif printed.instances:
        before = f"; as printed wrong on {_share(printed)}"
    else:
        before = "; not well-defined as printed"
    return f"repaired: checked on {check.instances:,}{before}"


def _share(check: Check) -> str:
    return f"{check.refuting:,} of {check.instances:,}"
