"""Methods of all problems of tilings: their makers, and the five that all have.

Levels between the bound and the cost are decided by a model, or by a search over
skylines. But for that search and the first answers they share nothing with the
automatic choice: all boxes are models' own, and none is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

import numpy as np

from atleastk.instances.instance import Instance
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.straight_cuts import straight_cuts
from atleastk.models.encodings.tilings import Cover, light_model
from atleastk.models.rectangles import Box
from atleastk.models.results.solution import Solution
from atleastk.models.tilings import Tiling
from atleastk.models.windows import Window
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.levels import minimise_by_levels
from atleastk.solvers.engine.modelled import Methods, Stated
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search
from atleastk.solvers.tilings import guillotine, no_overlap
from atleastk.solvers.tilings.levels import OpenLevels, counts_of
from atleastk.solvers.tilings.skyline import decide_by_skyline
from atleastk.solvers.tilings.stages import First, begin

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

Refuses = Callable[[Tiling], str | None]

_MOST_LINES: Final = 200
"""Rows, or columns, that a search over skylines takes: not tuned."""
_MOST_CUT: Final = 44_100
"""The boxes of 20 x 20 cells, which have half a million cuts."""


@dataclass(frozen=True)
class TilingMethods(Generic[I]):
    """Declares methods for what a problem says of an instance as a tiling."""

    tiling_of: Callable[[I], Tiling]
    first: First[I]

    @property
    def exact(self) -> Methods[I]:
        """Declares methods that begin with the first answers."""

        def begun(search: Search[I], source: str) -> bool:
            return begin(search, self.tiling_of(search.instance), self.first, source)

        return Methods(begun)

    def refusing(self, refuses: Refuses) -> Callable[[I], str | None]:
        """Refuse an instance for its tiling."""
        return lambda instance: refuses(self.tiling_of(instance))

    def covers(
        self,
        what: str,
        cover: Cover,
        backends: Mapping[str, Backend],
        refuses: Refuses,
    ) -> Sequence[Method[I]]:
        """Return methods that decide levels by covers of all boxes of at most each."""
        return self._decided(what, partial(light_model, cover), backends, refuses)

    def _decided(
        self,
        what: str,
        encode: Callable[[Tiling, int], Encoding],
        backends: Mapping[str, Backend],
        refuses: Refuses,
    ) -> Sequence[Method[I]]:
        """Return methods that decide levels, with a model for each."""

        def stated(search: Search[I]) -> Stated:
            tiling = self.tiling_of(search.instance)
            return OpenLevels(tiling.grid, search.budget), partial(encode, tiling)

        return self.exact.decided(what, stated, backends, self.refusing(refuses))

    def shared(self) -> Sequence[Method[I]]:
        """Return the methods that all problems have."""
        return (
            self._one(
                "no-overlap",
                "boxes placed one by one without overlap, in CP-SAT",
                CpSat.family,
                no_overlap.minimise_no_overlap,
                lambda tiling: refuses_cuts(tiling) or no_overlap.refuses(tiling),
            ),
            self._one(
                "skyline",
                "boxes from one side to the other, with a memory of skylines",
                "combinatorial",
                _search_skylines,
                _refuses_skylines,
            ),
            *self._decided(
                "straight cuts as a flow from box to box",
                _cuts,
                {"cuts-highs": Highs({"presolve": "off"}), "cuts": CpSat()},
                lambda tiling: _only_cuts(tiling) or refuses_boxes(tiling, _MOST_CUT),
            ),
            self._one(
                "guillotine",
                "a dynamic program over all boxes, where only straight cuts count",
                "combinatorial",
                _minimise_by_cuts,
                lambda tiling: _only_cuts(tiling) or guillotine.refuses(tiling),
            ),
        )

    def _one(
        self,
        name: str,
        summary: str,
        family: str,
        minimise: Callable[[Search[I], Tiling, str], None],
        refuses: Refuses,
    ) -> Method[I]:
        def run(search: Search[I], source: str) -> None:
            minimise(search, self.tiling_of(search.instance), source)

        return self.exact.one(name, summary, family, run, self.refusing(refuses))


def _cuts(tiling: Tiling, level: int) -> Encoding:
    return straight_cuts(tiling.grid, tiling.k, level, tiling.solution, tiling.most)


def refuses_models(tiling: Tiling, most: int) -> str | None:
    """Say why models of boxes cannot take a tiling."""
    return refuses_cuts(tiling) or refuses_boxes(tiling, most)


def refuses_boxes(tiling: Tiling, most: int) -> str | None:
    """Say that there are more boxes of cells than some, if there are."""
    if tiling.boxes <= most:
        return None
    return f"{guillotine.too_many_boxes(tiling)}; it takes {most}"


def refuses_cuts(tiling: Tiling) -> str | None:
    """Say why a method that knows nothing of cuts cannot take a tiling."""
    if tiling.guillotine:
        return "it does not know which tilings come from straight cuts"
    return None


def _only_cuts(tiling: Tiling) -> str | None:
    return None if tiling.guillotine else "it takes instances of straight cuts only"


def _refuses_skylines(tiling: Tiling) -> str | None:
    if max(tiling.shape) > _MOST_LINES:
        rows, columns = tiling.shape
        return f"{rows} x {columns} cells are too many for skylines"
    return refuses_cuts(tiling)


def _search_skylines(search: Search[Any], tiling: Tiling, source: str) -> None:
    """Decide levels by skylines, for all numbers of boxes."""
    counts, required = counts_of(tiling, 0), tiling.required
    points = None if required is None else required.astype(np.int64)

    def within(window: Window) -> Decision[list[Box]]:
        return decide_by_skyline(tiling.grid, window, search.budget, points=points)

    def decide(level: int) -> Decision[Solution]:
        return counts.decide(within, level).read(tiling.solution)

    levels = OpenLevels(tiling.grid, search.budget)
    minimise_by_levels(search, levels, decide, source)


def _minimise_by_cuts(search: Search[Any], tiling: Tiling, source: str) -> None:
    """Take the best tiling by straight cuts, for instances where only these count."""
    budget, offer = search.budget, partial(search.offer, source=source)
    if guillotine.cheaper_tilings(tiling, budget, search.cost or 0, offer):
        search.conclude(source)
    else:
        search.remark(f"{source}: there are too many boxes to cut")
