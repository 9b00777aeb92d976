from itertools import islice

from searching import search_of
from solved_tables import solved_tables

from atleastk.instances.generators.diversity import diagnoses
from atleastk.models.certificates.diversity import check_certificate
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force import generalization
from atleastk.solvers.brute_force.diversity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.auto import run_of
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.tables import reduced_cost_fixing


def ascended(instance):
    """Return the table of an instance after an ascent of its bound."""
    search = search_of(instance)
    begin(search, "start")
    table = run_of(search)
    table.list_patterns(Budget())
    table.ascend(Budget())
    return table


def open_tables(seed, most_rows, least_rows, count):
    """Yield instances with rows, and their optima."""
    drawn = islice(solved_tables(seed, most_rows, least_rows), count)
    return [(instance, best) for instance, best in drawn if instance.n]


def test_the_last_bound_has_a_certificate():
    certified = 0
    for seed in range(8):
        instance = diagnoses(seed, n=8, sensitive=2, values=3)
        if optimum(instance) is not None:
            search = ascended(instance).search
            assert search.certificate is not None
            check_certificate(instance, search.certificate, search.bound)
            certified += 1
    assert certified >= 3


def test_a_bound_that_ends_the_search_has_its_certificate():
    drawn = (diagnoses(seed, n=8, sensitive=2, values=3) for seed in range(8))
    instance = next(each for each in drawn if optimum(each) is not None)
    table, found = ascended(instance), None
    search, proved = table.search, table.proved
    search.proof = None
    search.budget.stop.set()
    with search.budget.awaiting():
        found = table.certificate(proved, proved.bound)
    assert found is not None


def test_bounds_know_the_values():
    higher = 0
    for seed in range(6):
        instance = diagnoses(seed, n=8, sensitive=2, values=3)
        best = optimum(instance)
        if best is not None:
            plain = generalization.optimum(instance.relaxed)
            higher += plain < ascended(instance).search.bound <= best
    assert higher >= 2


def test_pairs_that_better_solutions_need_are_kept():
    left_out = 0
    for instance, best in open_tables(7, 6, 1, 15):
        table = ascended(instance)
        needed = table.needed(best // table.unit + 1)
        left_out += table.listed.patterns.pairs - needed.pairs
        answer = Highs().minimise(table.model(needed).model, Budget())
        assert answer.values is not None, instance.to_dict()
        assert table.unit * answer.cost == best, instance.to_dict()
    assert left_out


def test_limits_close_every_table():
    raised = 0
    for instance, best in open_tables(9, 8, 2, 25):
        table = ascended(instance)
        search = table.search
        assert search.bound <= best, instance.to_dict()
        raised += search.bound < best
        table.close(search.budget)
        assert search.bound == search.cost == best, instance.to_dict()
    assert raised >= 2


def test_a_limit_that_is_not_settled_leaves_the_rest_of_the_time(monkeypatch):
    monkeypatch.setattr(reduced_cost_fixing, "minimise_below", lambda *_: None)
    table = ascended(diagnoses(2, n=40, m=3, l=3))
    table.close(table.search.budget)
    assert not table.search.done
