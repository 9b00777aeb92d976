from dataclasses import replace
from itertools import product

import pytest
from searching import search_of

from atleastk.instances.generators.generalization import trees
from atleastk.models.certificates.generalization import check_certificate, least_at
from atleastk.models.generalization import price_of_levels
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.generalization import few_columns
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.generalization.few_columns import refuse_by_few_columns


def drawn(seed, loss="height", **fields):
    made = trees(seed, n=20, m=4, k=3, on="attributes", loss=loss)
    return replace(made, suppress_rows=seed % 3, **fields)


@pytest.mark.parametrize("loss", ["height", "precision"])
def test_the_bound_is_that_of_the_cheapest_node_which_few_columns_admit(
    loss, monkeypatch
):
    monkeypatch.setattr(few_columns, "_MANY", 0)
    reached = 0
    for seed in range(20):
        instance = drawn(seed, loss)
        search, high = search_of(instance), instance.heights
        refuse_by_few_columns(search, Descent(search, "descent"))
        nodes = [*product(*(range(height + 1) for height in high))]

        def admitted(node, few, instance=instance, high=high):
            raised = tuple(node[j] if j in few else high[j] for j in range(4))
            return least_at(instance, raised) is not None

        threes = [{*range(4)} - {j} for j in range(4)]
        allowed = [n for n in nodes if all(admitted(n, few) for few in threes)]
        expected = min(price_of_levels(instance, node) for node in allowed)
        best = optimum(instance)
        assert search.bound == expected <= best
        certificate = search.proof.certificate
        assert check_certificate(instance, certificate, expected) is None
        reached += expected == best
    assert reached > 10


def test_small_tables_and_losses_that_count_classes_have_none(monkeypatch):
    search = search_of(drawn(1))
    refuse_by_few_columns(search, Descent(search, "descent"))
    assert search.bound is None
    monkeypatch.setattr(few_columns, "_MANY", 0)
    search = search_of(drawn(1, "discernibility"))
    refuse_by_few_columns(search, Descent(search, "descent"))
    assert search.bound is None
