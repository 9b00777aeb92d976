import numpy as np
import pytest

from atleastk.models.tables.anonymity import strict
from atleastk.solvers.k_anonymity import wildcards
from atleastk.solvers.k_anonymity.wildcards import wildcard


def by_definition(codes, hidden):
    apart = ((codes[:, None] != codes[None]) & ~hidden[:, None] & ~hidden[None]).any(
        axis=2
    )
    return (~apart).sum(axis=1).tolist()


def drawn(seed, rows):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, rows)), int(rng.integers(1, 9))
    codes = rng.integers(0, rng.integers(1, 5), (n, m)).astype(np.int32)
    hidden = rng.random((n, m)) < rng.choice([0.0, 0.1, 0.4, 0.9, 1.0])
    if seed % 2:
        hidden &= rng.random(m) < 0.4
    return codes, hidden


def test_a_wildcard_matches_anything():
    codes = np.array([[0, 0], [0, 7], [0, 1]], dtype=np.int32)
    found = wildcard(codes, codes == 7)
    assert found.alike.tolist() == [2, 3, 2]
    assert found.k == 2
    assert found.wildcards
    assert strict(codes).k == 1


def test_the_empty_table_is_anonymous_for_every_k():
    codes = np.empty((0, 3), dtype=np.int32)
    found = wildcard(codes, codes > 0)
    assert found.k is None
    assert found.holds(10)


@pytest.mark.parametrize("n", [0, 3])
def test_without_columns_all_rows_look_alike(n):
    codes = np.empty((n, 0), dtype=np.int32)
    found = wildcard(codes, codes > 0)
    assert found.alike.tolist() == strict(codes).alike.tolist() == [n] * n


@pytest.mark.parametrize("seed", range(200))
def test_small_tables(seed):
    codes, hidden = drawn(seed, 60)
    found = wildcard(codes, hidden)
    assert found.alike.tolist() == by_definition(codes, hidden)
    starred = np.where(hidden, 0, codes + 1).astype(np.int32)
    assert (found.alike >= strict(starred).alike).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_loop_may_be_called_in_parts(seed, monkeypatch):
    codes, hidden = drawn(seed, 400)
    monkeypatch.setattr(wildcards, "_PAIRS_A_CALL", 1000)
    assert wildcard(codes, hidden).alike.tolist() == by_definition(codes, hidden)


@pytest.mark.parametrize("columns", [3, 70])
def test_thousands_of_sets_of_stars(columns):
    rng = np.random.default_rng(columns)
    codes = rng.integers(0, 6, (20_000, columns)).astype(np.int32)
    hidden = rng.random(codes.shape) < 0.2
    found = wildcard(codes, hidden).alike
    for i in rng.integers(0, len(codes), 40):
        apart = (codes != codes[i]) & ~hidden & ~hidden[i]
        assert found[i] == (~apart.any(axis=1)).sum()
