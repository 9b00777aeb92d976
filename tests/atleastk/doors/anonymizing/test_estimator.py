import warnings

import numpy
import pytest
from tables import NAMED, dicts_of, random_people

from atleastk import KAnonymizer, NotApplicableError, UnknownNameError, anonymize
from atleastk.doors.anonymizing.anonymize import anonymity

pytestmark = [
    pytest.mark.usefixtures("quick"),
    pytest.mark.filterwarnings("ignore:column .*, left unchanged:UserWarning"),
]


COLUMNS = ["age", "town", "sex"]


@pytest.mark.parametrize("wrap", NAMED)
def test_new_rows_and_the_published_ones_are_anonymous_together(wrap):
    old, new = random_people(50, 1), random_people(30, 2)
    anonymizer = KAnonymizer(4, COLUMNS).fit(wrap(old))
    published = dicts_of(anonymizer.anonymized_.frame)
    joined = dicts_of(anonymizer.transform(wrap(new)))
    assert anonymity([tuple(row.values())[:3] for row in published + joined]).holds(4)
    classes = {tuple(row.values())[:3] for row in published}
    for before, after in zip(new, joined, strict=True):
        assert after["key"] == before["key"]
        cells = tuple(after.values())[:3]
        assert cells in classes
        fitting = [c for c in classes if _fits(before, c)]
        assert cells in fitting
        assert _stars(cells) == min(map(_stars, fitting))


def _stars(cells):
    return sum(cell in ("*", None) for cell in cells)


def _fits(row, cells):
    return all(c in ("*", None, row[n]) for n, c in zip(COLUMNS, cells, strict=True))


def test_fit_transform_is_the_anonymised_table():
    """Not the transform of it, in which rows may join classes with fewer stars."""
    rows = random_people(40, 3)
    anonymizer = KAnonymizer(3, COLUMNS)
    assert anonymizer.fit_transform(rows) == anonymizer.anonymized_.frame
    assert anonymity(anonymizer.anonymized_.frame, COLUMNS).holds(3)


def test_identifiers_are_warned_of():
    with pytest.warns(
        UserWarning, match='column "key", left unchanged, singles out 40 of'
    ):
        KAnonymizer(3, COLUMNS).fit(random_people(40, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KAnonymizer(3, COLUMNS).fit(random_people(19, 3))
        KAnonymizer(3, sensitive="key").fit(random_people(40, 3))


def test_a_row_that_fits_no_class():
    anonymizer = KAnonymizer(2).fit([("a", 1)] * 3)
    assert anonymizer.transform([("a", 1)]) == [("a", 1)]
    with pytest.raises(
        NotApplicableError, match="2 rows fit no published class, the f"
    ):
        anonymizer.transform([("a", 1), ("b", 1), ("a", 2)])
    anonymizer = KAnonymizer(2).fit([("a", 1), ("b", 2)])
    assert anonymizer.transform([("c", 9)]) == [("*", None)]


def test_there_must_be_something_to_learn():
    with pytest.raises(NotApplicableError, match="INFEASIBLE for k = 5 and 4 samples"):
        KAnonymizer(5).fit(random_people(4, 0))
    with pytest.raises(NotApplicableError, match="call fit first"):
        KAnonymizer(5).transform(random_people(4, 0))
    with pytest.raises(UnknownNameError, match="no column"):
        KAnonymizer(2, COLUMNS).fit(random_people(9, 0)).transform([{"age": 1}])


def test_parameters_are_those_of_the_constructor():
    anonymizer = KAnonymizer(3, COLUMNS, time_limit=5)
    params = anonymizer.get_params()
    assert KAnonymizer(**params).get_params() == params
    more = {"k": 7, "marker": "?"}
    assert anonymizer.set_params(**more).get_params() == {**params, **more}
    with pytest.raises(UnknownNameError, match='no parameter is called "kk"'):
        anonymizer.set_params(kk=1)
    assert repr(anonymizer).startswith("KAnonymizer(k=7, columns=['age', ")


def test_sensitive_values():
    old, new = random_people(50, 1), random_people(30, 2)
    anonymizer = KAnonymizer(2, ["age", "town"], sensitive="sex", l=2)
    published = dicts_of(anonymizer.fit_transform(old))
    joined = dicts_of(anonymizer.transform(new))
    seen: dict[tuple[object, object], set[object]] = {}
    for row in published + joined:
        seen.setdefault((row["age"], row["town"]), set()).add(row["sex"])
    assert set(map(len, seen.values())) == {2}
    assert [row["sex"] for row in joined] == [row["sex"] for row in new]


def test_sensitive_columns_are_not_anonymised():
    rows = [
        {k: v for k, v in row.items() if k != "key"} for row in random_people(40, 3)
    ]
    wishes = {"sensitive": "sex", "l": 2, "diversity": "distinct", "t": "1/2"}
    made = KAnonymizer(3, **wishes).fit(rows).anonymized_
    assert made.columns == ("age", "town")
    assert made.report.cost == anonymize(rows, 3, **wishes).report.cost
    with pytest.raises(UnknownNameError):
        KAnonymizer(3, ["age"], sensitive="disease", l=2).fit(rows)


def test_a_sensitive_column_by_its_number():
    array = numpy.array([[0, 1, 2], [1, 1, 2], [0, 3, 4], [1, 3, 4]])
    made = KAnonymizer(2, sensitive=0, l=2).fit_transform(array)
    assert made.tolist() == array.tolist()


def test_sensitive_values_that_nothing_keeps_apart():
    with pytest.raises(NotApplicableError, match="sex has 2 values, l = 3 asks for 3"):
        KAnonymizer(2, ["age"], sensitive="sex", l=3).fit(random_people(50, 1))
