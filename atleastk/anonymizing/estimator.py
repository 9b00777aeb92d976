"""Anonymisation in two steps, fit and transform, as scikit-learn has them.

``fit`` anonymises a table and keeps what was published of it: the classes of equal
rows, each of them of at least k. ``transform`` lets new rows join these classes: a row
is published as the class with fewest suppressed cells whose kept values it has. So

- the table of ``fit`` as published and the rows of ``transform`` *together* are
  k-anonymous, since every new row equals at least k that are published already;
- the new rows by themselves need not be;
- a row that fits no class cannot be published: an error, unless some rows of the table
  were suppressed altogether, a class that every row fits.

``fit_transform`` returns the anonymised table. ``transform`` of the same table is
something else: every row may then join a class with fewer suppressed cells than its
own, since that one has its k rows already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from typing import Any, Self

import numpy as np

from atleastk.anonymizing.anonymize import MARKER, Anonymized, anonymize
from atleastk.anonymizing.request import RowOrder
from atleastk.arrays import BoolArray, Int32Array
from atleastk.frames.frame import Column, Name, chosen, codes_of
from atleastk.frames.open_frame import framed
from atleastk.frames.rows import identity_of
from atleastk.instances.errors import NotApplicableError, UnknownNameError
from atleastk.instances.records import distinct_rows
from atleastk.instances.spelling import renamed, respelled
from atleastk.solving import AUTO

__all__ = ["KAnonymizer"]


@respelled
class KAnonymizer:
    """A transformer that publishes rows in classes of at least k equal ones.

    Parameters are those of :func:`atleastk.anonymize`, generalisation and ambiguity
    apart. Limits are those of the table that is fitted.

    Attributes
    ----------
    anonymized_
        What ``fit`` made of its table.
    """

    anonymized_: Anonymized

    def __init__(
        self,
        k: int = 2,
        columns: Iterable[Name] | None = None,
        limits: Mapping[str, int] | None = None,
        intact: Sequence[Name] | None = None,
        column_order: Sequence[Sequence[Name]] | None = None,
        row_order: RowOrder | None = None,
        minimise: str | None = None,
        deletion: bool = False,
        problem: str | None = None,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
        method: str = AUTO,
        marker: str = MARKER,
        memory_limit: float | None = None,
    ) -> None:
        self.k = k
        self.columns = columns
        self.limits = limits
        self.intact = intact
        self.column_order = column_order
        self.row_order = row_order
        self.minimise = minimise
        self.deletion = deletion
        self.problem = problem
        self.time_limit = time_limit
        self.workers = workers
        self.seed = seed
        self.method = method
        self.marker = marker
        self.memory_limit = memory_limit

    def fit(self, table: Any, y: object = None) -> Self:  # noqa: ARG002 - sklearn's
        """Anonymise a table and learn the classes that it is published in.

        Raises
        ------
        NotApplicableError
            If no k-anonymous table exists, or none was found in time.
        """
        frame = framed(table)
        made = anonymize(table, **self.get_params())
        if made.suppressed is None:
            message = f"no table to learn from: {made.result.status} for k = {self.k}"
            raise NotApplicableError(message)
        columns = [frame.column(name) for name in made.columns]
        codes = codes_of(columns)
        published = np.where(made.suppressed, -1, codes).astype(np.int32)
        first, _ = distinct_rows(published + 1)
        self._patterns = published[first]
        self._numbers = [
            {identity_of(value): i for i, value in enumerate(column.values)}
            for column in columns
        ]
        self.anonymized_ = made
        return self

    def transform(self, table: Any) -> Any:
        """Publish new rows in the classes that ``fit`` has learnt.

        Raises
        ------
        NotApplicableError
            If a row fits none of them.
        """
        frame = framed(table)
        names = self._fitted().columns
        chosen(frame, names)
        codes = np.stack(
            [
                _translated(frame.column(name), numbers)
                for name, numbers in zip(names, self._numbers, strict=True)
            ],
            axis=1,
        )
        hidden = _joining(self._patterns, codes)
        masks = {name: hidden[:, j] for j, name in enumerate(names)}
        return frame.hiding(masks, self.marker).native

    def fit_transform(self, table: Any, y: object = None) -> Any:
        """Anonymise a table, learn from it, and return it anonymised."""
        return self.fit(table, y).anonymized_.frame

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - sklearn's
        """Return the parameters by their names."""
        return {name: getattr(self, name) for name in signature(KAnonymizer).parameters}

    def set_params(self, **params: Any) -> Self:
        """Change parameters."""
        for name, value in renamed(params, self.get_params()).items():
            if name not in self.get_params():
                known = ", ".join(self.get_params())
                message = f'no parameter is called "{name}"; known are {known}'
                raise UnknownNameError(message)
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        told = ", ".join(f"{n}={v!r}" for n, v in self.get_params().items())
        return f"KAnonymizer({told})"

    def _fitted(self) -> Anonymized:
        if not hasattr(self, "anonymized_"):
            message = "not fitted yet; call fit first"
            raise NotApplicableError(message)
        return self.anonymized_


def _translated(column: Column, numbers: Mapping[Any, int]) -> Int32Array:
    """Return the cells of a column as `fit` numbered them; unknown ones are -1."""
    known = [numbers.get(identity_of(value), -1) for value in column.values]
    codes: Int32Array = np.array(known, dtype=np.int32)[column.codes]
    return codes


def _joining(patterns: Int32Array, codes: Int32Array) -> BoolArray:
    """Return what to hide of every row such that it equals one of the patterns.

    Hidden cells of patterns are -1. Of the patterns that a row fits it gets one that
    hides fewest cells.
    """
    kept = patterns >= 0
    sets = np.unique(kept, axis=0)
    hidden = np.ones(codes.shape, dtype=np.bool_)
    homeless = np.arange(len(codes))
    for columns in sets[np.argsort(-sets.sum(axis=1), kind="stable")]:
        known = patterns[(kept == columns).all(axis=1)]
        _, number = distinct_rows(
            np.concatenate((known, codes[homeless]))[:, columns] + np.int32(1)
        )
        fits = np.isin(number[len(known) :], number[: len(known)])
        hidden[homeless[fits]] = ~columns
        homeless = homeless[~fits]
    if len(homeless):
        message = (
            f"{len(homeless)} rows fit no published class, the first is row "
            f"{homeless[0] + 1}; anonymise them together with the old ones"
        )
        raise NotApplicableError(message)
    return hidden
