"""The risk that a person is found in a published table, or that a value is learnt.

Somebody who knows the published columns of a person looks for the rows that agree. If
there are F of them, a guess is right with probability 1/F. Three questions are asked
[ElEmam08]; here the table itself is the population, which is the worst case:

- the *prosecutor* knows that one person is in the table: at most 1 / (the fewest rows
  that look alike);
- the *journalist* wants anybody at all: the same, since the table is the population;
- the *marketer* guesses for every row: the mean of 1/F over the rows, which is the
  number of classes over the number of rows.

Who is found in a class need not be told apart from the others: if all rows of the class
share a value of another column, that value is learnt of each of them.

References
----------
[ElEmam08] K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity. Journal of
the American Medical Informatics Association 15 (2008) 627-637.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.models.anonymity import Anonymity

__all__ = ["Risk", "single_valued"]


@dataclass(frozen=True, slots=True)
class Risk:
    """How easily the rows of a table are found.

    Attributes
    ----------
    unique
        The number of rows that no other looks like.
    highest
        The probability that a guess about one person is right, at most; 0 without rows.
    mean
        The share of the rows that is found if all are guessed, on average.
    """

    unique: int
    highest: float
    mean: float

    @classmethod
    def of(cls, level: Anonymity) -> Risk:
        """Return the risk of a table that is so anonymous."""
        alike = level.alike
        if not len(alike):
            return cls(0, 0.0, 0.0)
        mean = float(np.mean(1.0 / alike))
        return cls(int((alike == 1).sum()), 1.0 / int(alike.min()), mean)


def single_valued(class_of: IntArray, codes: Int32Array) -> int:
    """Return how many classes share one value; classes and values are numbered."""
    if not len(codes):
        return 0
    values = int(codes.max()) + 1
    pairs = np.unique(class_of * values + codes)
    return int((np.bincount(pairs // values) == 1).sum())
