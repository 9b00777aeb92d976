"""A picture of a table after k-ambiguity: which cells are suppressed."""

from __future__ import annotations

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import mask_of
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.k_anonymity import draw_hidden


def draw(instance: KAmbiguity, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the table, one line a row, its suppressed cells dark."""
    solution = result.solution
    hidden = None if solution is None else mask_of(instance, solution)
    return draw_hidden(instance, result, hidden, ax)
