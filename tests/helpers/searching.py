"""Searches of instances, with the checkers of their problems."""

from atleastk.runs.registry import problem_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


def search_of(instance, budget=None, on_event=None, **limits):
    """Return a search within a budget, or the limits of `Budget.of`."""
    budget = Budget.of(**limits) if budget is None else budget
    return Search(instance, problem_of(instance).check, budget, on_event)


def searched(run, instance, **limits):
    """Return a search after a run."""
    search = search_of(instance, **limits)
    run(search)
    return search
