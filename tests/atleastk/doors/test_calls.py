from inspect import Parameter, signature

import pytest

import atleastk
from atleastk.doors.clustering.cluster import ClusterRequest
from atleastk.doors.partitioning.partition import MapRequest


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
    with pytest.raises(TypeError, match="unexpected keyword argument 'seconds'"):
        door([], 2, seconds=3.0)
    with pytest.raises(TypeError, match=f"missing a required argument: '{first[0]}'"):
        door()


LIMITS = ("time_limit", "workers", "seed", "method", "memory_limit", "on_event")
