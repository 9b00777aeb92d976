"""Questions after a run without a solution: what there would be without a wish.

The same solvers answer, each question within a part of the time that is left, and any
solution is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.models.results.status import Status
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome
from atleastk.solvers.goal import Goal

_SECONDS: Final = 20.0
"""The most that all questions may take together: not tuned."""

_SHARE: Final = 0.2
"""The share of the time left that each question has: not tuned."""

_MOST_PAIRS: Final = 60
"""The most pairs of wishes that are asked about: not tuned."""

T = TypeVar("T")


class Questions:
    """Questions after a run, one after the other.

    Attributes
    ----------
    outcome
        That of the run. A signal meanwhile marks it as interrupted, and ends the
        questions.
    left_open
        Whether some question was not answered.
    """

    def __init__(self, outcome: Outcome, ask: Ask) -> None:
        self.outcome, self.left_open = outcome, False
        self._began = ask.began
        self._rest = ask.budget.slice(min(ask.budget.remaining, _SECONDS)).apart()

    @property
    def is_over(self) -> bool:
        """Whether there is no time for another one, or the user ended them."""
        ended = self.outcome.signalled or self.outcome.abandoned
        return bool(ended) or self._rest.spent

    def finds(self, search: Callable[[Ask], Outcome], goal: Goal) -> bool:
        """Return whether a search finds a solution; `goal` is any solution."""
        if self.is_over:
            self.left_open = True
            return False
        try:
            found = search(Ask(self._rest.share(_SHARE), goal=goal, began=self._began))
        except InvalidInstanceError:  # what is left excludes each other
            return False
        self.outcome = replace(
            self.outcome,
            signalled=self.outcome.signalled or found.signalled,
            abandoned=self.outcome.abandoned or found.abandoned,
            cut=self.outcome.cut or found.cut,
        )
        self.left_open |= found.result.status is Status.UNKNOWN
        return found.result.solution is not None

    def pair(
        self, wishes: Sequence[T], are_enough: Callable[[T, T], bool]
    ) -> tuple[T, T] | None:
        """Return the first two wishes that are found to be enough together.

        Pairs of earlier wishes come first.
        """
        each = [(wishes[i], wishes[j]) for j in range(len(wishes)) for i in range(j)]
        self.left_open |= len(each) > _MOST_PAIRS
        return next((two for two in each[:_MOST_PAIRS] if are_enough(*two)), None)


def may_ask(outcome: Outcome) -> bool:
    """Tell whether there is something to ask: nothing keeps all, and nobody waits."""
    ended = outcome.abandoned or outcome.signalled
    return outcome.result.status is Status.INFEASIBLE and not ended
