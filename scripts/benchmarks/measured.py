"""Measured: instances that the automatic choice of methods solves, kept as studies.

What the scripts that time it share. A study is a file, which goes on where an
interrupted script was; move it away to begin anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from atleastk.instances.instance import Instance
from atleastk.research.studies.conduct import conduct
from atleastk.research.studies.results import Row
from atleastk.research.studies.runs_table import software_line
from atleastk.research.studies.spec import RunLimits, Study
from atleastk.runs.versions import versions_installed

OUT = Path(__file__).parents[2] / "docs/benchmarks"


@dataclass(frozen=True, slots=True)
class Measured:
    """An instance and the run on it."""

    instance: Instance
    row: Row

    @property
    def name(self) -> str:
        """The name of the instance."""
        return self.instance.name or ""

    @property
    def first(self) -> float | None:
        """The seconds until the first answer."""
        events = json.loads(self.row["result"] or "{}").get("events", ())
        return next((seconds for seconds, cost, _ in events if cost is not None), None)


def measured(
    instances: Sequence[Instance], path: Path, time_limit: float, workers: int
) -> list[Measured]:
    """Solve instances of a problem, one after the other, as far as no file has them."""
    if not instances:
        return []
    path.parent.mkdir(parents=True, exist_ok=True)
    study = Study(
        problem=instances[0].problem,
        instances=instances,
        algorithms=(),
        limits=RunLimits(time_limit=time_limit, workers=workers),
    )
    rows = {row["instance"]: row for row in conduct(study, path, workers=1).rows}
    return [Measured(instance, rows[instance.sha256]) for instance in instances]


def software() -> str:
    """Say what runs are made with."""
    return software_line(versions_installed())
