import random
from itertools import combinations, product

import pytest

from atleastk import InvalidInstanceError, NotApplicableError, Suppression
from atleastk.instances.reductions.suppression_rules import RULES
from atleastk.instances.reductions.suppression_web import (
    proofs_lost,
    reduction_of,
)
from atleastk.models.suppression import (
    SuppressionSolution,
    check,
    mask_of,
    solution_of_mask,
)
from atleastk.solvers.brute_force.suppression import Outcomes

BY_NAME = {rule.name: rule for rule in RULES}


class Judge:
    """Optima by all masks; those of a table are made once."""

    def __init__(self):
        self.known = {}

    def best(self, instance):
        table = tuple(map(tuple, instance.table))
        if table not in self.known:
            self.known[table] = Outcomes.of(instance.table)
        return self.known[table].best(instance)


@pytest.fixture(scope="module")
def judge():
    return Judge()


def subsets(cells):
    for size in range(len(cells) + 1):
        yield from combinations(cells, size)


def verdict_of(instance, cells):
    hidden = mask_of(instance, SuppressionSolution((), tuple(sorted(cells))))
    return check(instance, solution_of_mask(instance, hidden))


REFUTED = {
    "r'-SUP -> r'-PART": {"per_row": 1},
    "c-r'-SUP -> c-r'-PART": {"columns": 1, "per_row": 1},
    "r-r'-SUP -> r-r'-PART": {"rows": 3, "per_row": 1},
    "r-c-r'-SUP -> r-c-r'-PART": {"rows": 0, "columns": 1, "per_row": 1},
    "c-DEL -> c-r'-PART": {"columns": 1},
    "r-DEL -> r-r'-PART": {"rows": 3},
}


@pytest.mark.parametrize("name", REFUTED)
def test_fewer_than_k_rows_refute_h_and_p(name, judge):
    """One row, k = 2: no, but it and k new rows suppress each other entirely."""
    rule = BY_NAME[name]
    instance = Suppression.named(str(rule.source), [["a"]], 2, REFUTED[name])
    printed, repaired = reduction_of(rule, "printed"), reduction_of(rule)
    assert judge.best(instance) is None
    assert judge.best(printed.forward(instance)) == 0
    assert not printed.applies(instance)
    assert printed.hypotheses == "n >= k"
    assert judge.best(repaired.forward(instance)) is None
    assert repaired.applies(instance)
    assert repaired.repaired


def test_limits_beyond_both_sides_refute_v(judge):
    """c n + r m - c r falls below n m, here to 1, if c > m and r > n."""
    rule = BY_NAME["r-c-DEL -> r-c-e-SUP"]
    limits = {"rows": 3, "columns": 2}
    instance = Suppression.named("r-c-DEL", [["a"], ["b"]], 2, limits)
    meant, repaired = reduction_of(rule, "meant"), reduction_of(rule)
    assert judge.best(instance) == 0
    image = meant.forward(instance)
    assert image.limits["entries"] == 1
    assert judge.best(image) is None
    assert not meant.applies(instance)
    assert judge.best(repaired.forward(instance)) == 0


def test_what_is_undefined_makes_no_reduction():
    with pytest.raises(NotApplicableError, match="r_B is not set"):
        reduction_of(BY_NAME["r-c-DEL -> r-c-r'-SUP"], "printed")


def test_names_and_symbols_are_new():
    reduction = reduction_of(BY_NAME["c-DEL -> c-c'-PART"])
    instance = Suppression.named(
        "c-DEL", [["+", "b"], ["++", "b"]], 2, {"columns": 1}, columns=["new+", "x"]
    )
    image = reduction.forward(instance)
    assert image.table == (("+++", "+", "b"), ("+++", "++", "b"))
    assert image.columns == ("new++", "new+", "x")
    assert image.column_order == ((0,), (1, 2))
    assert dict(image.limits) == {"columns": 1, "per_column": 2}


def test_instances_of_other_problems_are_refused():
    reduction = reduction_of(BY_NAME["c-DEL -> r-c-DEL"])
    other = Suppression.named("r-DEL", [["a"]], 1, {"rows": 1})
    with pytest.raises(NotApplicableError, match="instance of c-DEL, got one of r-DEL"):
        reduction.forward(other)
    with pytest.raises(NotApplicableError, match="got an instance of another"):
        reduction.forward("r-DEL")


def test_empty_tables_make_no_class():
    reduction = reduction_of(BY_NAME["r'-SUP -> r'-PART"])
    empty = Suppression.named("r'-SUP", [], 2, {"per_row": 0})
    assert not reduction.applies(empty)
    with pytest.raises(InvalidInstanceError, match="the table is empty"):
        reduction.forward(empty)


def test_regions_of_unions_are_found():
    rng = random.Random(1)
    reduction = reduction_of(BY_NAME["r-MIN-c-DEL -> r-e-MIN-c-SUP"])
    for _ in range(200):
        n, m, most = rng.randint(1, 4), rng.randint(1, 4), rng.randint(0, 3)
        instance = Suppression.named(
            "r-MIN-c-DEL", [["a"] * m for _ in range(n)], 1, {"rows": most}
        )
        every = list(product(range(n), range(m)))
        cells = [cell for cell in every if rng.random() < 0.4]
        fewest = min(
            len(columns)
            for columns in subsets(range(m))
            if len({i for i, j in cells if j not in columns}) <= most
        )
        found = reduction.back(instance, cells)
        verdict = verdict_of(instance, found)
        assert set(cells) <= found
        assert verdict.feasible
        assert verdict.cost == fewest
    tight = Suppression.named("r-c-DEL", [["a"]], 1, {"rows": 0, "columns": 0})
    with pytest.raises(NotApplicableError, match="0 rows and 0 columns"):
        reduction_of(BY_NAME["r-c-DEL -> r-c-e-SUP"]).back(tight, [(0, 0)])


def test_proofs_lost():
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("x", "y")]
    assert proofs_lost(edges, {("a", "b")}, {"a"}) == ("b",)
    assert proofs_lost(edges, {("a", "c"), ("a", "b")}, {"a"}) == ("b", "c", "d")
    assert proofs_lost(edges, {("x", "y")}, {"a"}) == ()


def test_row_partitions_hang_on_h_and_p():
    """The four r'-PART problems have no other proof of hardness in the tables."""
    edges = [tuple(name.split(" -> ")) for name in BY_NAME]
    refuted = {tuple(name.split(" -> ")) for name in REFUTED}
    refuted.add(("r-c-DEL", "r-c-r'-PART"))
    expected = ("c-r'-PART", "r'-PART", "r-c-r'-PART", "r-r'-PART")
    assert proofs_lost(edges, refuted) == expected
