"""Means in place of numbers, asked of `anonymize` and of the transformer."""

import random

import numpy as np
import pandas
import pytest

import atleastk
from atleastk import InvalidInstanceError, KAnonymizer, NotApplicableError, anonymize


def people(seed=1, n=12):
    rng = random.Random(seed)
    return pandas.DataFrame(
        {
            "age": [rng.randrange(20, 70) for _ in range(n)],
            "pay": [round(rng.random() * 1000, 1) for _ in range(n)],
            "ill": [rng.choice(["flu", "cold"]) for _ in range(n)],
        }
    )


def test_it_is_the_cluster_of_squares():
    frame, how = people(), {"minimise": "squares", "scale": "deviation"}
    made = anonymize(frame, 3, ["age", "pay"], average=True)
    same = atleastk.cluster(frame, 3, ["age", "pay"], **how)
    assert made.frame.equals(same.frame)
    assert made.result.cost == same.result.cost
    assert atleastk.anonymity(made.frame, ["age", "pay"]).holds(3)


def test_rows_in_random_order():
    frame = people(2)
    plain = anonymize(frame, 3, ["age", "pay"], average=True)
    one, two = (
        anonymize(frame, 3, ["age", "pay"], average=True, shuffle=5) for _ in "ab"
    )
    assert one.frame.equals(two.frame)
    assert one.result.cost == plain.result.cost
    order = np.random.default_rng(5).permutation(len(frame))
    assert list(one.frame["ill"]) == list(frame["ill"].iloc[order])


def test_new_rows_get_the_nearest_mean():
    frame = people(3)
    fitted = KAnonymizer(3, ["age", "pay"], average=True)
    shown = fitted.fit_transform(frame)
    assert shown.equals(anonymize(frame, 3, ["age", "pay"], average=True).frame)
    means = shown[["age", "pay"]].drop_duplicates().to_numpy(dtype=float)
    unit = frame[["age", "pay"]].std(ddof=0).to_numpy()
    new = people(4, n=30)
    found = fitted.transform(new)
    assert list(found["ill"]) == list(new["ill"])
    for row, got in zip(
        new[["age", "pay"]].to_numpy(), found[["age", "pay"]].to_numpy(), strict=True
    ):
        apart = [((m - row) / unit) @ ((m - row) / unit) for m in means]
        assert got.tolist() == means[int(np.argmin(apart))].tolist()


def test_arrays_are_averaged():
    table = np.array([[1.0, 2], [1, 3], [1, 4], [9, 9], [9, 8], [9, 7]])
    fitted = KAnonymizer(3, average=True)
    assert fitted.fit_transform(table).tolist() == [[1, 3]] * 3 + [[9, 8]] * 3
    assert fitted.transform(np.array([[2.0, 2], [7, 7]])).tolist() == [[1, 3], [9, 8]]


def test_too_few_rows():
    made = anonymize(people(n=2), 3, ["age", "pay"], average=True)
    assert made.frame is None
    with pytest.raises(NotApplicableError, match="no table to learn from: INFEASIBLE"):
        KAnonymizer(3, ["age", "pay"], average=True).fit(people(n=2))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"population": [[1, 2]]}, "population: says nothing of means"),
        ({"k": None}, "k: missing; say how many rows have to look alike"),
    ],
)
def test_what_says_nothing_of_means_is_refused(wish, words):
    with pytest.raises(InvalidInstanceError, match=words):
        anonymize(people(), **{"k": 3, "columns": ["age", "pay"], **wish}, average=True)
