"""Reduction of generalisation on entries to suppression, on a table with more columns.

A column whose hierarchy has height h becomes h *pseudo-columns*: its labels at the
levels 0, ..., h - 1. (At level h all cells are equal.) If one level of it costs w, each
stands there w / d times, where d is the greatest number that divides all of these.

Theorem
-------
For every partition of rows of weight 1, the least loss on entries (height or precision)
is d times the number of cells that k-anonymity by suppression needs on the expanded
table. So both have the same optimal partitions, bounds and approximation guarantees.

Proof. Let S be a group. Its cells in a column can be published equal at level l iff all
of S has one label there. Since labels nest, S then has one label at every higher level
too: the levels at which S is not constant are 0, ..., l - 1, where l is the least
level at which it can be published. So S pays l w for every row, which is d times the
number of pseudo-columns of that column on which S is not constant: what a row of S
suppresses there.
Both sums go over the same columns and rows, and groups of at least k are feasible in
both.

So in the expanded table no optimal solution keeps a label and hides the more general
ones; and closed patterns are levels: there are no more of them than nodes in the
lattice times their classes, however often a column is repeated.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression


def expanded(instance: Generalization) -> KAnonymity:
    """Return the expanded table, of rows of weight 1, written out.

    Its distinct records are those of the instance, in the same order, unless that has
    weights of rows.
    """
    return KAnonymity(_expanded(instance.written_out), instance.k)


def as_suppression(instance: Generalization) -> Suppression:
    """Return the expanded table as a problem of suppression, without copies."""
    return Suppression(_expanded(instance), instance.k)


def _expanded(instance: Generalization) -> CodedTable:
    """Return the rows of the table with a column for every level below the top."""
    parts = [
        np.repeat(codes[:-1].of(), weight // instance.unit_of_levels, axis=0)
        for codes, weight in zip(instance.codes, instance.weights, strict=True)
    ]
    none = np.empty((0, len(instance.row_of)), dtype=np.int32)
    return CodedTable(np.ascontiguousarray(np.concatenate([none, *parts]).T))


def records_of_levels(instance: Generalization) -> Records:
    """Return the records of the instance, with a column for every level below the top.

    No column is repeated: each has the price of its level.
    """
    records = instance.records
    none = np.empty((0, records.distinct), dtype=np.int32)
    codes = np.concatenate([none, *(labels[:-1].of() for labels in instance.labels)]).T
    prices = np.repeat(np.array(instance.weights, dtype=np.int64), instance.heights)
    return replace(records, codes=np.ascontiguousarray(codes), prices=prices)
