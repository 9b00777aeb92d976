import random

import numpy as np
import pytest

from atleastk.arrays import stable_order
from atleastk.instances.records import Records, distinct_rows, numbered


def test_values_are_numbered_as_they_appear():
    assert numbered(["b", "a", "b", 1, "1", 1]).tolist() == [0, 1, 0, 2, 3, 2]
    assert numbered([]).tolist() == []


@pytest.mark.parametrize(("values", "columns"), [(2, 4), (1, 3), (3, 0), (1000, 40)])
def test_equal_rows_are_merged(values, columns):
    rng = random.Random(values)
    table = [tuple(rng.randrange(values) for _ in range(columns)) for _ in range(60)]
    table += table[:20]
    records = Records.of(table, columns)
    assert (records.n, records.m, records.distinct) == (80, columns, len(set(table)))
    assert records.copies.tolist() == np.bincount(records.record_of).tolist()
    for i in range(80):
        for j in range(80):
            same = records.record_of[i] == records.record_of[j]
            assert same == (table[i] == table[j])
    codes = records.codes[records.record_of]
    for j in range(columns):
        column = [row[j] for row in table]
        assert codes[:, j].tolist() == numbered(column).tolist()


def test_no_rows_are_no_records():
    for columns in (0, 3):
        records = Records.of([], columns)
        assert (records.n, records.m, records.distinct) == (0, columns, 0)
        assert records.rows.tolist() == []
    first, record_of = distinct_rows(np.empty((0, 2), dtype=np.int32))
    assert len(first) == len(record_of) == 0


@pytest.mark.parametrize("most", [0, 1, 5, 2**40, 2**56, 2**62])
def test_places_are_ordered_as_a_stable_sort_orders_them(most):
    for n in (0, 1, 2, 100):
        numbers = np.random.default_rng(n).integers(0, most + 1, n)
        order = np.argsort(numbers, kind="stable")
        assert stable_order(numbers).tolist() == order.tolist()


def test_rows_are_sorted_by_record():
    assert Records.of([[1], [0], [1], [0]], 1).rows.tolist() == [0, 2, 1, 3]


def test_copies_are_dealt_to_groups():
    rng = random.Random(5)
    records = Records.of([[rng.randrange(4)] for _ in range(40)], 1)
    entries = []
    for record, copies in enumerate(records.copies.tolist()):
        first = rng.randint(0, copies)
        entries += [(record, record, first), (7, record, copies - first)]
    rng.shuffle(entries)
    group, record, copies = (np.array(part) for part in zip(*entries, strict=True))
    home = records.row_groups(group, record, copies)
    for g, r, c in entries:
        assert ((home == g) & (records.record_of == r)).sum() == c
