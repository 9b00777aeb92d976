from itertools import pairwise, product
from random import Random

import pytest

from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.instances.reductions.wiring import wiring_of


@pytest.mark.parametrize("seed", range(20))
def test_crossings_sort_the_wires(seed):
    rng = Random(seed)
    n = rng.randint(1, 4)
    every = list(product(range(n), repeat=3))
    triples = rng.sample(every, rng.randint(0, min(8, len(every))))
    problem = ThreeDimensionalMatching(n, triples)
    wiring = wiring_of(problem)
    assert sorted(wiring.elements) == list(range(3 * n))
    for i, held in enumerate(problem.sets):
        assert sorted(wiring.ends[3 * i : 3 * i + 3]) == sorted(held)
    wires = list(range(len(wiring.ends)))
    crossed = set()
    for layer in wiring.layers:
        assert layer
        assert all(q - p > 1 for p, q in pairwise(layer))
        for p in layer:
            pair = frozenset(wires[p : p + 2])
            assert pair not in crossed
            crossed.add(pair)
            wires[p], wires[p + 1] = wires[p + 1], wires[p]
    assert len(crossed) == sum(map(len, wiring.layers))
    reached = [wiring.ends[wire] for wire in wires]
    expected = [
        element
        for element, degree in zip(wiring.elements, wiring.degrees, strict=True)
        for _ in range(degree)
    ]
    assert reached == expected
