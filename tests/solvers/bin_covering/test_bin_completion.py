import random
from functools import partial

import numpy as np
import pytest

from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.bin_covering import bin_completion, enumeration
from atleastk.solvers.bin_covering.bin_completion import MOST_ITEMS, complete_bins
from atleastk.solvers.bin_covering.enumeration import (
    _enumerate,
    _enumerate_big,
    _enumerate_halves,
)
from atleastk.solvers.budget import Budget

SCALES = (1, 1, 1, 2**28, 2**31, 2**58, 2**59, 2**61, 2**62, 2**90)
"""Sums beyond 2^62, and products of two sums beyond 2^62 or not, are among them."""
ENOUGH = 10**6


def random_sizes(rng):
    scale, n = rng.choice(SCALES), rng.randint(1, 8)
    high = rng.choice([1, 3, 6, 20, 1000])
    sizes = [scale * rng.randint(1, high) for _ in range(n)]
    if rng.random() < 0.3:
        sizes[0] = scale * (2 * high + rng.randint(0, high))
    if rng.random() < 0.3:
        sizes = [max(1, size + rng.randint(-1, 1)) for size in sizes]
    return sizes


def random_window(rng, sizes, seen):
    n, total = len(sizes), sum(sizes)
    bins, low, high = rng.choice(sorted(seen))
    bins = rng.choice([bins, bins, bins, rng.randint(1, n + 1)])
    low = rng.choice([1, low, low, low + 1, low - 1, rng.randint(1, total)])
    high = rng.choice([high, high, high - 1, high + 1, total, 2**63 + 5])
    return bins, max(1, low), high


def exists(seen, bins, low, high):
    return any(m == bins and low <= a and b <= high for m, a, b in seen)


def truth(possible):
    return Status.FEASIBLE if possible else Status.INFEASIBLE


def assert_fits(sizes, answer, window):
    levels = [sum(sizes[i] for i in group) for group in answer.found]
    assert sorted(i for group in answer.found for i in group) == [*range(len(sizes))]
    assert len(levels) == window.parts
    assert all(map(window.holds, levels)), levels


def before(run, event):
    """Return a function to which something happens as it begins."""

    def runs(*arguments):
        event()
        return run(*arguments)

    return runs


def cases(seed, lists, windows, profile):
    rng = random.Random(seed)
    for _ in range(lists):
        sizes = random_sizes(rng)
        seen = profile(sizes)
        for _ in range(windows):
            bins, low, high = random_window(rng, sizes, seen)
            case = f"seed {seed}: {sizes}, {bins} bins in [{low}, {high}]"
            wanted, possible = Window(bins, low, high), exists(seen, bins, low, high)
            yield rng, sizes, wanted, possible, case


@pytest.mark.parametrize(
    ("seed", "lists"),
    [(0, 60), (1, 60), (2, 60), pytest.param(100, 2_000, marks=pytest.mark.sweep)],
)
def test_outcomes_are_those_of_all_partitions(seed, lists, profile):
    outcomes = dict.fromkeys(Status, 0)
    for rng, sizes, wanted, possible, case in cases(seed, lists, 10, profile):
        budget = Budget(workers=rng.choice([1, 1, 1, 2]))
        answer = complete_bins(sizes, wanted, budget)
        outcomes[answer.status] += 1
        assert answer.status is truth(possible), case
        if possible:
            assert_fits(sizes, answer, wanted)
        else:
            assert answer.found is None, case
    assert outcomes[Status.FEASIBLE] > 150
    assert outcomes[Status.INFEASIBLE] > 150


@pytest.mark.parametrize("cap", ["most_nodes", "most_patterns"])
def test_caps_stop_and_never_lie(cap, profile):
    stopped = decided = 0
    for rng, sizes, wanted, possible, case in cases(7, 60, 5, profile):
        limit = {cap: rng.choice([0, 1, 2, 3, 5, 10, 30])}
        budget = Budget(workers=rng.choice([1, 1, 2]))
        answer = complete_bins(sizes, wanted, budget, **limit)
        if answer.status is Status.UNKNOWN:
            stopped += 1
            assert answer.found is None, case
            continue
        decided += 1
        assert answer.status is truth(possible), (case, limit)
        if possible:
            assert_fits(sizes, answer, wanted)
    assert stopped > 30
    assert decided > 30


@pytest.mark.parametrize("scale", [1, 2**62])
def test_no_bins_no_window(scale):
    sizes = [3 * scale, 2 * scale, 2 * scale]
    for bins, low, high in (
        (4, 1, 7 * scale),
        (2, 4 * scale, 3 * scale),
        (2, 4 * scale, 7 * scale),
        (2, 1, 3 * scale),
        (3, 1, 2 * scale),
    ):
        answer = complete_bins(sizes, Window(bins, low, high), Budget())
        assert answer.status is Status.INFEASIBLE, (bins, low, high)
        assert answer.nodes == 0 or max(sizes) > high


def test_as_many_items_as_a_mask_has_bits():
    sizes = list(range(1, 65))
    for workers in (1, 2):
        answer = complete_bins(sizes, Window(32, 65, 65), Budget(workers=workers))
        assert answer.status is Status.FEASIBLE
        assert_fits(sizes, answer, Window(32, 65, 65))
    scaled = [size << 70 for size in sizes]
    answer = complete_bins(scaled, Window(32, 65 << 70, 65 << 70), Budget())
    assert_fits(scaled, answer, Window(32, 65 << 70, 65 << 70))
    odd = [7, 1, 1, *[3] * 61]
    assert complete_bins(odd, Window(32, 6, 6), Budget()).status is Status.INFEASIBLE
    with pytest.raises(ValueError, match=f"takes {MOST_ITEMS} items at most, not 65"):
        complete_bins([1] * 65, Window(5, 1, 65), Budget())


def test_enumerators_agree_with_all_subsets():
    rng = random.Random(5)
    flag = np.zeros(1, dtype=np.uint8)
    for _ in range(150):
        high_size = rng.choice([1, 4, 50, 2**57])
        n = rng.randint(1, 9)
        sizes = sorted((rng.randint(1, high_size) for _ in range(n)), reverse=True)
        low = rng.randint(1, sum(sizes))
        high = rng.randint(low, sum(sizes))
        subsets = {}
        for mask in range(1, 1 << n):
            level = sum(size for i, size in enumerate(sizes) if mask >> i & 1)
            if low <= level <= high:
                subsets[mask] = level
        array = np.array(sizes, dtype=np.int64)
        case = (sizes, low, high)
        for most in (len(subsets), len(subsets) - 1):
            if most < 0:
                continue
            whole = most == len(subsets)
            for masks, levels, complete in (
                _enumerate(array, low, high, most, ENOUGH, flag),
                _enumerate_halves(array, low, high, most),
            ):
                assert complete == whole, case
                listed = list(zip(masks.tolist(), levels.tolist(), strict=True))
                assert len(set(listed)) == len(listed) == most, case
                assert set(listed) <= set(subsets.items()), case
            big = _enumerate_big(sizes, low, high, most, flag)
            assert (big is not None) == whole, case
            if big is not None:
                listed = list(zip(big[0].tolist(), big[1], strict=True))
                assert sorted(listed) == sorted(subsets.items()), case


def test_enumeration_ends_at_its_steps_and_at_the_flag():
    sizes = np.arange(30, 0, -1, dtype=np.int64)
    flag = np.zeros(1, dtype=np.uint8)
    masks, _, complete = _enumerate(sizes, 100, 110, ENOUGH, 1000, flag)
    assert not complete
    assert len(masks) < 1000
    flag[0] = 1
    masks, _, complete = _enumerate(sizes, 100, 110, ENOUGH, ENOUGH, flag)
    assert not complete
    assert len(masks) < 5000


def test_many_items_a_bin_are_listed_by_halves():
    rng = random.Random(3)
    sizes = [rng.randint(10**11, 10**12) for _ in range(25)]
    sizes.append(abs(sum(sizes[:13]) - sum(sizes[13:])))
    level = sum(sizes) // 2
    answer = complete_bins(sizes, Window(2, level, level), Budget())
    assert answer.status is Status.FEASIBLE
    assert_fits(sizes, answer, Window(2, level, level))
    sizes[answer.found[0][0]] += 1
    sizes[answer.found[0][1]] += 1
    answer = complete_bins(sizes, Window(2, level + 1, level + 1), Budget())
    assert answer.status is Status.INFEASIBLE


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_ends_the_search(workers, monkeypatch, clock, patiently):
    rng = random.Random(1)
    sizes = [rng.randint(10**5, 10**6) for _ in range(60)]
    level = sum(sizes) // 15
    stopped, brief = Budget(workers=workers), Budget.of(10, workers=workers)
    ends = [(stopped, stopped.stop.set), (brief, partial(clock.put_forward, 10))]
    for budget, end in ends:
        search = before(bin_completion._search, end)
        monkeypatch.setattr(bin_completion, "_search", search)
        answer = patiently(
            partial(complete_bins, sizes, Window(15, 1, level + 100), budget)
        )
        assert answer.status is Status.UNKNOWN
        assert answer.nodes > 0


def test_a_stopped_budget_never_lies(profile):
    for _, sizes, wanted, possible, case in cases(11, 30, 3, profile):
        answer = complete_bins(sizes, wanted, Budget.of(0))
        if answer.status is not Status.UNKNOWN:
            assert answer.status is truth(possible), case


def test_one_worker_is_deterministic():
    rng = random.Random(9)
    sizes = [rng.randint(100, 999) for _ in range(24)]
    level = -(-sum(sizes) // 6)
    first = complete_bins(sizes, Window(6, 1, level + 2), Budget())
    assert first.status is Status.FEASIBLE
    assert complete_bins(sizes, Window(6, 1, level + 2), Budget()) == first


def test_a_stop_ends_the_enumeration_of_huge_numbers(monkeypatch, clock, patiently):
    rng = random.Random(1)
    sizes = [rng.randint(2**79, 2**80) for _ in range(28)]
    late = before(enumeration._enumerate_big, partial(clock.put_forward, 10))
    monkeypatch.setattr(enumeration, "_enumerate_big", late)
    budget, level = Budget.of(10), sum(sizes) // 3 + 2**40
    answer = patiently(lambda: complete_bins(sizes, Window(3, 1, level), budget))
    assert (answer.status, answer.nodes) == (Status.UNKNOWN, 0)
