from itertools import combinations, pairwise

import numpy as np
import pytest

from atleastk.solvers.tilings.rows import ends_of, even_pieces, full_pieces


def drawn(rng):
    """Return the weights of some rows, and the arguments that pieces take."""
    rows = [rng.integers(0, 5, rng.integers(1, 8)) for _ in range(rng.integers(1, 4))]
    rows = [np.append(row, 1) for row in rows]
    ends = np.cumsum([0, *map(len, rows)])
    return rows, np.append(0, np.concatenate(rows).cumsum()), ends


def apart(begins, ends):
    """Return where the pieces of each row begin, from the row's own beginning."""
    return [
        (begins[(begins >= a) & (begins < b)] - a).tolist() for a, b in pairwise(ends)
    ]


def weights(row, cuts):
    return [int(row[a:b].sum()) for a, b in pairwise([*cuts, len(row)])]


@pytest.mark.parametrize("seed", range(60))
def test_even_pieces_weigh_enough_and_are_no_more_than_asked(seed):
    rng = np.random.default_rng(seed)
    rows, sums, ends = drawn(rng)
    least = int(rng.integers(1, 5))
    asked = rng.integers(1, 6, len(rows))
    found = apart(even_pieces(sums, ends, least, asked), ends)
    for row, cuts, pieces in zip(rows, found, asked, strict=True):
        assert cuts[0] == 0
        assert len(cuts) <= pieces
        assert len(cuts) == 1 or min(weights(row, cuts)) >= least


def test_even_pieces_are_even():
    sums, ends = np.arange(101), np.array([0, 40, 100])
    found = even_pieces(sums, ends, 1, np.array([4, 5]))
    assert found.tolist() == [0, 10, 20, 30, 40, 52, 64, 76, 88]


@pytest.mark.parametrize("seed", range(60))
def test_full_pieces_are_the_fewest(seed):
    rng = np.random.default_rng(seed)
    rows, sums, ends = drawn(rng)
    level = max(int(row.max()) for row in rows) + int(rng.integers(0, 4))
    for row, cuts in zip(
        rows, apart(full_pieces(sums, ends, level), ends), strict=True
    ):
        assert max(weights(row, cuts)) <= level
        fewest = next(
            parts
            for parts in range(len(row))
            if any(
                max(weights(row, (0, *inner))) <= level
                for inner in combinations(range(1, len(row)), parts)
            )
        )
        assert len(cuts) == 1 + fewest


def test_pieces_end_where_the_next_begins_or_their_row_ends():
    assert ends_of(np.array([0, 3, 0, 0, 5]), 7).tolist() == [3, 7, 7, 5, 7]
