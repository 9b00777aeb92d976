import random

from atleastk import KAmbiguity, Status
from atleastk.models.encodings.k_ambiguity import StarSets, all_star_sets, star_model
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.k_ambiguity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_ambiguity.algorithms.catalogue import ALGORITHMS


def tables(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        n, m = rng.choice([(3, 4), (4, 3), (6, 2), (7, 2), (12, 1)])
        values = rng.choice([2, 3])
        table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
        yield KAmbiguity(table, rng.randint(2, min(n, 4)))


def test_star_sets_may_be_few():
    instance = KAmbiguity([[0], [1]], 2)
    none = StarSets(*(all_star_sets(instance).record[:0] for _ in range(2)))
    encoding = star_model(instance, none)
    assert encoding.encode(ALGORITHMS[0].run(instance, 0)) is None
    assert CpSat().minimise(encoding.model, Budget()).status is Status.INFEASIBLE


def test_a_greatest_cost():
    for instance in tables(7, 15):
        best, sets = optimum(instance)[0], all_star_sets(instance)
        for most in (best, best - 1):
            model = star_model(instance, sets, most).model
            answer = CpSat().minimise(model, Budget())
            assert (answer.status is Status.OPTIMAL) == (most == best)
