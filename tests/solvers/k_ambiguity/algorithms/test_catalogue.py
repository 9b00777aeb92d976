import random

import pytest

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import Looks, check, mask_of, matches
from atleastk.solvers.brute_force.k_ambiguity import optimum
from atleastk.solvers.k_ambiguity.algorithms.catalogue import ALGORITHMS, LEMMA_1


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_baselines_against_the_judge(algorithm):
    rng = random.Random(4)
    for seed in range(60):
        n, m = rng.choice([(3, 4), (4, 3), (6, 2), (7, 2), (14, 1)])
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = KAmbiguity(table, rng.randint(1, min(n, 5)))
        solution = algorithm.run(instance, seed)
        verdict = check(instance, solution)
        best = optimum(instance)[0]
        assert verdict.feasible
        assert verdict.cost >= best
        if algorithm.guarantee is not None:
            assert algorithm.guarantee.holds(instance, verdict.cost, best)
        hidden = mask_of(instance, solution)
        for cell in solution.suppressed:
            hidden[cell] = False
            looks = Looks.of_rows(instance.records, hidden)
            assert matches(instance, looks).min() < instance.k
            hidden[cell] = True


def test_the_ceiling_of_lemma_1_is_reached():
    instance = KAmbiguity([[i, i, i] for i in range(7)], 3)
    for algorithm in ALGORITHMS:
        assert check(instance, algorithm.run(instance, 0)).cost >= 6
    assert LEMMA_1.ceiling(instance, 6) == 6
    assert check(instance, ALGORITHMS[0].run(instance, 0)).cost == 6
