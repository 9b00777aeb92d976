from itertools import islice

from solved_tables import solved_tables

from atleastk.instances.generators.diversity import diagnoses
from atleastk.models.certificates.diversity import check_certificate
from atleastk.models.diversity import check
from atleastk.models.encodings.diversity import pattern_model
from atleastk.models.generalization import solution_of_groups
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force import generalization
from atleastk.solvers.brute_force.diversity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.auto import close_gap, raise_by_weights
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.search import Search


def search_of(instance):
    search = Search(instance, check, Budget())
    groups = [range(instance.n)] if instance.n else []
    search.offer(solution_of_groups(instance, groups), "one group")
    search.raise_bound(0, "nothing")
    raise_by_weights(search, Budget())
    return search


def bound_of(instance):
    return search_of(instance).bound


def test_the_last_bound_has_a_certificate():
    certified = 0
    for seed in range(8):
        instance = diagnoses(seed, n=8, sensitive=2, values=3)
        if optimum(instance) is not None:
            search = search_of(instance)
            assert search.certificate is not None
            check_certificate(instance, search.certificate, search.bound)
            certified += 1
    assert certified >= 3


def test_no_bound_exceeds_the_optimum():
    reached = 0
    for instance, best in islice(solved_tables(6, 6, 1), 40):
        bound = bound_of(instance)
        assert bound <= best, instance.to_dict()
        reached += bound == best
    assert reached >= 20


def test_bounds_know_the_values():
    higher = 0
    for seed in range(6):
        instance = diagnoses(seed, n=8, sensitive=2, values=3)
        best = optimum(instance)
        if best is not None:
            plain = generalization.optimum(instance.relaxed)
            higher += plain < bound_of(instance) <= best
    assert higher >= 2


def test_pairs_that_better_solutions_need_are_kept():
    left_out = 0
    for instance, best in islice(solved_tables(7, 6, 1), 40):
        found = raise_by_weights(search_of(instance), Budget())
        assert found is not None
        dealt, weighing = found
        needed = weighing.needed(best + 1)
        left_out += int((~needed).sum())
        if needed.any():
            parts = dealt.kinds, instance.least_rows, dealt.patterns.only(needed)
            model = pattern_model(instance, *parts).model
            values = Highs().minimise(model, Budget()).values
            assert values is not None, instance.to_dict()
            assert model.objective @ values == best, instance.to_dict()
        else:
            assert not instance.n
    assert left_out


def test_limits_close_every_table():
    raised = 0
    for instance, best in islice(solved_tables(9, 8, 2), 60):
        search = Search(instance, check, Budget())
        begin(search, "start")
        found = raise_by_weights(search, Budget())
        assert found is not None
        raised += search.bound < best
        close_gap(search, *found)
        assert search.bound == search.cost == best, instance.to_dict()
    assert raised >= 5
