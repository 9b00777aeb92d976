"""What every formulation promises: the optimum, and the way there and back."""

import random
from contextlib import suppress
from functools import cache

import pytest
from costs import cost_of
from small_instances import DRAWN

from atleastk import CellularClustering, KAmbiguity, Solution, Status
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.completed import completed
from atleastk.research.formulating import formulation_of, formulations_of
from atleastk.runs.registry import PROBLEMS, problem_of
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.budget import Budget
from scripts.sweeps.instances import as_document
from scripts.sweeps.judges import judge_of

NAMED = [
    (name, formulation.name)
    for name in DRAWN
    for formulation in formulations_of(PROBLEMS[name])
]


@cache
def encoded(name, formulation, count, most):
    """Return random instances that have such a model, with it."""
    rng, found = random.Random(f"{name} {formulation}"), []
    while len(found) < count:
        instance = DRAWN[name](rng)
        if 0 < instance.n <= most:
            with suppress(NotApplicableError):
                encoding = formulation_of(instance, formulation).encoded(instance)
                found.append((instance, encoding))
    return found


@cache
def best_of(instance):
    return judge_of(as_document(instance)).best


@pytest.mark.parametrize("backend", [CpSat(), Highs()], ids=lambda b: b.name)
@pytest.mark.parametrize(("name", "formulation"), NAMED)
def test_the_optimum_is_that_of_the_judge(name, formulation, backend):
    proved, open_ones = set(), 0
    for instance, encoding in encoded(name, formulation, 25, 9):
        try:
            answer = backend.minimise(encoding.model, Budget())
        except NotApplicableError:  # numbers beyond the back end
            continue
        best = best_of(instance)
        if answer.status is Status.UNKNOWN:  # presolve of HiGHS may end in an error
            open_ones += 1
            continue
        proved.add(best)
        if best is None:
            assert answer.status is Status.INFEASIBLE, instance.to_dict()
            continue
        assert (answer.status, answer.cost) == (Status.OPTIMAL, best), instance
        solution = encoding.decode(answer.values)
        assert cost_of(instance, solution) == best
        again = encoding.encode(solution)
        assert encoding.model.admits(again)
        assert encoding.model.cost(again) == best
    assert len(proved) > 3
    assert open_ones <= (backend.name == "HiGHS")


HUGE = (
    KAmbiguity([[0], [1]], 2**64),
    CellularClustering(distances=[[0]], max_clusters=2**64, max_outliers=2**64),
)


@pytest.mark.parametrize("instance", HUGE, ids=str)
def test_limits_are_of_any_magnitude(instance):
    for formulation in formulations_of(problem_of(instance)):
        model = formulation.encoded(instance).model
        assert CpSat().minimise(model, Budget()).cost == best_of(instance)


@pytest.mark.parametrize(("name", "formulation"), NAMED)
def test_points_are_of_solutions_and_cost_no_more(name, formulation):
    """Or less, where groups are split; what is never better may be left out."""
    seen = 0
    for instance, encoding in encoded(name, formulation, 10, 6):
        for groups in partitions(instance.n):
            solution = completed(instance, Solution.of(groups))
            verdict = problem_of(instance).check(instance, solution)
            readable = verdict.feasible or name != "interval-covering"
            values = encoding.encode(solution) if readable else None
            if values is not None and encoding.model.admits(values):
                cost = encoding.model.cost(values)
                found = cost_of(instance, encoding.decode(values))
                assert found <= cost, (instance.to_dict(), solution)
                assert cost <= verdict.cost or not verdict.feasible
                seen += verdict.feasible
    assert seen
