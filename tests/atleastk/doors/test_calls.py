from dataclasses import dataclass
from inspect import Parameter, signature

import pytest

import atleastk
from atleastk.doors.calls import Call, OfTable, called_with
from atleastk.doors.clustering.cluster import ClusterRequest
from atleastk.doors.partitioning.partition import MapRequest


@dataclass(eq=False)
class Asked(Call, OfTable):
    """The parameters of `seconds_of`."""


@called_with(Asked)
def seconds_of(call: Asked) -> float | None:
    return call.time_limit


def test_a_function_is_called_with_the_fields_of_its_record():
    assert seconds_of([], time_limit=3.0) == 3.0
    assert list(signature(seconds_of).parameters)[:2] == ["table", "time_limit"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'seconds'"):
        seconds_of([], seconds=3.0)
    with pytest.raises(TypeError, match="missing a required argument: 'table'"):
        seconds_of()


@pytest.mark.parametrize(
    ("door", "request_", "first"),
    [
        (atleastk.cluster, ClusterRequest, ["table", "r", "columns"]),
        (atleastk.partition, MapRequest, ["source", "k"]),
    ],
)
def test_a_door_takes_its_request_and_the_limits_of_a_search(door, request_, first):
    taken = signature(door).parameters
    assert set(taken) == {first[0], *signature(request_).parameters, *LIMITS}
    placed = [
        p.name for p in taken.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD
    ]
    assert placed == first


LIMITS = ("time_limit", "workers", "seed", "method", "memory_limit", "on_event")
