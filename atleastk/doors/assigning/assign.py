"""Rows of a table in groups: classes and teams, divisions of a league.

The groups have sizes within a window, and may have to have so many of each value of a
column; rows are together, or apart. Among all such groups those are the best that cost
least by the terms that were asked for (:mod:`atleastk.doors.assigning.terms`), each
times its weight. What is solved is an instance of pair partition, and the answer has a
proof or a gap, as usual.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from atleastk.doors.afterwards import changed
from atleastk.doors.assigning.assigned import Assigned
from atleastk.doors.assigning.giving_up import given_up
from atleastk.doors.assigning.request import Asked, AssignRequest, asked_of
from atleastk.doors.calls import Call, OfTable, called_with
from atleastk.doors.made import numbered
from atleastk.frames.frame import Frame
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.errors import within_memory
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within

_EVEN: Final = 0.2
"""The share of the time for a bound without balance, where groups stay open."""


@dataclass(eq=False)
class _Call(Call, AssignRequest, OfTable):
    """The parameters of `assign`: a table, the request, and the search."""


@called_with(_Call)
def assign(call: _Call) -> Assigned:
    """Assign the rows of a table to groups: classes, teams, divisions of a league.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, or a list of dicts, tuples
        or lists.
    size
        The number of rows of a group, or the least and the greatest one; by default as
        even as `groups` can be.
    groups
        How many groups there are; any number by default.
    name
        The column that says what rows are called in lists; by default they are called
        by their numbers, from 1.
    having
        How many rows of a group have a value: ``{"sex": 2}``, at least 2 of each value
        of the column; ``{("sex", "f"): (1, 3)}``, of this value from 1 to 3.
    sums
        What the sum of a column of whole numbers over a group may be, likewise.
    together, apart
        Lists of rows that are in one group; of which no two are in one group.
    friends, avoid
        Pairs of rows, maybe with a weight, that would rather be in one group, or not.
        Each of these four may be names of columns: a row with whom its cells name.
    at_least_one_friend
        Whether everyone who comes first in a pair of friends has to have one of them.
    near, metric
        Columns that say where rows are: groups are to be close together. ``"great-
        circle"`` takes degrees, and is the default for lat and lon; else
        ``"euclidean"``.
    distances
        A matrix of distances in place of these.
    alike, mixed
        Columns in which rows of a group are to be alike, or of different texts.
    balance
        Columns of numbers of which groups are to have as much as their sizes let
        expect.
    weights
        What a term counts, 1 by default: ``{"friends": 5}``.

    Examples
    --------
    >>> pupils = [{"name": name} for name in ("Ann", "Ben", "Cid", "Dan")]
    >>> pairs = atleastk.assign(pupils, 2, name="name", friends=[("Ann", "Dan")])
    >>> pairs.result.groups
    ((0, 3), (1, 2))
    """
    made, outcome = assign_frame(framed(call.table), call, call.ask())
    outcome.unless_cut()
    return made


@within_memory("assigning")
def assign_frame(
    frame: Frame, request: AssignRequest, ask: Ask
) -> tuple[Assigned, Outcome]:
    """Assign the rows of a frame, see `assign`; return the outcome, too."""
    request = request.settled(frame)
    asked = asked_of(frame, request)
    within = ask.sparing(frame.n * len(frame.names))
    other = {term.name for term, _ in asked.terms} - {"balance"}
    part = within
    if request.balance and other and not within.budget.endless:
        part = replace(within, budget=within.budget.share(1.0 - _EVEN))
    outcome = _raised(solve_within(asked.instance, part), asked.least)
    groups = outcome.result.groups
    is_open = groups is not None and outcome.result.gap and outcome.signalled is None
    if part is not within and is_open:
        outcome = _bounded_by_others(frame, request, within, asked, outcome)
    group = None if groups is None else numbered(frame.n, groups)
    too_much, outcome = given_up(frame, request, asked.instance, outcome, within)
    return Assigned(group, asked, outcome.result, too_much), outcome


def _bounded_by_others(
    frame: Frame, request: AssignRequest, ask: Ask, asked: Asked, outcome: Outcome
) -> Outcome:
    """Return the outcome with what groups cost at least by all terms but balance.

    Balance is at least 0, but pairs of it cost less than nothing, more than those of
    other terms do: bounds by pairs are better without.
    """
    weights = {name: w for name, w in request.weights.items() if name != "balance"}
    others = asked_of(frame, replace(request, balance=(), weights=weights))
    more = solve_within(others.instance, Ask(ask.budget, ask.method))
    outcome = replace(
        changed(outcome, seconds=outcome.result.seconds + more.result.seconds),
        signalled=more.signalled,
        abandoned=outcome.abandoned or more.abandoned,
        cut=more.cut,
    )
    if more.result.bound is None:
        return outcome
    least = (more.result.bound + others.constant) * asked.scale
    return _raised(outcome, -(-least // others.scale) - asked.constant)


def _raised(outcome: Outcome, bound: int) -> Outcome:
    result = outcome.result
    if result.bound is None or bound <= result.bound:
        return outcome
    known = result.bound if result.certified_bound is None else result.certified_bound
    closed = bound == result.cost
    return changed(
        outcome,
        bound=bound,
        certified_bound=None if result.certificate is None else known,
        status=Status.OPTIMAL if closed else result.status,
        trust=Trust.PROVED if closed else result.trust and Trust.HEURISTIC,
        stopped_because=Stop.CLOSED if closed else result.stopped_because,
    )
