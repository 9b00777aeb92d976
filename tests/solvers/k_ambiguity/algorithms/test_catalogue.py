import random

import pytest
from small_instances import DRAWN

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import Looks, check, mask_of, matches
from atleastk.solvers.k_ambiguity.algorithms.catalogue import ALGORITHMS, LEMMA_1


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_no_cell_is_suppressed_in_vain(algorithm):
    rng = random.Random(4)
    for seed in range(60):
        instance = DRAWN["k-ambiguity"](rng)
        if algorithm.refuses(instance) is not None or 0 < instance.n < instance.k:
            continue
        solution = algorithm.run(instance, seed)
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
