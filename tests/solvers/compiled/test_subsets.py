from itertools import combinations

import numpy as np
import pytest

from atleastk.solvers.compiled.subsets import subset_sums


@pytest.mark.parametrize("values", [[], [7], [0, 5, 0, 5], [9, 2, 4, 2, 2**61]])
def test_sums_are_those_of_all_subsets_in_order(values):
    places = range(len(values))
    subsets = [s for size in range(len(values) + 1) for s in combinations(places, size)]
    sums, masks = subset_sums(np.array(values, dtype=np.int64))
    assert sums.tolist() == sorted(sum(values[i] for i in s) for s in subsets)
    assert sorted(masks.tolist()) == [*range(len(subsets))]
    for total, mask in zip(sums.tolist(), masks.tolist(), strict=True):
        assert total == sum(values[i] for i in places if mask >> i & 1)
