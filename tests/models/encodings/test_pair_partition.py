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
from atleastk.solvers.budget import Budget


def partitions(items):
    if not items:
        yield []
        return
    first, *rest = items
    for groups in partitions(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


def drawn(seed):
    rng = random.Random(seed)
    n = rng.randint(3, 7)
    require = []
    if rng.random() < 0.5:
        require.append({"of": "items", "at_most": rng.randint(2, 4)})
    if rng.random() < 0.6:
        kinds = [rng.choice("fm") for _ in range(n)]
        require.append({"of": kinds, "at_least": rng.randint(1, 2)})
    if rng.random() < 0.6:
        amounts = [rng.randint(-2, 3) for _ in range(n)]
        low = rng.randint(-2, 2)
        require.append({"of": amounts, "at_least": low, "at_most": low + 3})
    items = list(range(n))
    lists = {
        "require": require or None,
        "together": [rng.sample(items, 2)] if rng.random() < 0.4 else None,
        "apart": [rng.sample(items, rng.randint(2, 3))] if rng.random() < 0.4 else None,
    }
    parts = rng.randint(1, n)
    groups = [parts, rng.randint(parts, n)] if rng.random() < 0.4 else None
    k = rng.randint(1, 3)
    return PairPartition(items=n, costs=[[0, 1, 1]], k=k, groups=groups, **lists)


@pytest.mark.parametrize("seed", range(60))
def test_places_are_found_wherever_there_are_groups(seed):
    instance = drawn(seed)
    if not instance.counts:
        return
    every = map(Solution.of, partitions(list(range(instance.n))))
    feasible = [each for each in every if not check(instance, each).violations]
    encoding = placed_model(instance)
    answer = CpSat().minimise(encoding.model, Budget())
    if not feasible:
        assert answer.status is Status.INFEASIBLE
        return
    found = Solution.of(encoding.decode(answer.values))
    assert not check(instance, found).violations
    for each in feasible[:5]:
        values = encoding.encode(each.groups)
        assert encoding.model.admits(values)
        assert Solution.of(encoding.decode(values)) == each


def test_connected_groups_are_refused():
    instance = PairPartition(items=3, costs=[[0, 1, 1]], k=1, connected=True)
    with pytest.raises(NotApplicableError, match="connected"):
        placed_model(instance)
