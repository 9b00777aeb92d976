from itertools import product

import numpy as np

from atleastk.models.tables.row_deletion import row_deletion


def fewest(sizes, k, alike):
    ways = product(*(range(size + 1) for size in sizes))
    return min(
        (
            sum(way)
            for way in ways
            if (sum(way) + alike == 0 or sum(way) + alike >= k)
            and all(left == 0 or left >= k for left in np.subtract(sizes, way))
        ),
        default=None,
    )


def test_deletion_of_rows_against_all_ways():
    for count in range(4):
        for sizes in product(range(1, 6), repeat=count):
            for k, alike in product(range(1, 6), range(3)):
                expected = fewest(sizes, k, alike)
                found = row_deletion(np.array(sizes, dtype=np.int64), k, alike)
                assert (found is None) == (expected is None), (sizes, k, alike)
                if found is None:
                    continue
                assert found.sum() == expected, (sizes, k, alike)
                left = np.array(sizes, dtype=np.int64) - found
                assert all(rows == 0 or rows >= k for rows in left)


def test_large_classes_give_first():
    assert row_deletion(np.array([6, 1, 0, 8]), 4).tolist() == [0, 1, 0, 3]
    assert row_deletion(np.array([6, 1, 0, 8]), 4, alike=2).tolist() == [0, 1, 0, 1]
