"""Tables of codes are the tables of tuples that they stand for."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from atleastk import (
    ConnectedPartition,
    Generalization,
    Hierarchy,
    KAmbiguity,
    KAnonymity,
    PairPartition,
    Suppression,
)
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError

TREE = Hierarchy([(v, v // 2 + 7, "*") for v in range(5)])


@pytest.mark.parametrize("width", [1, 2, 9, 10, 18])
def test_rows_are_written_as_json_writes_them(width):
    codes = np.random.default_rng(width).integers(0, 10**width, (60, 3))
    codes[::3], codes[5] = codes[::3] // 10 ** (width // 2), 10**width - 1
    codes[7:9] = 0
    for some in (codes, codes[:1], codes - 5, codes.astype(np.int32)):
        text = CodedTable(some).json()
        assert text == json.dumps(some.tolist(), separators=(",", ":"))[1:-1]


@pytest.mark.parametrize("kind", [KAnonymity, KAmbiguity, Suppression, Generalization])
@pytest.mark.parametrize("rows", [0, 1, 7, 40])
def test_an_instance_is_the_same(kind, rows):
    codes = np.random.default_rng(rows).integers(0, 5, (rows, 3))
    more = {"hierarchies": [TREE] * 3} if kind is Generalization else {}
    plain = kind(codes.tolist(), 2, **more)
    coded = kind(CodedTable(codes), 2, **more)
    assert (plain, plain.sha256) == (coded, coded.sha256)
    assert coded.table == plain.table
    assert json.dumps(coded.to_dict()) == json.dumps(plain.to_dict())
    assert pickle.loads(pickle.dumps(coded)) == plain
    assert replace(coded, k=3) == replace(plain, k=3) != plain
    if rows:
        ours, theirs = coded.records, plain.records
        assert np.array_equal(ours.codes, theirs.codes)
        assert np.array_equal(ours.record_of, theirs.record_of)
        assert hash(coded.table) == hash(plain.table)
    if kind is Generalization:
        assert all(map(np.array_equal, coded.codes, plain.codes))


def test_a_table_of_codes_is_a_sequence():
    codes = np.array([[0, 1], [2, 0], [0, 0], [1, 1], [3, 3]])
    table = CodedTable(codes)
    assert table[-1] == (3, 3)
    assert tuple(table[1:3]) == ((2, 0), (0, 0))
    assert (2, 0) in table
    assert table != ((0, 1),)
    assert table != [*table]
    assert repr(table) == "((0, 1), (2, 0), (0, 0), (1, 1), ...)"
    values, numbers = table.values(0)
    assert (values, numbers.tolist()) == ([0, 2, 1, 3], [0, 1, 0, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        table.codes[0, 0] = 1


def test_lists_of_integers_become_an_array_if_they_fit():
    edges = [[0, 1], [1, 2], [0, 1]]
    lists, array = (
        ConnectedPartition([5, 5, 5], given, 5) for given in (edges, np.array(edges))
    )
    assert lists == array
    assert lists.sha256 == array.sha256
    assert isinstance(lists.edges, CodedTable)
    assert lists.neighbours == ((1,), (0, 2), (1,))
    far = 2**80
    near, away = (
        PairPartition(points=[[far * s + x] for x in (0, 1, 9)], k=1) for s in (0, 1)
    )
    assert isinstance(near.points, CodedTable)
    assert not isinstance(away.points, CodedTable)
    assert (near.total, near.places.tolist()) == (away.total, away.places.tolist())


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([[0], [2**31]], "2\\*\\*60"),
        ([[0], [1, 2]], "different dimensions"),
        ([[0], [0.5]], r"points\[1\]\[0\]: expected an integer"),
        ([[0], "1"], r"points\[1\]: expected a list"),
    ],
)
def test_points_that_are_none_are_told(points, told):
    with pytest.raises(InvalidInstanceError, match=told):
        PairPartition(points=points, k=1)
