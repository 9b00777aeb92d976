"""What solutions cost, by the checkers of their problems."""

from atleastk import Solution
from atleastk.runs.registry import problem_of


def cost_of(instance, solution):
    """Return what a solution costs, which has to be one."""
    verdict = problem_of(instance).check(instance, solution)
    assert verdict.feasible, (instance.to_dict(), solution, verdict)
    return verdict.cost


def assigned_cost(instance, assignment):
    """Return what an assignment of rows costs, by itself and by the checker."""
    cost = cost_of(instance, Solution.of(assignment.rows(instance.records)))
    assert cost == assignment.cost(instance.records)
    return cost


def cost_by(name, instance, seed=0):
    """Return what the solution of an algorithm of the problem costs."""
    algorithms = {each.name: each for each in problem_of(instance).algorithms}
    return cost_of(instance, algorithms[name].run(instance, seed))
