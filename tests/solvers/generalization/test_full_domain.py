from dataclasses import replace

import pytest
from searching import search_of

from atleastk.instances.generators.generalization import trees
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization import full_domain
from atleastk.solvers.generalization.auto import _is_hurried, run_of
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.full_domain import offer_full_domain


@pytest.mark.parametrize("left", [0, 0.1, 0.4])
@pytest.mark.parametrize("loss", ["height", "precision"])
def test_groups_of_a_node_and_what_is_left_over(left, loss, monkeypatch):
    monkeypatch.setattr(full_domain, "_LEFT", left)
    better = 0
    for seed in range(10):
        instance = trees(seed, n=60, m=3, k=3, loss=loss)
        search = search_of(instance)
        begin(search, "one group")
        before = search.cost
        offer_full_domain(run_of(search))  # the search checks what is offered
        better += search.cost < before
    assert better or not left


def test_rows_with_weights_and_copies():
    weights = [1 + i % 3 for i in range(40)]
    for seed, fields in enumerate([{"row_weights": weights}, {"copies": weights}]):
        instance = replace(trees(seed, n=40, m=2, k=3), **fields)
        search = search_of(instance)
        begin(search, "one group")
        offer_full_domain(run_of(search))
        assert search.cost is not None


@pytest.mark.parametrize(
    ("limit", "values", "comes"),
    [(1.0, 60, False), (1e-3, 4, False), (1e-3, 60, True), (None, 60, False)],
)
def test_it_comes_first_where_rows_differ_and_time_is_short(limit, values, comes):
    records = KAnonymity([[i % values] for i in range(60)], 3).records
    assert _is_hurried(records, Budget.of(limit)) == comes
