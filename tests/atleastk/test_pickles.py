"""What crosses a pool of processes: results, instances, verdicts and errors."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import atleastk
from atleastk import AtleastkError, NotApplicableError
from atleastk.runs import registry

NAMES = sorted(registry.PROBLEMS)


def crossed(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("name", NAMES)
def test_instances_results_and_verdicts_arrive_as_they_were(solved, name):
    for instance, result in solved(name):
        assert crossed(instance) == instance
        assert crossed(instance).sha256 == instance.sha256
        assert crossed(result) == result
        verdict = atleastk.check(instance, result)
        assert crossed(verdict) == verdict


@pytest.mark.parametrize("name", NAMES)
def test_results_of_algorithms_arrive_with_their_promise(solved, name):
    for algorithm in registry.PROBLEMS[name].algorithms:
        assert crossed(algorithm.guarantee) == algorithm.guarantee
        ran = 0
        for instance, optimal in solved(name):
            if optimal.cost is None:
                continue
            try:
                result = atleastk.approximate(instance, algorithm.name)
            except NotApplicableError:
                continue
            ran += 1
            again = crossed(result)
            assert again == result
            promise = again.guarantee
            if promise is not None:
                assert promise.holds(instance, result.cost, optimal.cost)
        assert ran, algorithm.name


@pytest.mark.parametrize("name", NAMES)
def test_generated_instances_arrive(name):
    for family in registry.PROBLEMS[name].families:
        made = family.make(3)
        assert crossed(made) == made


def kinds_of(error):
    yield error
    for kind in error.__subclasses__():
        yield from kinds_of(kind)


@pytest.mark.parametrize("kind", sorted(set(kinds_of(AtleastkError)), key=str))
def test_errors_arrive_with_their_message(kind):
    error = crossed(kind("sizes[0]: expected an integer"))
    assert type(error) is kind
    assert str(error) == "sizes[0]: expected an integer"
    assert type(kind.__new__(kind)) is kind  # as schedulers unpickle them


def test_a_pool_of_processes_runs_algorithms():
    instance = atleastk.BinCovering([10, 6, 6, 6], 10)
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        result = pool.submit(atleastk.approximate, instance, "five-halves").result()
        here = atleastk.approximate(instance, "five-halves")
        assert (result.groups, result.guarantee) == (here.groups, here.guarantee)
        with pytest.raises(atleastk.UnknownNameError, match="five-halves"):
            pool.submit(atleastk.approximate, instance, "five-halfs").result()
