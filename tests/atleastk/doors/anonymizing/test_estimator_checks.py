import sys

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.utils import estimator_checks
from tables import random_people

import atleastk
from atleastk import (
    InvalidInstanceError,
    KAnonymizer,
    NotApplicableError,
    UnknownNameError,
)
from atleastk.doors.anonymizing.anonymize import anonymity

FAILS = {
    "check_transformer_general": "fit_transform publishes the table that is fitted; "
    "rows of transform may join classes that cost them less",
    "check_transformer_data_not_an_array": "the same; and lists come back as lists",
}
"""What of scikit-learn's checks does not hold, and why."""


@pytest.mark.parametrize(
    ("how", "failing"),
    [
        ({"method": "groups"}, {*FAILS}),
        ({"on": "attributes"}, {"check_transformer_data_not_an_array"}),
    ],
)
def test_it_is_an_estimator_of_scikit_learn(how, failing):
    with pytest.warns(UserWarning, match="does not inherit from `sklearn.base"):
        told = estimator_checks.check_estimator(
            KAnonymizer(**how),
            expected_failed_checks={name: FAILS[name] for name in failing},
            on_skip=None,
        )
    statuses = {
        name: {t["status"] for t in told if t["check_name"] == name}
        for name in {t["check_name"] for t in told}
    }
    assert {name for name, found in statuses.items() if "xfail" in found} == failing
    skipped = {name for name, found in statuses.items() if "skipped" in found}
    assert skipped <= {"check_array_api_input"}  # for those who ask for it
    assert len(statuses) > 40


@pytest.mark.parametrize(
    "check",
    [
        "check_get_feature_names_out_error",
        "check_set_output_transform",
        "check_transformer_get_feature_names_out",
        "check_transformer_get_feature_names_out_pandas",
    ],
)
def test_outputs_have_names(check):
    """By scikit-learn's checks of its own transformers; those take arrays for granted
    where nothing is chosen."""
    getattr(estimator_checks, check)("KAnonymizer", KAnonymizer(on="attributes"))


@pytest.mark.parametrize("container", ["pandas", "polars"])
@pytest.mark.parametrize(
    ("wrap", "named"),
    [
        (list, True),
        (lambda rows: [tuple(row.values()) for row in rows], False),
        (pandas.DataFrame, True),
        (polars.DataFrame, True),
        (pyarrow.Table.from_pylist, True),
        (lambda rows: np.array([[*row.values()] for row in rows], object), False),
    ],
)
def test_any_table_in_any_data_frame_out(wrap, named, container):
    old, new = wrap(random_people(12, 1)), wrap(random_people(5, 2))
    columns = ["age", "town"] if named else [0, 1]
    fitted = KAnonymizer(2, columns, on="attributes")
    made = [fitted.fit_transform(old), fitted.transform(new)]
    assert [type(table) for table in made] == [type(old), type(new)]
    fitted.set_output(transform=container)
    frames = [fitted.fit_transform(old), fitted.transform(new)]
    assert {type(frame) for frame in frames} == {
        {"pandas": pandas.DataFrame, "polars": polars.DataFrame}[container]
    }
    names = fitted.get_feature_names_out().tolist()
    assert names == ([*random_people(1, 1)[0]] if named else ["x0", "x1", "x2", "x3"])
    assert [list(frame.columns) for frame in frames] == [names] * 2
    assert fitted.set_output() is fitted.set_output(transform="default")
    assert type(fitted.transform(new)) is type(new)
    with pytest.raises(UnknownNameError, match="expected one of default, pandas, pol"):
        fitted.set_output(transform="excel")


def test_arrays_know_columns_by_their_places():
    old = pandas.DataFrame({"age": [31, 31, 55], "sex": ["f", "f", "f"]})
    fitted = KAnonymizer(3, columns=["age"]).fit(old)
    assert fitted.n_features_in_ == 2
    assert fitted.feature_names_in_.tolist() == ["age", "sex"]
    new = np.array([[31, "m"]], dtype=object)
    assert fitted.transform(new).tolist() == [[None, "m"]]
    with pytest.raises(InvalidInstanceError, match="X has 1 features, but KAnonymizer"):
        fitted.transform(new[:, 1:])
    fitted.set_params(columns=[0]).fit(old.to_numpy())
    assert fitted.transform(old[1:])["age"].isna().all()
    assert not hasattr(fitted, "feature_names_in_")


def test_in_pipelines_and_column_transformers():
    table = pandas.DataFrame(random_people(30, 4))
    anonymizer = KAnonymizer(3, on="attributes")
    pipeline = make_pipeline(
        FunctionTransformer(lambda frame: frame[["town", "sex"]]),
        anonymizer,
        OneHotEncoder(handle_unknown="error", sparse_output=False),
    )
    assert len(pipeline.fit_transform(table)) == 30
    assert len(pipeline.transform(table[:7])) == 7
    both = ColumnTransformer(
        [("people", clone(anonymizer), ["age", "town", "sex"])], remainder="passthrough"
    ).set_output(transform="pandas")
    made = both.fit_transform(table)
    assert list(made.columns) == list(both.get_feature_names_out())
    assert made["remainder__key"].tolist() == table["key"].tolist()
    assert anonymity(made, list(made.columns[:3])).holds(3)


def test_without_scikit_learn(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    fitted = KAnonymizer(2, on="attributes")
    with pytest.raises(NotApplicableError, match="call fit first") as caught:
        fitted.transform([("a",)])
    assert not isinstance(caught.value, NotFittedError)
    assert fitted.fit_transform([("a",)] * 2) == [("a",)] * 2
    assert fitted.set_output(transform="pandas").transform([("a",)]).shape == (1, 1)


def test_what_is_not_fitted_says_so_in_both_languages():
    for call in (KAnonymizer().transform, KAnonymizer().get_feature_names_out):
        with pytest.raises(NotFittedError, match="call fit first") as caught:
            call([("a",)])
        assert isinstance(caught.value, NotApplicableError)
    with sklearn.config_context(transform_output="polars"):
        made = KAnonymizer(2).fit_transform(np.ones((2, 2)))
    assert isinstance(made, polars.DataFrame)


def test_nothing_to_learn():
    with pytest.raises(NotApplicableError, match="for k = 2 and 0 samples"):
        KAnonymizer().fit(np.empty((0, 3)))
    assert atleastk.anonymize(np.empty((0, 3)), 2).frame.shape == (0, 3)
