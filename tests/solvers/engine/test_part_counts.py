import random

import pytest

from atleastk.models.windows import Window
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.part_counts import PartCounts


def next_window(counts):
    level = counts.bound
    return None if level is None else next(counts.open_windows(level))


def test_the_first_levels_are_those_of_counting():
    counts = PartCounts(total=25, k=6, floor=0)
    assert [*counts.open_levels()] == [(7, 4), (9, 3), (13, 2), (25, 1)]
    assert counts.bound == counts.level(4) == 7
    assert next_window(counts) == Window(4, 6, 7)
    assert [*PartCounts(25, 6, 10).open_levels()] == [(10, 3), (13, 2), (25, 1)]
    assert [*PartCounts(25, 6, 0, most_parts=2).open_levels()] == [(13, 2), (25, 1)]
    assert PartCounts(2**62, 1, 5, most_parts=3).bound == -(-(2**62) // 3)


def test_the_window_of_a_number_of_parts():
    counts = PartCounts(25, 6, 0)
    assert counts.window(4, 7) == Window(4, 6, 7)
    assert counts.window(3, 8) is None
    assert counts.window(3, 20) == Window(3, 6, 13)
    assert counts.window(5, 25) is None
    assert counts.most_level(3) == 13
    assert counts.window(3, 14) == counts.window(3, 13)


def test_refuting():
    counts = PartCounts(25, 6, 0)
    counts.refute(4, 7)
    assert counts.level(4) is None  # a fourth part of 8 leaves less than 18
    assert next_window(counts) == Window(3, 7, 9)
    counts.refute(3, 8)
    assert counts.level(3) == 9
    counts.refute(3, 9)
    assert counts.level(3) == 10
    counts.refute(4, 99)
    assert counts.bound == 10


def test_a_floor_closes_what_is_below():
    counts = PartCounts(25, 6, 0)
    counts.raise_floor(14)
    assert [*counts.open_levels()] == [(14, 2), (25, 1)]
    assert [w.parts for w in counts.open_windows(25)] == [2, 1]
    assert list(counts.open_windows(13)) == []


def test_a_level_is_decided_window_by_window():
    counts, asked = PartCounts(25, 6, 0), []

    def decide(window):
        asked.append(window.parts)
        return Decision.impossible() if window.parts == 4 else Decision.unknown("no")

    assert counts.decide(decide, 9) == Decision.unknown("no")
    assert asked == [4, 3]
    assert counts.level(4) is None
    assert counts.decide(lambda _: Decision.impossible(), 9) == Decision.impossible()
    assert counts.level(3) == 10
    assert counts.decide(lambda window: Decision.of(window.parts), 20).found == 3


def test_the_levels_that_are_left_below_a_cost():
    counts = PartCounts(25, 6, 0)
    assert counts.levels(0, None) == range(7, 26)
    assert counts.levels(0, 12) == range(7, 12)
    assert counts.levels(8, 30) == range(9, 12)
    assert not counts.levels(12, 12)


def test_only_better_levels_stay_open():
    counts = PartCounts(25, 6, 0)
    counts.cap(13)
    assert [*counts.open_levels()] == [(7, 4), (9, 3)]
    counts.cap(20)
    counts.refute(4, 7)
    counts.refute(3, 11)
    assert counts.bound == 12
    counts.refute(3, 12)
    assert counts.bound is None
    assert next_window(counts) is None


@pytest.mark.parametrize("most_parts", [None, 4])
def test_the_walk_ends_at_the_optimum(most_parts):
    rng = random.Random(3)
    for _ in range(300):
        total = rng.randint(1, 60)
        k = rng.randint(1, total)
        most = min(total // k, most_parts or total)
        feasible = {
            p: rng.randint(-(-total // p), total - (p - 1) * k)
            for p in range(1, most + 1)
            if p == 1 or rng.random() < 0.7
        }
        optimum = min(feasible.values())
        counts = PartCounts(total, k, rng.randint(1, optimum), most_parts)
        if rng.random() < 0.5:
            counts.cap(optimum + rng.randint(0, 3))
        while (asked := next_window(counts)) is not None:
            assert counts.bound <= optimum
            assert asked.least * asked.parts <= total <= asked.most * asked.parts
            level = counts.bound
            if feasible.get(asked.parts, total + 1) <= level:
                assert level == optimum
                counts.cap(level)
            else:
                counts.refute(asked.parts, rng.randint(level, max(level, optimum - 1)))
        assert counts.bound is None


def test_the_open_levels_as_arrays():
    """Those of a dictionary of all numbers, by definition."""
    rng = random.Random(5)
    for _ in range(300):
        total, fewest = rng.randint(1, 60), rng.randint(1, 2)
        k, most, floor = rng.randint(1, 9), rng.randint(1, 30), rng.randint(0, 20)
        counts = PartCounts(total, k, floor, most, fewest)
        least = {p: max(k, floor, -(-total // p)) for p in range(fewest, most + 1)}
        cost = total + 1
        for _ in range(rng.randrange(9)):
            parts, level = rng.randint(1, most), rng.randint(0, 30)
            if counts.level(parts) is not None and counts.level(parts) <= level:
                least[parts] = level + 1
            counts.refute(parts, level)
        if rng.random() < 0.5:
            cost = rng.randint(1, 40)
            counts.cap(cost)
        if rng.random() < 0.5:
            floor = rng.randint(1, 20)
            counts.raise_floor(floor)
            least = {parts: max(level, floor) for parts, level in least.items()}
        expected = sorted(
            (level, -parts)
            for parts, level in least.items()
            if level < cost and level <= total - (parts - 1) * k
        )
        assert [*counts.open_levels()] == [(level, -less) for level, less in expected]
        found = counts.least_levels(7)
        assert found.parts.tolist() == [-less for _, less in expected]
        assert found.levels.tolist() == [max(level, 7) for level, _ in expected]
        windows = [each.parts for each in counts.open_windows(12)]
        within = [-less for level, less in expected if level <= 12]
        assert windows == sorted(within, reverse=True)
