import random
from dataclasses import replace

import pytest
from searching import searched

import atleastk
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators.generalization import people, trees
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.generalization.methods import solve


def test_seven_people():
    """[Chaytor06, Figure 2.6]: rows 2 and 3 lose all but a part of their area codes."""
    solution = atleastk.solve(people(0), workers=1).solution
    assert solution.groups == ((0, 1), (2, 3), (4, 5, 6))
    assert solution.levels == ((0,) * 4, (1,) * 4, (0,) * 4)


def test_a_start_may_have_suppressed_rows():
    instance = trees(1, n=20, m=3, k=3, on="attributes")
    instance = replace(instance, suppress_rows=4)
    result = atleastk.solve(instance)
    assert result.solution.suppressed_rows
    for method in ("tagging", "hitting-sets", "pairs"):
        again = atleastk.solve(instance, start=result, method=method)
        assert again.cost == again.bound == result.cost
        assert atleastk.check(instance, again).feasible


def test_lattices_too_large_to_be_marked():
    m = 16
    table = [[f"{i % 2}{i // 2}" for _ in range(m)] for i in range(6)]
    chains = [[f"{a}{b}", f"{a}", "*"] for a in range(2) for b in range(3)]
    for loss, best in (("height", m), ("average-class-size", 4)):
        instance = Generalization(table, 3, [chains] * m, "attributes", loss)
        search = searched(solve, instance)
        assert search.closed
        assert search.cost == best


def test_more_pseudo_columns_than_patterns_take():
    for seed in range(3):
        rng = random.Random(seed)
        hierarchies = [
            [[v, *(f"{v // 2**level}" for level in range(1, h)), "*"] for v in range(6)]
            for h in (4, 3, 5, 4, 5)
        ]
        table = [[rng.randrange(6) for _ in range(5)] for _ in range(7)]
        instance = Generalization(table, 2, hierarchies, loss="precision")
        search = searched(solve, instance)
        assert search.closed
        assert search.cost == optimum(instance)


@pytest.mark.parametrize("loss", ["height", "precision"])
def test_large_lattices_with_suppressed_rows(loss):
    m = 24
    odd = [[f"{i}"] * m for i in (1, 2)]
    chains = [["0", "a", "*"], ["1", "b", "*"], ["2", "c", "*"]]
    table = [*[["0"] * m] * 7, *odd]
    wish = {"on": "attributes", "loss": loss, "suppress_rows": 3}
    search = searched(solve, Generalization(table, 3, [chains] * m, **wish))
    assert search.cost == search.bound == 0
    assert len(search.solution.suppressed_rows) == 3
