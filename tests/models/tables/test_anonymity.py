import numpy as np
import pytest

from atleastk.models.tables.anonymity import strict
from atleastk.models.tables.risk import Risk
from atleastk.solvers.k_anonymity.wildcards import wildcard


def codes_of(rows):
    return np.array([[ord(c) for c in row] for row in rows], dtype=np.int32)


def test_strict_takes_a_star_for_a_value():
    found = strict(codes_of(["ab", "ab", "a*", "**", "**", "**"]))
    assert found.alike.tolist() == [2, 2, 1, 3, 3, 3]
    assert sorted(found.classes) == [1, 2, 3]
    assert (found.k, found.below(3)) == (1, 3)
    assert (found.holds(1), found.holds(2)) == (True, False)


def test_rows_that_match_are_found_by_looking_for_equal_ones():
    codes = codes_of(["ab", "ab", "c*", "*d"])
    hidden = np.array([[c == ord("*") for c in row] for row in codes])
    found = wildcard(codes, hidden)
    assert (found.k, found.k_equal) == (2, 1)
    assert found.risk == strict(codes).risk == Risk(2, 1.0, 0.75)
    message = str(found)
    assert message.startswith("k = 2 by matching, 1 by equal rows\n")
    assert "at most 100.00% a row, 75.00% on average, 2 rows like no other\n" in message
    assert "WARNING     k-ambiguity is no protection from whoever looks for" in message
    equal = wildcard(codes[:2], hidden[:2])
    assert str(equal).startswith("k = 2\n")
    assert "WARNING" not in str(equal)


def test_the_empty_table_is_anonymous_for_every_k():
    found = strict(np.empty((0, 3), dtype=np.int32))
    assert found.k is None
    assert found.holds(10)
    assert str(found) == "no rows: anonymous for every k"


@pytest.mark.parametrize("seed", range(20))
def test_by_definition(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 60)), int(rng.integers(1, 7))
    codes = rng.integers(0, rng.integers(1, 5), (n, m)).astype(np.int32)
    equal = (codes[:, None] == codes[None]).all(axis=2).sum(axis=1)
    assert strict(codes).alike.tolist() == equal.tolist()


def test_it_tells_how_many_rows_are_least_alike():
    codes = codes_of(["ab", "ab", "cd", "ef"])
    assert str(strict(codes)).split("\n") == [
        "k = 1",
        "  rows        4 in 3 classes of equal ones",
        "  least       no other alike, for 2 of the rows; the first is row 3",
    ]
