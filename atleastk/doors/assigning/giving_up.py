"""Wishes to give up where no groups keep them all: one at a time.

Each of what is required of groups is left out alone, and a first solution of what is
left is looked for, within a part of the time that is left. What is found is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from atleastk.doors.assigning.request import MOST_ROWS, AssignRequest, asked_of
from atleastk.frames.frame import Frame
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.models.results.status import Status
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.goal import Goal

_SECONDS: Final = 20.0
"""The most that all questions may take together: not tuned."""

_SHARE: Final = 0.3
"""The share of the time left that each question has: not tuned."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What is required, and what of it is enough to give up alone.

    Attributes
    ----------
    required
        All that is required of groups, as options spell it.
    enough
        Those of which groups were found that keep all others.
    open
        Whether some question was not answered.
    """

    required: tuple[str, ...]
    enough: tuple[str, ...] = ()
    open: bool = True

    def __str__(self) -> str:
        if self.enough:
            each = "; each alone is enough" if self.enough[1:] else " alone is enough"
            return ", or ".join(self.enough) + each
        return "none was found to be enough" if self.open else "none alone is enough"


def requirements(request: AssignRequest) -> Iterator[tuple[str, AssignRequest]]:
    """Yield what is required of groups, and the request without it."""

    def without(**changed: Any) -> AssignRequest:
        return replace(request, **changed)

    if request.at_least_one_friend:
        yield "--at-least-one-friend", without(at_least_one_friend=False)
    for option, name in (("--with", "having"), ("--sum", "sums")):
        given = getattr(request, name)
        for what in given:
            others = {other: given[other] for other in given if other != what}
            column = "=".join(map(str, what)) if isinstance(what, tuple) else what
            yield f"{option} {column}", without(**{name: others})
    for name in ("apart", "together"):
        if getattr(request, name):
            yield f"--{name}", without(**{name: ()})
    if request.groups is not None:
        yield "--groups", without(groups=None)
    yield "--size", without(size=(1, MOST_ROWS))


def given_up(
    frame: Frame, request: AssignRequest, outcome: Outcome, ask: Ask
) -> tuple[GivenUp | None, Outcome]:
    """Return what to give up, if there are no groups; and the outcome.

    Where the search did not end nothing is asked: the time is over. A signal meanwhile
    marks the outcome as interrupted.
    """
    if outcome.result.solution is not None:
        return None, outcome
    wishes = dict(requirements(request))
    required, enough = tuple(wishes), list[str]()
    if outcome.result.status is not Status.INFEASIBLE or outcome.signalled:
        return GivenUp(required), outcome
    rest = ask.budget.slice(min(ask.budget.remaining, _SECONDS)).apart()
    left_open = False
    for wish, without in wishes.items():
        if rest.spent or outcome.signalled:
            left_open = True
            break
        try:
            instance = asked_of(frame, without).instance
        except InvalidInstanceError:  # the others exclude each other, too
            continue
        goal = Goal(target=instance.total)  # any solution
        found = solve_within(instance, Ask(rest.share(_SHARE), goal=goal))
        if found.result.solution is not None:
            enough.append(wish)
        left_open |= found.result.status is Status.UNKNOWN
        outcome = replace(
            outcome,
            signalled=outcome.signalled or found.signalled,
            abandoned=outcome.abandoned or found.abandoned,
            cut=outcome.cut or found.cut,
        )
    return GivenUp(required, tuple(enough), left_open), outcome
