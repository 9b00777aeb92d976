"""Fold and Spread against a reading of the paper that steps from item to item."""

import random

import pytest

from atleastk.solvers.bin_covering.algorithms.greedy_bins import (
    Leftovers,
    costs_over_k,
    pack,
)
from atleastk.solvers.compiled import rows


def literal(sizes, k, leftovers):
    levels, open_level, rest = [x for x in sizes if x >= k], 0, []
    for size in (x for x in sizes if x < k):
        open_level += size
        rest.append(size)
        if open_level >= k:
            levels.append(open_level)
            open_level, rest = 0, []
    if leftovers is Leftovers.FOLD_LAST:
        levels[-1] += open_level
        return levels
    if leftovers is Leftovers.FOLD_LEAST:
        levels[levels.index(min(levels))] += open_level
        return levels
    turn, most = None, max(levels)
    for size in rest:
        home = levels.index(min(levels))
        if leftovers is Leftovers.SPREAD:
            if turn is None and levels[home] + size > most:
                turn = 0
            if turn is not None:
                home, turn = turn % len(levels), turn + 1
        levels[home] += size
    return levels


@pytest.mark.parametrize("few", [0, rows.FEW])
@pytest.mark.parametrize("leftovers", Leftovers)
def test_bins_are_those_of_the_text(leftovers, few, monkeypatch):
    monkeypatch.setattr(rows, "FEW", few)
    rng = random.Random(int(leftovers))
    for _ in range(300):
        sizes = [rng.randint(1, 12) for _ in range(rng.randint(1, 25))]
        ks = range(1, sum(sizes) + 1)
        expected = [literal(sizes, k, leftovers) for k in ks]
        assert costs_over_k(sizes, ks, leftovers) == list(map(max, expected)), sizes
        k = rng.choice(ks)
        groups = pack(sizes, k, range(len(sizes)), leftovers)
        found = sorted(sum(sizes[i] for i in group) for group in groups)
        assert found == sorted(literal(sizes, k, leftovers)), (sizes, k)


def test_magnitude_changes_nothing():
    rng = random.Random(9)
    sizes = [rng.randint(1, 30) for _ in range(40)]
    ks = range(5, 200)
    plain = costs_over_k(sizes, ks, Leftovers.SPREAD)
    scale = 2**80
    scaled = [size * scale for size in sizes]
    huge = costs_over_k(scaled, [k * scale for k in ks], Leftovers.SPREAD)
    assert huge == [cost * scale for cost in plain]
