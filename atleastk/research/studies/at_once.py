"""A study in one call, in this thread and without a file: ``atleastk.ratio``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import plain_name
from atleastk.instances.instance import Instance
from atleastk.research.studies.conduct import conduct
from atleastk.research.studies.ratios import Ratios
from atleastk.research.studies.spec import RunLimits, Study
from atleastk.runs.api import load_all
from atleastk.runs.ask import AUTO
from atleastk.runs.own_algorithms import Which, problem_of_algorithm
from atleastk.runs.pools import Here
from atleastk.solvers.method import Algorithm


def ratio(
    algorithm: Which | Sequence[Which],
    instances: Iterable[Instance] | Instance | str | PathLike[str],
    *,
    problem: str | None = None,
    seeds: int | Sequence[int] = 100,
    method: str = AUTO,
    time_limit: float | None = 60.0,
    seed: int = 0,
    **parameters: int | str,
) -> Ratios:
    """Compare an algorithm, or several, with the optima of instances.

    Every answer is checked and every promise tested. Instances without a solution are
    left out, and those that come twice count once.

    Parameters
    ----------
    algorithm
        A function from an instance to groups, a name, or several of them; see
        :func:`atleastk.approximate`.
    instances
        Instances, a file of them, or the name of a family of generated ones.
    problem
        The problem of a family; needless if an algorithm is marked with it by
        :func:`atleastk.algorithm`.
    seeds
        How many instances of a family, or their seeds.
    method
        The exact method that finds the optima.
    time_limit
        The seconds that every run may take.
    seed
        The seed of every run.
    parameters
        Parameters of the family; a list stands for each of its values.

    Examples
    --------
    >>> small = {"n": 6, "low": 1, "high": 9, "k": 10, "problem": "bin-covering"}
    >>> found = atleastk.ratio("fold", "uniform", seeds=5, **small)
    >>> found["fold"].solved, found["fold"].broken
    (5, [])
    """
    if isinstance(algorithm, str | Algorithm) or callable(algorithm):
        algorithm = [algorithm]
    given = _given(instances, seeds, parameters)
    named = [problem, *(getattr(each, "problem", None) for each in given[:1])]
    named += map(problem_of_algorithm, algorithm)
    known = next(filter(None, named), None)
    if known is None:
        raise InvalidInstanceError(
            "problem: give the name of one, or mark an algorithm with it"
        )
    study = Study(
        problem=known,
        instances=given,
        algorithms=algorithm,
        methods=[method],
        seeds=[seed],
        limits=RunLimits(time_limit=time_limit),
    )
    return conduct(study, executor=Here()).ratios()


def drawn(
    instances: Iterable[Instance] | Instance | str | PathLike[str],
    problem: str,
    seeds: int | Sequence[int],
    parameters: Mapping[str, int | str],
) -> Iterator[Instance]:
    """Yield instances, those of a file, or those of a family of a problem."""
    for each in _given(instances, seeds, parameters):
        if isinstance(each, Instance):
            yield each
        else:
            yield from Study(problem=problem, instances=[each], algorithms=()).drawn()


def _given(
    instances: Iterable[Instance] | Instance | str | PathLike[str],
    seeds: int | Sequence[int],
    parameters: Mapping[str, int | str],
) -> Sequence[Any]:
    """Return instances, or a family of them as an entry of a study."""
    if isinstance(instances, Instance):
        return [instances]
    if not isinstance(instances, str | PathLike):
        return list(instances)
    if Path(plain_name(instances)).suffix in (".json", ".jsonl"):
        return load_all(instances)
    return [{"family": fspath(instances), "seeds": seeds, **parameters}]
