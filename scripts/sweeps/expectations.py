"""Expectations: what has to be true of every result, by the judge and the checker."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

import atleastk
from atleastk import Result, Status
from scripts.sweeps.judges import Judge

Document = Mapping[str, Any]

_BY_GROUP: Final = ("groups", "centres", "rectangles", "levels")
"""Fields of a result with an entry for every group."""


class WrongError(Exception):
    """What a run did wrong."""


def expect(true: bool, message: str) -> None:
    """Raise WrongError unless something is true."""
    if not true:
        raise WrongError(message)


def expect_same_instance(instance: Any) -> None:
    again = atleastk.from_dict(json.loads(json.dumps(instance.to_dict())))
    expect(again == instance, "its JSON object is another instance")
    expect(again.sha256 == instance.sha256, "its JSON object has another sha256")
    copied = pickle.loads(pickle.dumps(instance))
    expect(copied == instance, "its pickle is another instance")


def expect_true(instance: Any, result: Result, judge: Judge) -> None:
    """Expect all that a result says to be true, by the judge and the checker."""
    best, claimed = judge.best, claim_of(result)
    known = "infeasible" if best is None else f"the optimum is {best}"
    match result.status:
        case Status.INFEASIBLE:
            expect(best is None, f"{claimed}, but {known}")
        case Status.OPTIMAL | Status.FEASIBLE:
            cost = expect_own_cost(result, judge.cost)
            expect(best is not None and best <= cost, f"{claimed}, but {known}")
            exact = result.status is Status.OPTIMAL
            expect(not exact or cost == best, f"{claimed}, but {known}")
    if best is not None and result.bound is not None:
        expect(result.bound <= best, f"{claimed}, but {known}")
    _expect_true_events(result, best)
    expect_checked(instance, result, result.cost)
    _expect_same_result(instance, result)


def expect_own_cost(result: Result, cost: Callable[[Document], int | None]) -> int:
    """Expect a solution to cost what its result says, and return that."""
    found = cost(json.loads(result.to_json()))
    true = found is not None and found == result.cost
    expect(true, f"{claim_of(result)}, but its solution costs {found}")
    return found or 0


def claim_of(result: Result) -> str:
    """Return what a result claims."""
    return f"{result.status} [{result.bound}, {result.cost}]"


def _expect_true_events(result: Result, best: int | None) -> None:
    for event in result.events:
        low = event.bound is None or best is None or event.bound <= best
        high = event.cost is None or (best is not None and event.cost >= best)
        expect(low and high, f"{event}, but the optimum is {best}")
    for before, after in pairwise(result.events):
        later = before.seconds <= after.seconds
        lower = before.cost is None or (after.cost or 0) <= before.cost
        higher = before.bound is None or (
            after.bound is not None and after.bound >= before.bound
        )
        expect(later and lower and higher, f"{after} after {before}")


def expect_checked(instance: Any, claim: Any, cost: int | None) -> None:
    """Expect the checker to accept a true result, and to find its cost."""
    verdict = atleastk.check(instance, claim)
    expect(verdict.feasible, f"check refuses its result: {verdict.violations}")
    expect(verdict.cost == cost, f"check says {verdict.cost}, the result {cost}")


def _expect_same_result(instance: Any, result: Result) -> None:
    """Expect a result to survive JSON and pickle, and another order of its groups."""
    document = json.loads(result.to_json())
    read = Result.from_dict(document)
    plain = {**json.loads(read.to_json()), "guarantee": document.get("guarantee")}
    expect(
        plain == {**document, "guarantee": document.get("guarantee")},
        "its JSON object is another result",
    )
    expect_checked(instance, document, result.cost)
    if result.solution is not None and len(result.solution.groups) > 1:
        expect_checked(instance, permuted(document), result.cost)
    copied = pickle.loads(pickle.dumps(result))
    expect(json.loads(copied.to_json()) == document, "its pickle is another result")


def permuted(document: Document) -> dict[str, Any]:
    """Return a result whose groups are in another order, and with them their fields."""
    count = len(document["groups"])
    turned = {
        name: [*document[name][1:], document[name][0]]
        for name in _BY_GROUP
        if len(document.get(name) or ()) == count
    }
    turned["groups"] = [group[::-1] for group in turned["groups"]]
    return {**document, **turned}
