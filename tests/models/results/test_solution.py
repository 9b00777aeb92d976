import numpy as np
import pytest

from atleastk.models.results.solution import Solution


@pytest.mark.parametrize("seed", range(30))
def test_labels_and_lists_give_the_same_solution(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(-3, 3, rng.integers(0, 12))
    groups = [np.flatnonzero(labels == label) for label in set(labels.tolist())]
    assert Solution.labelled(labels) == Solution.of(groups)


def test_normal_form_has_plain_integers():
    solution = Solution.labelled(np.array([5, 1, 5]))
    assert solution.groups == ((0, 2), (1,))
    assert {type(item) for group in solution.groups for item in group} == {int}
