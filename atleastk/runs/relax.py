"""Relaxing infeasible limits of suppression: which limits to raise, and to what.

The same solvers answer it within the remaining time of a run, at most a minute if that
has no limit. A signal ends it without an answer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import in_words
from atleastk.runs.questions import may_ask
from atleastk.runs.registry import PROBLEMS
from atleastk.runs.solving import Outcome
from atleastk.runs.watch import Watch
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.relaxation import Relaxation, relaxations

_SECONDS: Final = 60.0
"""The most that the question may take if the run has no time limit: not tuned."""


def relaxed_limits(
    instance: Suppression, outcome: Outcome, budget: Budget
) -> tuple[tuple[str, ...], Outcome]:
    """Return lines on what to relax; none if the limits are feasible, or time is up.

    The outcome is returned, too: a signal meanwhile marks it as interrupted.
    """
    if budget.spent or not may_ask(outcome):
        return (), outcome
    rest = budget.slice(min(budget.remaining, _SECONDS)).apart()
    solve = PROBLEMS[instance.problem].solve
    found: list[str] = []
    watch = Watch(rest)

    def ask() -> None:
        known = relaxations(instance.unweighted, rest, solve)
        found.extend(_in_words(r) for r in known if r.enough or r.proved)

    answered = False
    with watch.hearing_signals(), watch.ending_when_cut():
        answered = watch.perform(ask)
    return tuple(found) if answered else (), outcome.after(watch)


def _in_words(relaxation: Relaxation) -> str:
    before = {in_words(q): value for q, value in relaxation.before.items()}
    after = relaxation.after
    if after is not None:
        after = {in_words(q): value for q, value in after.items()}
    return str(replace(relaxation, before=before, after=after))
