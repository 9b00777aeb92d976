import random

import numpy as np
import pytest
from maps import random_component

from atleastk import ConnectedPartition
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.connected_sets import connected_sets
from atleastk.solvers.connected_partition.support import supported

FLAG = np.zeros(1, dtype=np.uint8)


def nodes_of(sets):
    return {tuple(sets.nodes(i)) for i in range(len(sets))}


def path(n):
    edges = [(i, i + 1) for i in range(n - 1)]
    return components_of(ConnectedPartition([1] * n, edges, 1))[0]


def test_parts_that_cut_off_a_node_go():
    sets = connected_sets(path(5), 2, 3, Budget(), 100)
    left = nodes_of(supported(path(5), sets, FLAG))
    assert left == {(0, 1), (0, 1, 2), (2, 3, 4), (3, 4)}


def test_a_node_in_no_part_takes_all():
    sets = connected_sets(path(6), 2, 2, Budget(), 100)
    wanted = [sets.nodes(i) in ([0, 1], [2, 3], [4, 5]) for i in range(len(sets))]
    halves = sets.only(np.array(wanted))
    assert len(supported(path(6), halves, FLAG)) == 3
    assert len(supported(path(6), halves.only(np.array([0, 1])), FLAG)) == 0


@pytest.mark.parametrize("seed", range(20))
def test_those_that_stay_leave_a_part_to_every_node_beside_them(seed):
    component = random_component(random.Random(seed), 9)
    sets = connected_sets(component, 3, 9, Budget(), 10**5)
    left = nodes_of(supported(component, sets, FLAG))
    for part in left:
        beside = {u for v in part for u in component.neighbours[v]} - {*part}
        assert all(
            any(u in other and not {*other} & {*part} for other in left) for u in beside
        )
