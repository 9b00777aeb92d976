"""The least relaxations of infeasible limits.

For every limit alone, the least value that makes the instance feasible while all else
stays: the quantity is minimised. If no limit is enough by itself, pairs are tried, then
triples and so on: the least sum of increases. One limit is traded off against the
others along their Pareto front, by turns: the least of the others, then the least p
with these, then the least of the others with a smaller p, until the sum cannot improve.

With all limits lifted, everything can be suppressed: a table of k rows and no intact
columns has a solution. So otherwise the table has fewer than k rows, and k has to be
lowered, or intact columns have to be given up, as few as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search

Solve = Callable[[Search[Suppression]], None]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """Something to give up, and how much of it.

    Limits, or ``"k"``, change from values before to values after; these are None if no
    values are enough.
    """

    before: Mapping[str, int]
    after: Mapping[str, int] | None
    columns: tuple[str, ...] = ()  # intact ones to give up, by name or number
    proved: bool = True  # that less is not enough; without `after`, that nothing is
    reason: str = ""  # what the limits cannot help, if there is such a thing

    @property
    def enough(self) -> bool:
        """Whether this makes the instance feasible."""
        return self.after is not None

    @property
    def increase(self) -> float:
        """By how much the values change in all; infinite if no values are enough."""
        if self.after is None:
            return float("inf")
        return sum(
            value - self.after[q] if q == "k" else self.after[q] - value
            for q, value in self.before.items()
        )

    def __str__(self) -> str:
        if self.after is None:
            named = " and ".join(self.before)
            known = "is" if self.proved else "was found to be"
            return f"no value of {named} {known} enough by itself"
        steps = [f"{q}: {old} -> {self.after[q]}" for q, old in self.before.items()]
        steps += [f"column {name} not intact" for name in self.columns]
        verb = "are" if len(steps) > 1 else "is"
        doubt = "" if self.proved else "; less may be, too"
        reason = f" ({self.reason})" if self.reason else ""
        return f"{' and '.join(steps)} {verb} enough{reason}{doubt}"


def relaxations(
    instance: Suppression, budget: Budget, solve: Solve
) -> list[Relaxation]:
    """Return relaxations that make an instance feasible, the smallest increase first.

    Every limit alone; if none is enough, the best pair, or more; if no limits are,
    intact columns or k. Those that are not enough come last. Empty if the instance
    turns out to be feasible.
    """
    questions = _Questions(budget, solve)
    if instance.has_too_few:
        return [questions.lower_k(instance)]
    limits = tuple(instance.limits)
    found = []
    for place, quantity in enumerate(limits):
        share = budget.remaining / (2 * (len(limits) - place))
        found.append(questions.within(share).together(instance, (quantity,)))
    if any(relaxation.increase <= 0 for relaxation in found):
        return []
    for size in range(2, len(limits) + 1):
        if any(relaxation.enough for relaxation in found):
            break
        pairs = [questions.together(instance, q) for q in combinations(limits, size)]
        found.append(min(pairs, key=lambda relaxation: relaxation.increase))
    if instance.intact and not any(relaxation.enough for relaxation in found):
        found += questions.without_columns(instance)
    return sorted(found, key=lambda r: (not r.enough, len(r.columns), r.increase))


@dataclass(frozen=True, slots=True)
class _Questions:
    """Questions to the solver, within a budget."""

    budget: Budget
    solve: Solve

    def within(self, seconds: float) -> _Questions:
        """Return the same with a part of the budget."""
        return replace(self, budget=self.budget.slice(seconds))

    def least(
        self, instance: Suppression, cost: str, limits: Mapping[str, int], **more: Any
    ) -> Search[Suppression]:
        """Search for the least cost within these limits; of the same region."""
        sizes = {"rows": instance.n, "columns": instance.m}
        region = {q: sizes[q] for q in instance.region if q != cost}
        question = replace(instance, minimise=cost, limits={**region, **limits}, **more)
        search = Search(question, check, self.budget)
        if not self.budget.spent:
            self.solve(search)
        return search

    def together(self, instance: Suppression, quantities: Sequence[str]) -> Relaxation:
        """Return the least sum of increases of these limits.

        A walk along the Pareto front of one of them, which has fewest values, and the
        sum of the others.
        """
        n, m = instance.n, instance.m
        sizes = {"columns": m, "per_row": m, "rows": n, "per_column": n}
        top = {"entries": n * m, **sizes}
        first, *rest = sorted(quantities, key=top.__getitem__)
        before = {q: instance.limits[q] for q in quantities}
        others = {q: v for q, v in instance.limits.items() if q != first}
        if not rest:
            answer = self.least(instance, first, others)
            after = None if answer.cost is None else {first: answer.cost}
            return Relaxation(before, after, proved=answer.closed)
        best, proved = Relaxation(before, None), True
        most = max(before[first], top[first])
        while True:
            eased = replace(instance, limits={**others, first: most})
            raised = self.together(eased, rest)
            proved &= raised.proved
            if raised.after is None or raised.increase >= best.increase:
                break
            answer = self.least(instance, first, {**others, **raised.after})
            proved &= answer.closed
            if answer.cost is None:
                break
            after = {q: {first: answer.cost, **raised.after}[q] for q in before}
            best = min(best, Relaxation(before, after), key=lambda r: r.increase)
            if answer.cost <= before[first]:
                break
            most = min(most, answer.cost) - 1
        return replace(best, proved=proved)

    def lower_k(self, instance: Suppression) -> Relaxation:
        """Return the largest k that a table of few rows allows."""
        answer = self.least(instance, "k", instance.limits, k=1)
        after = {"k": 1 if answer.cost is None else -answer.cost}
        reason = f"the table has {instance.n} rows"
        return Relaxation({"k": instance.k}, after, (), answer.closed, reason)

    def without_columns(self, instance: Suppression) -> list[Relaxation]:
        """Return the smallest sets of intact columns that are enough to give up.

        If none is, while the limits stay: one that is with other limits.
        """
        sets = [
            given_up
            for size in range(1, len(set(instance.intact)) + 1)
            for given_up in combinations(sorted(set(instance.intact)), size)
        ]
        found: list[Relaxation] = []
        proved = True
        for given_up in sets:
            if found and len(given_up) > len(found[0].columns):
                break
            kept = [j for j in instance.intact if j not in given_up]
            answer = self.least(instance, "none", instance.limits, intact=kept)
            if answer.cost is not None:
                named = _names(instance, given_up)
                found.append(Relaxation({}, {}, named, proved))
            else:
                proved &= answer.closed
        if found:
            return found
        for given_up in sets:
            kept = [j for j in instance.intact if j not in given_up]
            if self.least(instance, "none", {}, intact=kept).cost is not None:
                eased = replace(instance, intact=kept)
                named = _names(instance, given_up)
                best = relaxations(eased, self.budget, self.solve)[:1]
                return [replace(r, columns=named) for r in best if r.enough]
        return []


def _names(instance: Suppression, columns: Sequence[int]) -> tuple[str, ...]:
    names = instance.columns
    return tuple(str(j) if names is None else names[j] for j in columns)
