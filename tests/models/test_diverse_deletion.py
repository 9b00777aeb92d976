import random
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from atleastk import Diversity, Status
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.diverse_deletion import Deletion
from atleastk.models.diversity import check
from atleastk.models.encodings.diverse_deletion import deletion_model
from atleastk.models.generalization import solution_at
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from scripts.sweeps.drawn_tables import random_diversity


def drawn(rng):
    while True:
        instance = random_diversity(rng, 7, 1)
        if instance.on == "attributes" and instance.suppress_rows:
            return instance


def every_way(instance, levels):
    for count in range(min(instance.n, instance.suppress_rows) + 1):
        for rows in combinations(range(instance.n), count):
            verdict = check(instance, solution_at(instance, levels, rows))
            if verdict.feasible:
                yield rows, verdict.cost


def test_every_node_against_every_set_of_rows():
    rng = random.Random(31)
    seen = {"refused": 0, "found": 0, "open": 0}
    for _ in range(30):
        instance = drawn(rng)
        for levels in product(*(range(h + 1) for h in instance.heights)):
            ways = [*every_way(instance, levels)]
            deletion = Deletion.at(instance, levels)
            best = min((loss for _, loss in ways), default=None)
            if deletion.refused:
                assert best is None
                seen["refused"] += 1
                continue
            assert all(len(rows) >= deletion.fewest for rows, _ in ways if rows)
            assert best is None or deletion.least_loss <= best
            if deletion.rows is not None:
                loss = deletion.loss(deletion.rows)
                assert (tuple(deletion.rows.tolist()), loss) in ways
            seen["open" if deletion.rows is None else "found"] += 1
            node = deletion_model(deletion, instance.n)
            answer = CpSat().minimise(node.model, Budget())
            assert (answer.status is Status.INFEASIBLE) == (best is None)
            if best is not None:
                rows = node.rows(answer.values)
                assert (tuple(rows.tolist()), best) in ways
    assert min(seen.values()) > 5, seen


def one_class(counts, others, **asked):
    """Return an instance with a class of these values, and a class of other ones."""
    values = [v for v, count in enumerate(counts) for _ in range(count)]
    beside = [v for v, count in enumerate(others) for _ in range(count)]
    table = [[0]] * len(values) + [[1]] * len(beside)
    return Diversity(
        table,
        1,
        [suppression_of([0, 1])],
        "attributes",
        sensitive=[[v] for v in values + beside],
        suppress_rows=len(table),
        **asked,
    )


@pytest.mark.parametrize(
    ("counts", "l", "given"),
    [
        ([5, 1], 2, 4),  # one of each stays
        ([5, 3], 2, 2),
        ([4, 4, 1], 2, 0),
        ([4, 4, 1], 3, 6),
        ([7, 2, 2], 3, 5),  # 2, 2, 2
        ([3], 2, 3),
    ],
)
def test_what_a_class_gives_up_by_frequency(counts, l, given):  # noqa: E741
    deletion = Deletion.at(one_class(counts, [3] * 9, reading="frequency", l=l), (0,))
    assert deletion.least.tolist() == [given, 0]


def test_what_a_class_gives_up_by_closeness_is_bounded():
    for a, b, c, d in product(range(7), range(7), range(1, 5), range(1, 5)):
        if a + b == 0:
            continue
        for t in (Fraction(1, 10), Fraction(1, 4)):
            instance = one_class([a, b], [c, d], t=t)
            n, first = instance.n, a + c
            stays = [
                x + y
                for x, y in product(range(a + 1), range(b + 1))
                if x + y == 0 or abs(Fraction(x, x + y) - Fraction(first, n)) <= t
            ]
            assert Deletion.at(instance, (0,)).least[0] <= a + b - max(stays)


def test_rows_are_found_where_classes_give_up_some():
    instance = one_class([6, 3], [3, 6], reading="frequency", l=2)
    deletion = Deletion.at(instance, (0,))
    assert deletion.rows is not None
    assert len(deletion.rows) == deletion.fewest == 6
    kept = np.delete(np.arange(instance.n), deletion.rows)
    classes, values = deletion.classes[kept], instance.values[kept, 0]
    assert np.bincount(2 * classes + values).tolist() == [3, 3, 3, 3]
