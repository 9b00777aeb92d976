"""Re-identification risk of a published table, and attribute disclosure.

An attacker who knows the published columns of a person looks for the rows that agree.
If there are F of them, a guess is right with probability 1/F. Three attackers are
distinguished [ElEmam08]; here the table itself is the population, the worst case:

- the *prosecutor* knows that one person is in the table: at most 1 / (the fewest rows
  that look alike);
- the *journalist* wants anybody at all: the same, since the table is the population;
- the *marketer* guesses for every row: the mean of 1/F over the rows, which is the
  number of classes over the number of rows.

A table may be a sample of a population that the journalist and the marketer guess in.
Then F are the persons of the population whom a row may be:

- counted in a table of the whole population: the least is the k of *k-map* [Sweeney02];
- or estimated, if every row stands for a number of persons, by the sum of these weights
  over the rows that look alike. A row that no other looks like, of weight w, is alone
  in the population with probability 1/w, as if persons had come to the table
  independently [Franconi04].

Rows are alike if they are equal as published. That suppressed cells match anything
(k-ambiguity) protects no row that is left as it was: looking for equal rows finds it.

A value can be learnt without finding the row: if all rows of a class share a value of
another column, each of them has it.

References
----------
[Sweeney02] L. Sweeney, k-anonymity: a model for protecting privacy. International
Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10 (2002) 557-570.
[Franconi04] L. Franconi, S. Polettini, Individual risk estimation in mu-Argus: a
review. Privacy in Statistical Databases, LNCS 3050 (2004) 262-272.
[ElEmam08] K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity. Journal of
the American Medical Informatics Association 15 (2008) 627-637.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray, tallied
from atleastk.models.wording import Warned, counted


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk that rows of a table are found."""

    unique: float
    """The number of rows that may be one person only; the expected one, if
    estimated."""
    highest: float
    """The probability that a guess about one person is right, at most; 0 without
    rows."""
    mean: float
    """The share of the rows that is found if all are guessed, on average."""

    def __str__(self) -> str:
        return f"at most {self.highest:.2%} a row, {self.mean:.2%} on average"

    @property
    def with_unique(self) -> str:
        """The risk in words, and how many rows are like no other if any is."""
        if not self.unique:
            return str(self)
        return f"{self}, {counted(int(self.unique), 'row')} like no other"

    @property
    def despite_matches(self) -> Warned:
        """The warning about this risk of equal rows, for k-ambiguity."""
        return Warned(
            "k-ambiguity is no protection from whoever looks for equal rows",
            f"a guess is then right with up to {self.highest:.2%}",
        )

    @classmethod
    def of(cls, alike: IntArray) -> Risk:
        """Return the risk if every row may be any of `alike` persons, one at least."""
        if not len(alike):
            return cls(0, 0.0, 0.0)
        sizes, rows = tallied(alike)
        mean = fsum((rows / sizes).tolist()) / len(alike)
        return cls(int((alike == 1).sum()), 1.0 / int(sizes[0]), mean)

    @classmethod
    def of_classes(cls, sizes: IntArray) -> Risk:
        """Return the risk of rows in classes of these sizes, which alone look alike."""
        if not len(sizes):
            return cls(0, 0.0, 0.0)
        mean = len(sizes) / int(sizes.sum())
        return cls(int((sizes == 1).sum()), 1.0 / int(sizes.min()), mean)

    @classmethod
    def estimated(cls, alike: IntArray, persons: FloatArray) -> Risk:
        """Return the risk if `alike` rows look alike and stand for `persons`."""
        if not len(alike):
            return cls(0, 0.0, 0.0)
        found = np.minimum(1.0, 1.0 / persons)
        alone = float(found[alike == 1].sum())
        return cls(alone, float(found.max()), float(found.mean()))


def single_valued(class_of: IntArray, codes: Int32Array) -> int:
    """Return how many classes share one value; classes and values are numbered."""
    if not len(codes):
        return 0
    values = int(codes.max()) + 1
    pairs, _ = tallied(class_of * values + codes)
    return int((np.bincount(pairs // values) == 1).sum())
