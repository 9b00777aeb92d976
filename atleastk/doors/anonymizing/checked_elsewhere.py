"""What a table gives away as it stands in its files, as an engine counts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from atleastk.doors.anonymizing.growth import Growth
from atleastk.doors.anonymizing.release import counted_for
from atleastk.doors.anonymizing.report.thresholds import (
    Thresholds,
    figures_elsewhere,
    thresholds_of,
)
from atleastk.doors.anonymizing.report.unchanged import singling_out_elsewhere
from atleastk.doors.anonymizing.request import Request
from atleastk.frames.duckdb_releases import fewest_values
from atleastk.frames.duckdb_source import DuckSource, Recount, as_it_is
from atleastk.instances.fields.visible import visible
from atleastk.instances.files.digest import Filed, digest_lines, digest_object
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import counted
from atleastk.runs.ask import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedElsewhere:
    """A table in files that was checked; see `Checked` for a table in memory.

    Attributes
    ----------
    table, files
        What it is called, and its files with their SHA-256.
    counted_by
        Who counted it.
    found, singling_out
        Its classes over these `columns`, and the rows that the others single out.
    asked
        The k that was asked for, if any was.
    thresholds
        What was asked of the risk.
    growth
        What it shows beside an earlier release, if there is one.
    """

    table: str
    counted_by: str
    found: Recount
    singling_out: SinglingOut
    columns: tuple[str, ...]
    asked: int | None
    thresholds: Thresholds
    growth: Growth | None
    files: tuple[Filed, ...]

    @classmethod
    def of(
        cls,
        source: DuckSource,
        request: Request,
        ask: Ask,
        earlier: str | Path | None = None,
        files: tuple[Filed, ...] = (),
    ) -> Self:
        """Check a table within the time."""
        source, growth = counted_for(source, request, ask), None
        found = as_it_is(source, request.k or 1, request.small or 0)
        figures = figures_elsewhere(found)
        with ask.budget.calling(source.interrupt):
            if request.household is not None:
                figures["household"] = fewest_values(source, request.household)
            if earlier is not None:
                growth = Growth.elsewhere(source, source.beside(earlier), request.k)
        return cls(
            table=source.path,
            counted_by=source.counted_by,
            found=found,
            singling_out=singling_out_elsewhere(source, request.needed),
            columns=tuple(map(str, source.chosen)),
            asked=request.k,
            thresholds=thresholds_of(figures, request, request.k),
            growth=growth,
            files=files,
        )

    @property
    def holds(self) -> bool:
        enough = self.asked is None or not self.found.below
        together = self.growth is None or self.growth.holds
        return enough and self.thresholds.holds and together

    @property
    def verdicts(self) -> Iterator[str]:
        if self.asked is not None:
            few = f": {counted(self.found.below, 'row')} in smaller classes"
            no, few = ("not ", few) if self.found.below else ("", "")
            yield f"{no}{self.asked}-anonymous{few}"
        yield from self.thresholds.verdicts()
        if self.growth is not None:
            yield self.growth.verdict()

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "k": self.found.smallest,
            "asked": self.asked,
            "holds": self.holds,
            "columns": self.columns,
            **asdict(self.found),
            "risk": asdict(self.found.risk),
            **self.singling_out.to_dict(),
        }
        if self.thresholds.each:
            document["thresholds"] = self.thresholds.to_dict()
        if self.growth is not None:
            document["earlier"] = self.growth.to_dict()
        return document | {"files": digest_object(self.files)}

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    def _lines(self) -> Iterator[str]:
        classes = f"{counted(self.found.classes, 'class')} {self.found.sizes}"
        yield f"{self.table}: {self.found.rows} rows, {classes}"
        yield f"  columns     {', '.join(self.columns)}"
        yield f"  counted     by {self.counted_by}"
        yield f"  risk        {self.found.risk.with_unique}"
        yield from self.thresholds.lines()
        if self.growth is not None:
            yield from self.growth.lines()
        yield from self.singling_out.lines()
        yield from digest_lines(self.files)
        yield from (f"  {verdict}" for verdict in self.verdicts)
