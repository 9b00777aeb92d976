"""Anonymisation as an estimator of scikit-learn, in two steps: fit and transform.

``fit`` anonymises a table and stores its published classes of at least k equal rows.
``transform`` assigns new rows to these classes: a row is published as the class of
least loss among those that it fits. So

- the table of ``fit`` as published and the rows of ``transform`` *together* are
  k-anonymous, since every new row equals at least k that are published already;
- the new rows by themselves need not be;
- a row that fits no class cannot be published: an error, unless some rows of the table
  were suppressed altogether, a class that every row fits.

On attributes every class has the levels of the table, so that new rows get the labels
of these levels, or join the rows that were suppressed altogether.

``fit_transform`` returns the anonymised table. ``transform`` of the same table is
something else: every row may then join a class with fewer suppressed cells than its
own, since that one has its k rows already.

The class has the interface of scikit-learn's transformers, but inherits nothing of that
package, which need not be installed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Final, Self
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from atleastk.doors.anonymizing.anonymize import Anonymized, anonymize
from atleastk.doors.anonymizing.averaged import Means
from atleastk.doors.anonymizing.classes import Classes
from atleastk.doors.anonymizing.release import Released
from atleastk.doors.anonymizing.request import Wishes
from atleastk.doors.clustering.cluster import Clustered
from atleastk.frames.frame import Frame, Name
from atleastk.frames.numpy_frame import NumpyFrame
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NotApplicableError,
    UnknownNameError,
    optional,
)
from atleastk.instances.fields.spelling import renamed, respelled
from atleastk.instances.generalization import Generalization
from atleastk.runs.ask import SearchLimits


def _of_pandas(table: Any, names: Sequence[str]) -> Any:
    pandas = optional("pandas", "frames", "tables of pandas")
    if isinstance(table, pandas.DataFrame):
        return table
    if hasattr(table, "to_pandas"):
        return table.to_pandas()
    named = len(table) > 0 and isinstance(table[0], Mapping)
    return pandas.DataFrame(table, columns=None if named else names)


def _of_polars(table: Any, names: Sequence[str]) -> Any:
    polars = optional("polars", "frames", "tables of polars")
    if isinstance(table, np.ndarray | Sequence):
        table = _of_pandas(table, names)
    return polars.DataFrame(table)


CONTAINERS: Final[Mapping[str, Callable[[Any, Sequence[str]], Any]]] = {
    "pandas": _of_pandas,
    "polars": _of_polars,
}
"""How a table becomes a data frame, by the library; with names for columns without."""


_DEFAULT: Final = "default"
"""The container of an output that is the one of the input."""


@respelled
@dataclass(eq=False, repr=False)
class KAnonymizer(SearchLimits, Wishes):
    """A transformer that publishes rows in classes of at least k equal ones.

    Parameters are those of :func:`atleastk.anonymize`, but for `ambiguous`,
    `row_weights`, `shuffle` - the rows of a transformer stay beside their targets -
    `population`, `k_map`, `recode`, `start`, `on_event`, and those of tables that
    stay in their files. Limits, and what classes have to keep of sensitive values, are
    those of the table that is fitted: new rows never take a value from a class, but may
    change the shares.

    A fitted object holds the values of its table, suppressed ones too: neither it nor a
    pipeline that has it is to be published.

    Attributes
    ----------
    anonymized_
        The result of ``fit``.
    n_features_in_
        The number of all columns of the fitted table.
    feature_names_in_
        Their names, if they are texts.
    """

    k: int = 2
    ambiguous: bool = field(init=False, default=False)
    row_weights: Name | None = field(init=False, default=None)
    k_map: int | None = field(init=False, default=None)
    recode: Mapping[Name, Any] | None = field(init=False, default=None)
    shuffle: bool | int = field(init=False, default=False)

    def fit(self, table: Any, y: object = None) -> Self:  # noqa: ARG002 - sklearn's
        """Anonymise a table and learn the classes that it is published in.

        Warns of columns that are published unchanged and single out many rows.

        Raises NotApplicableError if no k-anonymous table exists, or none was found in
        time.
        """
        frame = framed(table)
        if self.on == "entries" and self.suppress_rows:
            raise InvalidInstanceError(
                "suppress_rows: on entries rows are dropped, and a transformer returns "
                "all; leave it out, or call anonymize"
            )
        made = anonymize(table, **self.get_params())
        assert not isinstance(made, Released)  # what is framed is in memory
        if made.result.solution is None or not frame.n:
            many = f"{frame.n} sample{'' if frame.n == 1 else 's'}"
            status = made.result.status
            sensitive = made.report.sensitive if isinstance(made, Anonymized) else None
            obstacles = {} if sensitive is None else sensitive.obstacles
            why = "".join(f"; {name} {why}" for name, why in obstacles.items())
            message = f"no table to learn from: {status} for k = {self.k} and {many}"
            raise NotApplicableError(message + why)
        part = made.report.risk if isinstance(made, Anonymized) else made.losses
        for warned in () if part is None else part.singling_out.warnings:
            warn(str(warned), stacklevel=2)
        self._classes = (
            classes_of(frame, made) if isinstance(made, Anonymized) else Means(made)
        )
        self._frame_names = tuple(frame.names)
        self._by_place = isinstance(frame, NumpyFrame)
        self.anonymized_: Anonymized | Clustered = made
        self.n_features_in_ = len(frame.names)
        vars(self).pop("feature_names_in_", None)
        if frame.names and all(isinstance(name, str) for name in frame.names):
            self.feature_names_in_: NDArray[Any] = np.array(frame.names, dtype=object)
        return self

    def transform(self, table: Any) -> Any:
        """Publish new rows in the classes that ``fit`` has learnt.

        Raises NotApplicableError if a row fits none of them.
        """
        self._expect_fitted()
        frame = framed(table)
        names = self._classes.names
        if self._by_place or isinstance(frame, NumpyFrame):
            if len(frame.names) != self.n_features_in_:
                raise InvalidInstanceError(
                    f"X has {len(frame.names)} features, but KAnonymizer is expecting "
                    f"{self.n_features_in_} features as input"
                )
            names = [frame.names[self._frame_names.index(name)] for name in names]
        return self._given_out(self._classes.publish(frame, names, self.marker))

    def fit_transform(self, table: Any, y: object = None) -> Any:
        """Anonymise a table, learn from it, and return it anonymised."""
        return self._given_out(framed(self.fit(table, y).anonymized_.frame))

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose what `transform` and `fit_transform` return.

        ``"pandas"`` or ``"polars"`` for its data frames, ``"default"`` for what the
        input is; None changes nothing.
        """
        known = (_DEFAULT, *CONTAINERS)
        if transform not in (None, *known):
            there = ", ".join(known)
            raise UnknownNameError(
                f'transform: expected one of {there}, got "{transform}"'
            )
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[Any]:
        """Return the names of the columns of the output: those of the input.

        Those without names are called x0, x1, ...
        """
        self._expect_fitted()
        names = getattr(self, "feature_names_in_", None)
        if input_features is not None:
            if names is not None and list(input_features) != list(names):
                raise InvalidInstanceError(
                    "input_features is not equal to feature_names_in_"
                )
            names = input_features
        if names is None:
            names = [f"x{j}" for j in range(self.n_features_in_)]
        if len(names) != self.n_features_in_:
            raise InvalidInstanceError(
                "input_features should have length equal to number of features "
                f"({self.n_features_in_}), got {len(names)}"
            )
        return np.array(names, dtype=object)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - sklearn's
        """Return the parameters by their names."""
        return {name: getattr(self, name) for name in signature(KAnonymizer).parameters}

    def set_params(self, **params: Any) -> Self:
        """Change parameters."""
        for name, value in renamed(params, self.get_params()).items():
            if name not in self.get_params():
                known = ", ".join(self.get_params())
                raise UnknownNameError(
                    f'no parameter is called "{name}"; known are {known}'
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{n}={v!r}" for n, v in self.get_params().items())
        return f"KAnonymizer({shown})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(preserves_dtype=["float64", "float32"]),
            input_tags=InputTags(categorical=True, string=True, allow_nan=True),
        )

    def _expect_fitted(self) -> None:
        """Raise an error that is scikit-learn's as well, if that is in use."""
        if not hasattr(self, "anonymized_"):
            theirs = sys.modules.get("sklearn.exceptions")
            known = () if theirs is None else (theirs.NotFittedError,)
            kind = type("NotFittedError", (NotApplicableError, *known), {})
            raise kind("not fitted yet; call fit first")

    def _given_out(self, frame: Frame) -> Any:
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform")
        sklearn = sys.modules.get("sklearn")
        if chosen is None and sklearn is not None:
            chosen = sklearn.get_config()["transform_output"]
        if chosen in (None, _DEFAULT):
            return frame.native
        names = self.get_feature_names_out().tolist()
        made = CONTAINERS[chosen](frame.native, names)
        if self._by_place:
            made.columns = names
        return made


def classes_of(frame: Frame, made: Anonymized) -> Classes:
    """Return the classes in which a table was published."""
    weights: Sequence[int] = (1,) * len(made.columns)
    if isinstance(made.instance, Generalization) and made.instance.is_linear:
        weights = made.instance.weights
    assert made.suppressed is not None  # it was published
    known: Any = made.request.hierarchies or {}
    return Classes.of(
        frame,
        made.columns,
        made.suppressed.astype(np.int64) if made.levels is None else made.levels,
        {n: one.hierarchy for n, one in known.items() if one.hierarchy},
        weights,
    )
