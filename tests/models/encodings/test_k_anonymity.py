import random

from atleastk import KAnonymity, Solution
from atleastk.models.encodings.k_anonymity import leader_model, pattern_model
from atleastk.models.encodings.leaders import split_groups
from atleastk.solvers.tables.closed_patterns import closed_patterns


def draw(seed, most=7):
    rng = random.Random(seed)
    k = rng.randint(1, 3)
    n, m, values = rng.randint(k, most), rng.randint(0, 4), rng.randint(1, 3)
    return KAnonymity([[rng.randrange(values) for _ in range(m)] for _ in range(n)], k)


def test_the_leader_model_is_binary():
    model = leader_model(draw(3)).model
    assert (model.lower == 0).all()
    assert (model.upper == 1).all()


def test_patterns_that_are_not_listed_have_no_point():
    instance = KAnonymity([[0, 0], [0, 0], [1, 1], [1, 1]], 2)
    only_pairs = closed_patterns(KAnonymity([[0, 0], [0, 0]], 2).records, 2)
    encoding = pattern_model(instance.records, instance.k, only_pairs)
    assert encoding.encode(Solution.of([[0, 1], [2, 3]])) is None


def test_split_groups_are_of_k_to_2k_less_1():
    assert split_groups([range(7), [9, 8, 7]], 3) == [
        [0, 1, 2],
        [3, 4, 5, 6],
        [7, 8, 9],
    ]
    assert split_groups([[2, 1]], 1) == [[1], [2]]
    assert split_groups([[0, 1, 2, 3, 4]], 3) == [[0, 1, 2, 3, 4]]
