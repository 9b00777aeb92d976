"""A run of a study: one method or algorithm on one instance, performed anywhere."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NoAnswerError,
    NotApplicableError,
    WrongAnswerError,
)
from atleastk.instances.files.files import parse
from atleastk.instances.instance import Instance
from atleastk.research.studies.formulated import with_model
from atleastk.research.studies.spec import RunLimits
from atleastk.runs.ask import Ask
from atleastk.runs.by_force import prepare
from atleastk.runs.own_algorithms import Which, algorithm_of, error_line
from atleastk.runs.pools import memory_of_task
from atleastk.runs.registry import instance_from_dict, problem_of
from atleastk.runs.solving import approximated, solve_within
from atleastk.solvers.backends.backend import Tree
from atleastk.solvers.budget import Budget
from atleastk.solvers.left_behind import anybody_left_behind

METHOD: Final = "method"
ALGORITHM: Final = "algorithm"

REFUSED: Final = "REFUSED"
"""The method or algorithm does not take the instance."""
WRONG: Final = "WRONG"
"""The checker refused an answer, or a solver was caught in a contradiction."""
FAILED: Final = "FAILED"
"""It gave no answer."""

_TOGETHER: Final = 0.05
"""Seconds after which the rest of a bundle is given back: twice the time to submit one
on a busy machine (25 ms on Dask, 2 cores at a load of 18)."""

_CACHED: Final = 4
"""Instances in the cache of a worker: runs on one follow each other."""

_CACHE: Final[dict[str, Instance]] = {}
"""Those instances by their fingerprints, the last used one last."""


@dataclass(frozen=True, slots=True)
class Record:
    """The result of a run, or its error."""

    status: str
    """Of the result; or REFUSED, WRONG or FAILED, and then `error` says why."""
    trust: str | None = None
    cost: int | None = None
    bound: int | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """`seconds`, `cpu_seconds`: of the call alone, without making the instance; of
    processors, those of all threads of the process."""
    error: str | None = None
    result: str | None = None
    """The JSON object of the result, if there is one, without versions."""
    root: float | None = None
    nodes: int | None = None
    """`root`, `nodes`: of the tree of a formulation, as the solver tells of it."""


@dataclass(frozen=True, slots=True)
class Run:
    """What to run; it is pickled for a worker."""

    kind: str
    """METHOD or ALGORITHM."""
    which: Which
    instance: str
    sha256: str
    """`instance`, `sha256`: the JSON text of the instance, and its fingerprint; no text
    if the worker may have the instance."""
    seed: int
    limits: RunLimits
    folder: Path
    """The folder that names of files are relative to."""

    def __call__(self) -> Record:
        """Perform the run; an error ends up in the record."""
        started, used = time.perf_counter(), time.process_time()
        try:
            instance = _instance(self.sha256, self.instance)
            started, used = time.perf_counter(), time.process_time()
            answer = self._answer(instance)
        except NoAnswerError as error:  # a program that fails refuses nothing
            answer = {"status": FAILED, "error": _line(error)}
        except NotApplicableError as error:
            answer = {"status": REFUSED, "error": _line(error)}
        except WrongAnswerError as error:
            answer = {"status": WRONG, "error": _line(error)}
        except (Exception, SystemExit) as error:  # of an algorithm of one's own, say
            answer = {"status": FAILED, "error": error_line(error)}
        return Record(
            **answer,
            seconds=time.perf_counter() - started,
            cpu_seconds=time.process_time() - used,
        )

    def _answer(self, instance: Instance) -> dict[str, Any]:
        limits, problem = self.limits, problem_of(instance)
        budget = Budget.checked(
            limits.time_limit,
            limits.workers,
            self.seed,
            limits.memory_limit or memory_of_task() / 1e9,
            limits.work_limit,
        )
        trees: list[Tree] = []
        if self.kind == METHOD:
            ask = Ask(budget, str(self.which), limits.certify, limits.agree)
            problem = with_model(problem, str(self.which), trees)
            result = solve_within(instance, ask, problem).result
        else:
            algorithm = algorithm_of(
                problem, self.which, self.folder, limits.time_limit
            )
            result = approximated(
                problem, algorithm, instance, budget, limits.time_limit
            )
        document = result.to_dict()
        del document["versions"], document["problem"], document["instance_sha256"]
        return {
            "status": str(result.status),
            "trust": document["trust"],
            "cost": result.cost,
            "bound": result.bound,
            "result": json.dumps(document, separators=(",", ":")),
            **({"root": trees[0].root, "nodes": trees[0].nodes} if trees else {}),
        }


def perform(bundle: Sequence[Run]) -> Sequence[Record]:
    """Perform runs one after the other, until `_TOGETHER` seconds have passed.

    Or until the instance of one is not here, or a solver was left behind.
    """
    prepare()
    started, records = time.perf_counter(), list[Record]()
    for run in bundle:
        if not run.instance and run.sha256 not in _CACHE:
            break
        records.append(run())
        if time.perf_counter() - started > _TOGETHER or anybody_left_behind():
            break
    return records


def _instance(sha256: str, document: str) -> Instance:
    """Return an instance, from the cache if it is there."""
    found = _CACHE.pop(sha256, None) or instance_from_dict(
        parse(document, "instance", InvalidInstanceError)
    )
    _CACHE[sha256] = found
    if len(_CACHE) > _CACHED:
        del _CACHE[next(iter(_CACHE))]
    return found


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())
