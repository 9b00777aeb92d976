from itertools import product

import pytest
from searching import search_of

from atleastk.instances.generators.generalization import trees
from atleastk.models.generalization import classes_of_records, price_of_levels
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.classes import Keys
from atleastk.solvers.generalization import least_levels as module
from atleastk.solvers.generalization.auto import run_of
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.least_levels import least_levels
from atleastk.solvers.tables import wide_tables


def cheapest(instance):
    """Return the loss of the cheapest node at which each record has k rows."""
    found = [10**9] * instance.records.distinct
    for levels in product(*(range(height + 1) for height in instance.heights)):
        class_of = classes_of_records(instance, levels)[1].tolist()
        sizes = dict.fromkeys(class_of, 0)
        for of, copies in zip(class_of, instance.records.copies.tolist(), strict=True):
            sizes[of] += copies
        loss = price_of_levels(instance, levels)
        for record, of in enumerate(class_of):
            if sizes[of] >= instance.k:
                found[record] = min(found[record], loss)
    return found


@pytest.mark.parametrize("nearly", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("loss", ["height", "precision"])
def test_no_row_loses_less(nearly, loss, monkeypatch):
    monkeypatch.setattr(module, "_NEARLY", nearly)
    exact = reached = 0
    for seed in range(30):
        instance = trees(seed, n=8, m=2 + seed % 2, k=3, loss=loss)
        least, most = least_levels(instance, Budget()), cheapest(instance)
        assert all(a <= b for a, b in zip(least.tolist(), most, strict=True))
        assert least @ instance.records.copies <= optimum(instance)
        exact += least.tolist() == most
        reached += bool(least.any())
    assert reached > 10
    assert exact


def test_kinds_that_are_too_many_have_fewer_bits(monkeypatch):
    instance = trees(4, n=12, m=3, k=3)
    whole = least_levels(instance, Budget())
    monkeypatch.setattr(module, "_MOST_PAIRS", 1)
    assert (least_levels(instance, Budget()) <= whole).all()


class Looks:
    """A budget that is spent after so many looks at it."""

    def __init__(self, most):
        self.left = most

    @property
    def spent(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("most", range(8))
def test_no_node_is_estimated_when_the_time_is_over(most, monkeypatch):
    estimated = []
    share_below = Keys.share_below

    def noted(*asked):
        estimated.append(asked)
        return share_below(*asked)

    monkeypatch.setattr(Keys, "share_below", noted)
    instance = trees(0, n=40, m=3, k=3)
    least = least_levels(instance, Looks(most))
    assert len(estimated) == most
    assert (least <= cheapest(instance)).all()


def test_nodes_are_asked_where_records_are_many_and_sets_of_columns_few(monkeypatch):
    monkeypatch.setattr(wide_tables, "CELLS_AT_ONCE", -1)
    monkeypatch.setattr(wide_tables, "_MANY", 0)
    instance = trees(0, n=60, m=2, k=3)
    search = search_of(instance)
    begin(search, "one group")
    run = run_of(search)
    assert wide_tables.is_asked_at_once(run.records)
    run.bound_at_once(search.budget)
    assert run.least_known(search.budget).tolist() == cheapest(instance)
