"""Items can be placed wherever enumeration finds groups, within all windows."""

import random

import pytest

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.encodings.pair_partition import placed_model
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.budget import Budget
from scripts.sweeps.drawn_pairs import MODERATE, random_pairs


@pytest.mark.parametrize("seed", range(60))
def test_places_are_found_wherever_there_are_groups(seed):
    instance = random_pairs(random.Random(seed), MODERATE, 7)
    if not instance.counts or instance.connected:
        return
    every = map(Solution.of, partitions(instance.n))
    feasible = [each for each in every if not check(instance, each).violations]
    encoding = placed_model(instance)
    answer = CpSat().minimise(encoding.model, Budget())
    if not feasible:
        assert answer.status is Status.INFEASIBLE
        return
    found = encoding.decode(answer.values)
    assert not check(instance, found).violations
    for each in feasible[:5]:
        values = encoding.encode(each)
        assert encoding.model.admits(values)
        assert encoding.decode(values) == each


def test_connected_groups_are_refused():
    instance = PairPartition(items=3, costs=[[0, 1, 1]], k=1, connected=True)
    with pytest.raises(NotApplicableError, match="connected"):
        placed_model(instance)
