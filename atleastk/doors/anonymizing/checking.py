"""What a table gives away as it stands: no solver is involved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from os import PathLike, fspath
from typing import Any

from atleastk.doors.anonymizing.anonymize import anonymity_of
from atleastk.doors.anonymizing.engines import AUTO, MEMORY, given
from atleastk.doors.anonymizing.growth import Growth
from atleastk.doors.anonymizing.release import counted_for
from atleastk.doors.anonymizing.report.checked import Checked, CheckedElsewhere
from atleastk.doors.anonymizing.report.risk import singling_out_elsewhere
from atleastk.doors.anonymizing.report.sensitive import exposed
from atleastk.doors.anonymizing.report.thresholds import (
    Thresholds,
    figures_elsewhere,
    figures_of,
)
from atleastk.doors.anonymizing.request import MARKER, RISK, SENSITIVE, Request
from atleastk.doors.anonymizing.selected import columns_of
from atleastk.frames.duckdb_releases import fewest_values
from atleastk.frames.duckdb_source import DuckSource, as_it_is
from atleastk.frames.frame import Name, Selection
from atleastk.frames.oddities import oddities
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.digest import Filed
from atleastk.runs.ask import Ask


def check_table(
    table: Any,
    k: int | None = None,
    columns: Iterable[Name] | None = None,
    *,
    wildcard: bool = False,
    marker: str = MARKER,
    earlier: Any = None,
    engine: str = AUTO,
    memory: str | float | None = None,
    scratch: str | PathLike[str] | None = None,
    counts: str | PathLike[str] | None = None,
    **wishes: Any,
) -> Checked | CheckedElsewhere:
    """Check how anonymous a table is as it stands, and what its classes give away.

    Parameters
    ----------
    table, columns
        As in `anonymize`; by default all columns but those that a wish names.
    k
        How many rows have to look alike, if that is asked.
    wildcard, marker
        Let suppressed cells - those that hold the marker and those without a value -
        match anything; by default they are values like others.
    earlier
        A release of the table that is public already: whoever has both subtracts
        them. A path, if the table stays in its files.
    engine, memory, scratch, counts
        As in `anonymize`: what counts the table at a path. Engines know neither
        wildcards nor conditions on sensitive columns.
    wishes
        Those of `anonymize` about sensitive columns and about risk: ``sensitive``,
        ``l``, ``t``, ``mean_risk`` and others.

    Examples
    --------
    >>> rows = [["31", "flu"], ["31", "cold"], ["42", "flu"], ["42", "flu"]]
    >>> made = atleastk.check_table(rows, 2, sensitive=1, l=2)
    >>> made.found.k, made.failing, made.holds
    (2, 1, False)
    """
    known = [
        one.name
        for one in fields(Request)
        if one.metadata.get("group") in (SENSITIVE, RISK) and one.name != "k_map"
    ]
    for name in wishes:
        if name not in known:
            raise InvalidInstanceError(
                f"{name}: says nothing of a table as it stands; there are "
                f"{', '.join(known)}"
            )
    request = Request(k, columns, on="attributes", marker=marker, **wishes)
    if engine == AUTO and (wildcard or request.sensitive_names):
        engine = MEMORY
    with given(table, engine, memory, scratch, counts) as frame:
        if isinstance(frame, DuckSource):
            if wildcard or request.sensitive_names:
                raise InvalidInstanceError(
                    f"engine {engine}: it knows neither wildcards nor sensitive columns"
                )
            if not isinstance(earlier, str | PathLike | None):
                raise InvalidInstanceError(
                    "earlier: expected a path, as of the table, got a "
                    f"{type(earlier).__name__}"
                )
            path = None if earlier is None else fspath(earlier)
            return checked_elsewhere(frame, request, Ask.of(), path)
        names = columns_of(frame, request.columns, request.apart)
        selection, grown = Selection.of(frame, names), None
        if earlier is not None:
            with given(earlier, MEMORY) as before:
                grown = Growth.of(selection, before, request)
        return checked_as_it_is(selection, request, wildcard=wildcard, growth=grown)


def checked_as_it_is(
    selection: Selection,
    request: Request,
    *,
    wildcard: bool,
    growth: Growth | None = None,
    table: str = "the table",
    files: tuple[Filed, ...] = (),
) -> Checked:
    """Check some columns of a frame; `table` is what it is called."""
    figures = figures_of(selection.frame, selection.columns, request)
    return Checked(
        table=table,
        found=anonymity_of(selection, wildcard, request.marker, request.needed),
        columns=selection.names,
        asked=request.k,
        oddities=oddities(selection),
        growth=growth,
        files=files,
        thresholds=Thresholds.of(request, figures),
        **exposed(selection, request),
    )


def checked_elsewhere(
    source: DuckSource,
    request: Request,
    ask: Ask,
    earlier: str | None = None,
    files: tuple[Filed, ...] = (),
) -> CheckedElsewhere:
    """Check a table that stays in its files, within the time."""
    source, growth = counted_for(source, request, ask), None
    found = as_it_is(source, request.k or 1, request.small or 0)
    figures = figures_elsewhere(found)
    with ask.budget.calling(source.interrupt):
        if request.household is not None:
            figures["household"] = fewest_values(source, request.household)
        if earlier is not None:
            growth = Growth.elsewhere(source, source.beside(earlier), request.k)
    return CheckedElsewhere(
        table=source.path,
        counted_by=source.counted_by,
        found=found,
        singling_out=singling_out_elsewhere(source, request.needed),
        columns=source.chosen,
        asked=request.k,
        thresholds=Thresholds.of(request, figures),
        growth=growth,
        files=files,
    )
