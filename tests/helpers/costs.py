"""What solutions cost, by the checkers of their problems."""

from scipy.optimize import Bounds, LinearConstraint, milp

from atleastk import Solution
from atleastk.runs.registry import problem_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.subset_dp import best_partition


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


def least_cost(instance):
    """Return the least cost of a small table of k-anonymity, by a dynamic program."""
    return cost_of(instance, Solution.of(best_partition(instance, Budget())))


def lp_value(model):
    """Return the optimum of the linear relaxation of a model."""
    sides = LinearConstraint(model.rows, model.row_lower, model.row_upper)
    bounds = Bounds(model.lower, model.upper)
    return milp(model.objective, constraints=sides, bounds=bounds).fun


def cost_by(name, instance, seed=0):
    """Return what the solution of an algorithm of the problem costs."""
    algorithms = {each.name: each for each in problem_of(instance).algorithms}
    return cost_of(instance, algorithms[name].run(instance, seed))
