"""What a result has to be, by both checkers."""

import json

import atleastk
from scripts import second_checker

__all__ = ["proved_twice", "solved_rightly"]


def proved_twice(instance, result):
    """Return whether the second checker finds a proof; both find nothing wrong."""
    assert atleastk.check(instance, result).feasible
    document = json.loads(json.dumps(result.to_dict()))
    return second_checker.check(json.loads(json.dumps(instance.to_dict())), document)


def solved_rightly(instance, result, least):
    """Return the same of a result of least cost; None: nothing is feasible."""
    status = "INFEASIBLE" if least is None else "OPTIMAL"
    assert (result.cost, str(result.status)) == (least, status), instance.to_dict()
    return proved_twice(instance, result)
