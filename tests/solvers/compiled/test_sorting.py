from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from atleastk.solvers.compiled.arrays import copy_into, longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import arrange, permutation, precedes, sink


def test_longer_arrays_begin_as_before_and_keep_their_kind():
    array = np.array([3, 1, 2], dtype=np.uint64)
    copy = longer(array, 7)
    assert (copy.dtype, len(copy)) == (array.dtype, 7)
    assert copy[:3].tolist() == [3, 1, 2]


def test_an_array_is_copied_onto_the_first_places_of_another():
    target = np.zeros(4, dtype=np.int64)
    copy_into(target, np.array([3, 1], dtype=np.int64))
    assert target.tolist() == [3, 1, 0, 0]


@compiled
def permuted(rng, count):
    return permutation(rng, count)


@pytest.mark.parametrize("count", [0, 1, 2, 9, 64, 1000])
def test_permutations_hold_every_number_once_compiled_or_not(count):
    ours, theirs = np.random.default_rng(count), np.random.default_rng(count)
    found = permuted(ours, count).tolist()
    assert found == permutation(theirs, count).tolist()
    assert sorted(found) == list(range(count))
    assert ours.integers(0, 1 << 60) == theirs.integers(0, 1 << 60)


def test_all_permutations_are_about_as_likely():
    """Each of the 24 comes up 1000 times on average, with a deviation of 31."""
    rng = np.random.default_rng(1)
    met = Counter(tuple(permuted(rng, 4).tolist()) for _ in range(24_000))
    assert len(met) == 24
    assert all(abs(times - 1000) < 5 * 31 for times in met.values())


@pytest.mark.parametrize("seed", range(10))
def test_items_are_arranged_by_their_keys(seed):
    keys, items = np.random.default_rng(seed).permutation(60), np.arange(60)
    expected = np.argsort(keys[:50]).tolist()
    arrange(items, keys, 50)
    assert items[:50].tolist() == expected
    assert items[50:].tolist() == list(range(50, 60))


@pytest.mark.parametrize("seed", range(10))
def test_a_heap_gives_items_in_order(seed):
    first, second = np.random.default_rng(seed).integers(0, 4, (2, 40))
    heap, given = np.arange(40), []
    for place in range(19, -1, -1):
        sink(heap, 40, place, first, second)
    for count in range(39, -1, -1):
        given.append(int(heap[0]))
        heap[0] = heap[count]
        sink(heap, count, 0, first, second)
    assert given == np.lexsort((np.arange(40), second, first)).tolist()
    assert all(precedes(a, b, first, second) for a, b in pairwise(given))
