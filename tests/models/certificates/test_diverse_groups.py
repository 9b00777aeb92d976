import itertools
import random

import numpy as np

from atleastk.instances.diversity import Diversity
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.certificates.diverse_groups import greatest_worth
from atleastk.models.diversity import is_diverse
from scripts.sweeps.drawn_tables import random_diversity


def test_no_group_is_worth_more():
    rng = random.Random(3)
    gaps = {True: [], False: []}
    for _ in range(400):
        instance = random_diversity(rng, 7, 1)
        rows = rng.sample(range(instance.n), rng.randint(1, instance.n))
        worth = [rng.randint(-6, 9) for _ in rows]
        least = rng.randint(1, 4)
        best = by_hand(instance, rows, worth, least)
        bound = greatest_worth(instance, np.array(worth), instance.values[rows], least)
        assert best is None or bound >= best
        several = len(instance.totals) > 1 or instance.t is not None
        gaps[several].append(bound != best)
    assert not any(gaps[False])
    assert sum(gaps[True]) < len(gaps[True]) / 3


def by_hand(instance, rows, worth, least):
    return max(
        (
            sum(worth[i] for i in chosen)
            for size in range(least, len(rows) + 1)
            for chosen in itertools.combinations(range(len(rows)), size)
            if is_diverse(instance, [rows[i] for i in chosen])
        ),
        default=None,
    )


def test_a_value_that_is_too_frequent_is_left_out_or_made_up_for():
    """Of three rows of 0 and one of 1, frequency 2 takes the best 0 and the 1."""
    values = [[0], [0], [0], [1]]
    hierarchies = [suppression_of(["x"])]
    pairs = Diversity(
        [["x"]] * 4, 1, hierarchies, sensitive=values, l=2, reading="frequency"
    )
    worth = np.array([5, 4, 3, -1])
    assert greatest_worth(pairs, worth, pairs.values, 1) == 4
    assert greatest_worth(pairs, worth, pairs.values, 3) is None
    assert greatest_worth(pairs, worth[:3], pairs.values[:3], 1) is None
