"""What to relax where limits are infeasible, asked of the solvers themselves."""

import atleastk
from atleastk import Suppression
from atleastk.anonymizing import anonymize
from atleastk.api import budget_of
from atleastk.registry import problem_of
from atleastk.relaxing import relaxed_limits
from atleastk.solving import solve_within

TABLE = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "z"]]


def asked(instance):
    """Return what is told within half a minute."""
    budget = budget_of(30, workers=1)
    outcome = solve_within(problem_of(instance), instance, budget)
    return outcome.result.status, relaxed_limits(instance, outcome, budget)


def test_limits_are_called_as_on_the_command_line():
    """Entries are cells there; the least values are proved."""
    status, told = asked(Suppression(TABLE, 2, limits={"entries": 3, "per_row": 1}))
    assert (status, told[0]) == ("INFEASIBLE", "cells: 3 -> 4 is enough")
    assert told[1] == "no value of per row is enough by itself"


def test_nothing_is_in_the_way_of_what_there_is():
    """No question is asked."""
    status, told = asked(Suppression(TABLE, 2, limits={"entries": 4}))
    assert (status, told) == ("OPTIMAL", ())


def test_no_time_no_answer():
    """A budget that is spent."""
    instance = Suppression(TABLE, 2, limits={"entries": 3})
    budget = budget_of(30, workers=1)
    outcome = solve_within(problem_of(instance), instance, budget)
    assert outcome.result.status == "INFEASIBLE"
    budget.stop.set()
    assert relaxed_limits(instance, outcome, budget) == ()


def test_tables_are_told_too():
    """The report of one that cannot be."""
    made = anonymize(TABLE, 2, limits={"per_row": 1}, intact=[1], time_limit=30)
    assert made.frame is None
    assert "column 1 not intact is enough" in str(made)
    assert atleastk.check(made.instance, made.result).cost is None
