"""Wishes to give up where no groups keep them all: one, or two together.

Each of what is required of groups is left out alone, and a first solution of what is
left is looked for (:mod:`atleastk.runs.questions`); if none is found to be enough, two
are left out together. What is found is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Final

from atleastk.doors.assigning.request import AssignRequest, asked_of
from atleastk.doors.clustering.points import MOST_PAIRED
from atleastk.frames.frame import Frame
from atleastk.instances.pair_partition import PairPartition
from atleastk.packages import nx
from atleastk.runs.ask import Ask
from atleastk.runs.questions import Questions, may_ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.goal import Goal

_ANY: Final = Goal(target=2**62)
"""Any solution: friends cost less than nothing."""

_MOST_CLIQUES: Final = 10_000
"""Cliques of rows apart that are looked at. Not tuned."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What is required, and what of it is enough to give up alone."""

    required: tuple[str, ...]
    """All that is required of groups, as options spell it."""
    enough: tuple[str, ...] = ()
    """Those of which groups were found that keep all others."""
    together: tuple[str, ...] = ()
    """Without any, two that are enough if both are given up."""
    open: bool = True
    """Whether some question on a single one was not answered."""
    clique: tuple[int, ...] = ()
    """More rows than there are groups of which any two are apart, if such were
    found."""

    def __str__(self) -> str:
        if self.enough:
            each = "; each alone is enough" if self.enough[1:] else " alone is enough"
            return ", or ".join(self.enough) + each
        if self.together:
            both = f"{' and '.join(self.together)} together are"
            return f"{both} enough" if self.open else f"none alone is enough; {both}"
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
    yield "--size", without(size=(1, MOST_PAIRED))


def given_up(
    frame: Frame,
    request: AssignRequest,
    instance: PairPartition,
    outcome: Outcome,
    ask: Ask,
) -> tuple[GivenUp | None, Outcome]:
    """Return what to give up, if there are no groups; and the outcome.

    Where the search did not end nothing is asked: the time is over.
    """
    if outcome.result.solution is not None:
        return None, outcome
    wishes = dict(requirements(request))
    required = tuple(wishes)
    clique = _apart_from_each_other(instance)
    if not may_ask(outcome):
        return GivenUp(required, clique=clique), outcome
    questions = Questions(outcome, ask)

    def is_enough(without: AssignRequest) -> bool:
        return questions.finds(
            lambda part: solve_within(asked_of(frame, without).instance, part), _ANY
        )

    enough = tuple(wish for wish, without in wishes.items() if is_enough(without))
    left_open, together = questions.left_open, None
    if not enough:
        together = questions.pair(
            required,
            lambda one, other: is_enough(dict(requirements(wishes[one]))[other]),
        )
    found = GivenUp(required, enough, together or (), left_open, clique)
    return found, questions.outcome


def _apart_from_each_other(instance: PairPartition) -> tuple[int, ...]:
    """Return more rows than there are groups of which any two are apart, if found.

    Each of them is apart from as many others as there are groups, at least. Many pairs
    have more cliques than can be looked at.
    """
    apart: nx.Graph[int] = nx.Graph()
    for some in instance.apart or ():
        apart.add_edges_from(combinations(some, 2))
    most = max(instance.counts, default=0)
    cliques = islice(nx.find_cliques(nx.k_core(apart, most)), _MOST_CLIQUES)
    return next((tuple(sorted(rows)) for rows in cliques if len(rows) > most), ())
