"""What both checks of reductions found, in one form: a row for each reading.

The rows are those of `atleastk.instances.reductions.checked`, and are written there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from atleastk.instances.reductions.checked import COLUMNS, FILE
from atleastk.instances.reductions.suppression_web import proofs_lost

DATA = Path(__file__).parents[2] / "atleastk/instances/reductions" / FILE
Document = Mapping[str, Any]
Pair = tuple[str, str]


class Row(NamedTuple):
    """One reading of a reduction, as in `COLUMNS`.

    If it is not well-defined `instances` is 0, and `refuting` tells how many refute it
    as it is meant.
    """

    source: str
    target: str
    kind: str
    repaired: bool
    instances: int
    refuting: int

    @property
    def pair(self) -> Pair:
        return self.source, self.target

    @property
    def failed(self) -> bool:
        """Whether it is refuted, or defines nothing."""
        return self.refuting > 0 or not self.instances


def rows_of_web(edges: Iterable[Document]) -> Iterator[Row]:
    for edge in edges:
        names = edge["source"], edge["target"], edge["kind"]
        first, last = edge["readings"][0], edge["readings"][-1]
        if edge["flaw"]:
            meant = first["refuted"] if first["reading"] == "meant" else 0
            yield Row(*names, False, 0, meant)
        else:
            yield Row(*names, False, first["instances"], first["refuted"])
        if last is not first or edge["flaw"]:
            yield Row(*names, True, last["instances"], last["refuted"])


def rows_of_sources(claims: Iterable[Document]) -> Iterator[Row]:
    for d in claims:
        names = d["source"], d["target"], d["kind"]
        yield Row(*names, d["repaired"], d["checked"], d["failed"])


def write_rows(rows: Sequence[Row], path: Path) -> None:
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    columns = json.dumps(COLUMNS)
    text = f'{{\n "columns": {columns},\n "rows": [\n{lines}\n ]\n}}\n'
    path.write_text(text)


def hardness_lost(
    rows: Collection[Row], root: str, problems: Collection[str]
) -> dict[str, list[str]]:
    """Return which problems the hardness of a root does not reach, by what failed.

    Keys
    ----
    never
        Not even as printed.
    outside, refuted, refuted or undefined
        Not without the printed ones from outside of `problems` that are refuted; nor
        without any that are; nor without those that are not well-defined.
    repaired
        Not by what holds as printed, and repaired.
    """
    printed = [row for row in rows if not row.repaired]
    outside = {r.pair for r in printed if r.refuting and r.source not in problems}
    refuted = {r.pair for r in printed if r.refuting}
    failed = {r.pair for r in printed if r.failed}
    drawn = {r.pair for r in printed}
    holding = {r.pair for r in rows if not r.failed}

    def lost(removed: set[Pair]) -> list[str]:
        return list(proofs_lost(drawn, removed, {root}))

    return {
        "never": sorted(set(problems).difference(lost(drawn))),
        "outside": lost(outside),
        "refuted": lost(refuted),
        "refuted or undefined": lost(failed),
        "repaired": sorted(
            set(problems).difference(proofs_lost(holding, holding, {root}))
        ),
    }
