import random
from itertools import chain, combinations

import pytest

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.connected_partition import AdmissibleParts, Steps
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.connected_partition import open_windows
from atleastk.solvers.brute_force.connected_partition import is_connected


def keeps(part, decided):
    inside = set(part)
    return all(
        not (decided.apart[u, v] and v in inside)
        and (v in inside or not decided.together[u, v])
        for u in part
        for v in range(len(decided.inside))
    )


def decisions(rng, n):
    decided = Decided.nothing(n)
    for _ in range(rng.choice([0, 1, 2, 3]) if n > 1 else 0):
        decided = rng.choice(decided.by_pair(*rng.sample(range(n), 2)))
    return decided


def admissible(neighbours, weights, window):
    nodes = range(len(weights))
    edges = [(u, v) for u in nodes for v in neighbours[u]]
    for part in chain.from_iterable(combinations(nodes, size + 1) for size in nodes):
        if not window.holds(sum(weights[v] for v in part)):
            continue
        if is_connected(part, edges) and leaves(part, neighbours, weights, window):
            yield part


def leaves(part, neighbours, weights, window):
    rest = set(range(len(weights))) - set(part)
    fewest = most = 0
    while rest:
        inside = [min(rest)]
        for u in inside:
            inside += [v for v in neighbours[u] if v in rest and v not in inside]
        rest -= set(inside)
        weight = sum(weights[v] for v in inside)
        counts = [
            m
            for m in range(1, window.parts + 1)
            if m * window.least <= weight <= m * window.most
        ]
        if not counts:
            return False
        fewest, most = fewest + counts[0], most + counts[-1]
    return fewest <= window.parts - 1 <= most


def test_the_greatest_value_is_that_of_all_parts():
    rng = random.Random(3)
    found = 0
    for _ in range(150):
        n = rng.randint(1, 7)
        weights = [rng.choice([0, 1, 2, 5]) for _ in range(n)]
        edges = {(i, rng.randrange(i)) for i in range(1, n)}
        edges |= {(i, j) for i in range(n) for j in range(i) if rng.random() < 0.2}
        around = [[u + v - i for u, v in edges if i in (u, v)] for i in range(n)]
        for window in open_windows(weights, rng.randint(1, 4), rng.randint(3, 12)):
            values = [rng.randint(-3, 5) for _ in range(n)]
            above = rng.randint(-4, 6)
            decided = decisions(rng, n)
            every = admissible(around, weights, window)
            parts = [part for part in every if keeps(part, decided)]
            sums = [sum(values[v] for v in part) for part in parts]
            graph = AdmissibleParts.of(around, weights, window, decided)
            listed = [tuple(part) for part in graph.listed(Steps())]
            assert sorted(listed) == sorted(parts)
            best = graph.most_valuable(values, above, Steps())
            if max(sums, default=above) <= above:
                assert best is None
            else:
                found += 1
                assert best is not None
                value, part = best
                assert value == max(sums) == sum(values[v] for v in part)
                assert tuple(part) in set(admissible(around, weights, window))
    assert found > 50


def test_steps_end():
    window = open_windows([1] * 6, 2, 3)[0]
    graph = AdmissibleParts.of(
        [[j for j in range(6) if j != i] for i in range(6)], [1] * 6, window
    )
    assert graph.most_valuable([1] * 6, 0, Steps()) is not None
    with pytest.raises(NotApplicableError, match="too many"):
        graph.most_valuable([1] * 6, 0, Steps(3))
