"""Records of finds: whether one is new, and its ratio for other algorithms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from atleastk.research.adversary.judging import FaultError, Judge
from atleastk.runs.registry import instance_from_dict
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem

Record = Mapping[str, Any]
"""The JSON object of a find."""


def least_of(record: Record) -> int:
    """Return the denominator of the ratio of a record: the optimum if it is known.

    Records of earlier versions have an optimum only.
    """
    least: int = record.get("best_known") or record["optimum"]
    return least


def is_new(record: Record, before: Iterable[Record]) -> bool:
    """Tell whether a record is the worst of its algorithm, or a new fault."""
    same = [other for other in before if _place(other) == _place(record)]
    if record["ratio"] is None:
        return all(_document(other) != _document(record) for other in same)
    return bool(record["ratio"] > max((r["ratio"] or 0 for r in same), default=0))


def judged_for_all(
    problem: Problem[Any],
    records: Sequence[Record],
    algorithms: Iterable[Algorithm[Any]],
) -> Iterator[dict[str, Any]]:
    """Yield new records of other algorithms on the instances of `records`.

    An algorithm that fails there has a record of a fault.
    """
    found = list(records)
    for algorithm in algorithms:
        judge = Judge(problem, algorithm)
        for record in records:
            if record["ratio"] is None or record["algorithm"] == algorithm.name:
                continue
            other = _judged(judge, record)
            if other is not None and is_new(other, found):
                found.append(other)
                yield other


def _judged(judge: Judge, record: Record) -> dict[str, Any] | None:
    """Return the record of an algorithm on a known instance; None if it refuses it."""
    instance, least = instance_from_dict(record["instance"]), least_of(record)
    name = judge.algorithm.name
    try:
        cost = judge.cost(instance)
        message = f"breaks its promise: its cost is {cost}, that of a solution {least}"
        broken = cost is not None and judge.breaks(instance, cost, least)
    except FaultError as error:
        broken, message, cost = True, str(error), None
    if broken:
        unchanged = {
            key: record[key] for key in ("instance", "date", "seed", "version")
        }
        return {"algorithm": name, "ratio": None, "fault": message, **unchanged}
    if cost is None:
        return None
    return {
        **record,
        "algorithm": name,
        "ratio": instance.ratio(cost, least),
        "cost": cost,
        "exhausted": "",
        "exhausted_instances": 0,
        "exhausted_ratio": 0.0,
        "plants": 0,
        "seconds": 0.0,
    }


def _document(record: Record) -> Any:
    return json.loads(json.dumps(record["instance"]))


def _place(record: Record) -> tuple[str, str]:
    return record["instance"]["problem"], record["algorithm"]
