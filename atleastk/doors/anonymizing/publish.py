"""What is published: a frame with cells hidden or relabelled, and its recount.

A published table is read again, and its classes are counted anew, whichever method
chose its cells. By the reading in which a suppressed cell matches anything, it is
counted as well which rows match; only cells that are suppressed here count as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from atleastk.arrays import BoolArray
from atleastk.doors.anonymizing.hierarchies import Levels, relabelled
from atleastk.doors.anonymizing.report.sensitive import failing_classes
from atleastk.doors.anonymizing.selected import Selected, Task
from atleastk.frames.frame import Column, Frame, Name, codes_of
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.completed import completed, hidden_by
from atleastk.models.generalization import GeneralizationSolution, levels_of
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.tables.anonymity import Anonymity, strict
from atleastk.solvers.k_anonymity import wildcards


class Published(NamedTuple):
    """A frame to be published, and what was done to it; None without a solution.

    Attributes
    ----------
    columns
        Those that were anonymised, as they are read again.
    hidden
        Which cells are suppressed, or generalised to the top.
    level
        The recount of equal rows.
    levels
        The levels of the cells, if they are generalised.
    now_text
        Columns of another type that became columns of text.
    matching
        The recount of rows that match, if suppressed cells match anything.
    """

    frame: Frame | None = None
    columns: tuple[Column, ...] = ()
    hidden: BoolArray | None = None
    level: Anonymity | None = None
    levels: Levels | None = None
    now_text: tuple[Name, ...] = ()
    matching: Anonymity | None = None


def published(selected: Selected, instance: Task, result: Result) -> Published:
    """Return the frame that a result stands for, counted anew."""
    selection, request = selected.table, selected.request
    if result.solution is None:
        return Published()
    if isinstance(instance, Generalization):
        levels = _levels(instance, result.solution)
        if request.generalises:
            return _generalised(selected, instance, levels)
        hidden = levels > 0
    else:
        hidden = hidden_by(instance, result.solution)
    masks = {name: hidden[:, j] for j, name in enumerate(selection.names)}
    frame = selection.frame.hiding(masks, request.marker).rebuilt()
    again = tuple(frame.column(name) for name in selection.names)
    level, matching = strict(codes_of(again)), None
    if isinstance(instance, KAmbiguity):
        for name, column in zip(selection.names, again, strict=True):
            if not column.holding(request.marker, None)[masks[name]].all():
                raise WrongAnswerError(
                    f'column "{name}" to be published shows suppressed cells'
                )
        matching = wildcards.wildcard(codes_of(again), hidden)
        expect_level(matching, instance.k, "ambiguous")
    else:
        expect_level(level, instance.k, "anonymous")
    _expect_apart(instance, again)
    return Published(frame, again, hidden, level, matching=matching)


def _generalised(
    selected: Selected, instance: Generalization, levels: Levels
) -> Published:
    selection, marker = selected.table, selected.request.marker
    names, having = selection.names, selected.generalised
    made = relabelled(selection, instance, levels, having, marker).rebuilt()
    again = tuple(made.column(name) for name in names)
    level = strict(codes_of(again))
    expect_level(level, instance.k, "anonymous")
    _expect_apart(instance, again)
    now_text = tuple(
        name
        for j, (name, column) in enumerate(zip(names, selection.columns, strict=True))
        if name in having and not column.text and levels[:, j].any()
    )
    top = (levels == instance.heights) & (levels > 0)
    return Published(made, again, top, level, levels, now_text)


def _levels(instance: Generalization, found: Solution) -> Levels:
    solution = completed(instance, found)
    assert isinstance(solution, GeneralizationSolution)
    return levels_of(instance, solution)


def expect_level(level: Anonymity, k: int, reading: str) -> None:
    """Refuse a table to be published that is not as anonymous as it has to be."""
    if not level.holds(k):
        raise WrongAnswerError(
            f"the table to be published is not {k}-{reading}: {level}"
        )


def _expect_apart(instance: Task, columns: Sequence[Column]) -> None:
    """Refuse classes that break what is asked of their sensitive values."""
    if isinstance(instance, Diversity) and failing_classes(instance, columns):
        raise WrongAnswerError(
            "the table to be published does not keep sensitive values apart"
        )
