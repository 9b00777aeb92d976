from atleastk import KAnonymity, Solution
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.solvers.tables.closed_patterns import closed_patterns


def test_patterns_that_are_not_listed_have_no_point():
    instance = KAnonymity([[0, 0], [0, 0], [1, 1], [1, 1]], 2)
    only_pairs = closed_patterns(KAnonymity([[0, 0], [0, 0]], 2).records, 2)
    encoding = pattern_model(instance.records, instance.k, only_pairs)
    assert encoding.encode(Solution.of([[0, 1], [2, 3]])) is None
