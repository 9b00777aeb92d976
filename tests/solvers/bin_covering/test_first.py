import random
from dataclasses import replace

import pytest
from searching import search_of

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import check
from atleastk.solvers.bin_covering import first
from atleastk.solvers.bin_covering.first import (
    begin,
    first_answers,
    part_counts,
    row_by_row,
)
from atleastk.solvers.compiled.rows import WORD
from scripts.sweeps import drawn_weights as sweep


def feasible_instances(seed, count):
    rng = random.Random(seed)
    while count:
        instance = sweep.random_bins(rng, 7, objectives=("max",))
        if instance.total >= instance.k:
            count -= 1
            yield rng, instance


def least_levels(profile, instance):
    least = {}
    for bins, low, high in profile(instance.sizes):
        if low >= instance.k:
            least[bins] = min(high, least.get(bins, high))
    return least


@pytest.mark.parametrize("share", [1, 2])
def test_bins_row_by_row_reach_k(share):
    for _, instance in feasible_instances(3, 200):
        if instance.total >= WORD:
            continue
        verdict = check(instance, row_by_row(instance, share))
        assert verdict.feasible, (instance, verdict.violations)


def test_many_bins_row_by_row_are_near_the_least_level():
    rng = random.Random(5)
    sizes = [rng.randint(1, 1_000) for _ in range(20_000)]
    instance = BinCovering(sizes, 5_000)
    *_, one, other = first_answers(instance)
    assert {one[0], other[0]} == {"whole rows", "half rows"}
    cost = min(check(instance, found).cost for _, found in (one, other))
    assert cost < 1.01 * instance.k


def test_a_sample_of_the_items_says_where_to_begin(monkeypatch):
    rng = random.Random(5)
    sizes = [rng.randint(1, 1_000) for _ in range(20_000)]
    instance = BinCovering(sizes, 5_000)
    plain = check(instance, row_by_row(instance)).cost
    monkeypatch.setattr(first, "_MANY", 5_000)
    assert check(instance, row_by_row(instance)).cost < 1.01 * plain
    monkeypatch.setattr(first, "_MANY", 5)
    monkeypatch.setattr(first, "_EVERY", 3)
    for _, small in feasible_instances(4, 200):
        if small.total < WORD:
            assert check(small, row_by_row(small)).feasible


def test_a_sample_takes_no_bins_away(monkeypatch):
    """Of 30 bins a sixteenth is one, which is 16 of all."""
    instance = BinCovering([1] * 300, 10)
    monkeypatch.setattr(first, "_MANY", 5)
    assert len(row_by_row(instance).groups) == 30


def test_items_of_few_bins_are_placed_one_by_one():
    instance = BinCovering([1] * 60_001, 20_000)
    (name, _), (other, found) = first_answers(instance)
    assert (name, other) == ("one bin", "longest first")
    assert check(instance, found).cost == 20_001


def test_sizes_beyond_64_bits_are_placed_longest_first():
    instance = BinCovering([2**61] * 12_000, 2**62)
    assert [name for name, _ in first_answers(instance)] == ["one bin", "longest first"]


def test_counting_leaves_open_what_some_bins_have(profile):
    for _, instance in feasible_instances(1, 150):
        search = search_of(instance)
        counts = part_counts(search)
        assert search.cost == instance.total
        for bins, level in least_levels(profile, instance).items():
            if level < search.cost:
                assert counts.level(bins) <= level, instance


def test_a_known_solution_is_kept():
    instance = BinCovering([3, 3, 3], 3)
    search = search_of(instance)
    assert [*part_counts(search).open_levels()] == [(3, 3), (5, 2)]
    search = search_of(instance)
    search.offer([[0], [1], [2]], "test")
    assert [*part_counts(search).open_levels()] == []
    assert search.cost == 3


@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_a_total_below_k_is_infeasible(objective):
    instance = BinCovering([2, 3], 6, objective)
    search = search_of(instance)
    assert not begin(search, "test")
    assert search.closed
    assert search.certificate == {"kind": "total"}
    assert begin(search_of(replace(instance, k=5)), "test")
