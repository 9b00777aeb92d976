"""The level of a table: against counting by hand and by definition."""

import numpy as np
import pytest

from atleastk.models.anonymity import strict, wildcard


def codes_of(rows):
    """Number letters; a star is hidden."""
    codes = np.array([[ord(c) for c in row] for row in rows], dtype=np.int32)
    return codes, codes == ord("*")


def by_definition(codes, hidden):
    """Compare every row with every row."""
    return [
        sum(
            all(
                codes[i, j] == codes[o, j] or hidden[i, j] or hidden[o, j]
                for j in range(codes.shape[1])
            )
            for o in range(len(codes))
        )
        for i in range(len(codes))
    ]


def test_strict_takes_a_star_for_a_value():
    """Suppressed rows are a class; a star equals stars only."""
    codes, _ = codes_of(["ab", "ab", "a*", "**", "**", "**"])
    found = strict(codes)
    assert found.alike.tolist() == [2, 2, 1, 3, 3, 3]
    assert sorted(found.classes) == [1, 2, 3]
    assert (found.k, found.below(3), found.holds(1), found.holds(2)) == (
        1,
        3,
        True,
        False,
    )


def test_a_wildcard_matches_anything():
    """The middle one of three looks like both others, which do not look alike."""
    codes, hidden = codes_of(["ab", "a*", "ac"])
    found = wildcard(codes, hidden)
    assert found.alike.tolist() == [2, 3, 2]
    assert found.k == 2
    assert strict(codes).k == 1


def test_the_empty_table_is_anonymous_for_every_k():
    """No row, no violation."""
    codes = np.empty((0, 3), dtype=np.int32)
    for found in (strict(codes), wildcard(codes, codes > 0)):
        assert found.k is None
        assert found.holds(10)
        assert str(found) == "no rows: anonymous for every k"


@pytest.mark.parametrize("seed", range(60))
def test_wildcards_by_definition(seed):
    """Few sets of hidden columns, where rows are joined, and many, where compared."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 60)), int(rng.integers(1, 7))
    codes = rng.integers(0, rng.integers(1, 5), (n, m)).astype(np.int32)
    hidden = rng.random((n, m)) < rng.choice([0.0, 0.1, 0.4, 0.9])
    if seed % 2:
        hidden &= rng.random(m) < 0.4
    found = wildcard(codes, hidden)
    assert found.alike.tolist() == by_definition(codes, hidden)
    starred = np.where(hidden, -1, codes) + 1
    plain = strict(starred.astype(np.int32))
    equal = (starred[:, None] == starred[None]).all(axis=2).sum(axis=1)
    assert plain.alike.tolist() == equal.tolist()
    assert (found.alike >= plain.alike).all()


def test_it_tells_how_many_rows_are_least_alike():
    """What the user reads."""
    codes, _ = codes_of(["ab", "ab", "cd", "ef"])
    first, second, third = str(strict(codes)).split("\n")
    assert first == "k = 1"
    assert second == "  rows        4 in 3 classes of equal ones"
    assert (
        third == "  least       no other alike, for 2 of the rows; the first is row 3"
    )
