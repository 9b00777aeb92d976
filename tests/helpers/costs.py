"""What solutions cost, by the checkers of their problems."""

from atleastk.runs.registry import problem_of

__all__ = ["cost_of"]


def cost_of(instance, solution):
    """Return what a solution costs, which has to be one."""
    verdict = problem_of(instance).check(instance, solution)
    assert verdict.feasible, (instance.to_dict(), solution, verdict)
    return verdict.cost
