"""Clusters in place of rows: the paper's figures, and what is published."""

from dataclasses import replace

import pandas as pd
import pytest

import atleastk
from atleastk.instances.errors import InvalidInstanceError, UnknownNameError

ALPHA, BETA, GAMMA, DELTA = 30, 50, 80, 60
FIGURE_1 = [
    {"Age": ALPHA, "Place": BETA, "Disease": "Flu"},
    {"Age": ALPHA + 2, "Place": BETA, "Disease": "Flu"},
    {"Age": DELTA, "Place": GAMMA + 3, "Disease": "Hypertension"},
    {"Age": DELTA, "Place": GAMMA, "Disease": "Flu"},
    {"Age": DELTA, "Place": GAMMA - 3, "Disease": "Cold"},
]
"""[Aggarwal10, Figure 1 (a)] with numbers for its letters."""

FIGURE_3 = [(1, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]


@pytest.mark.parametrize("total", [False, True])
def test_figure_1(total):
    """2-gather with greatest radius 3, and 2-cellular with total 11, as printed."""
    made = atleastk.cluster(
        FIGURE_1, 2, centres="any", sensitive=["Disease"], total=total
    )
    assert made.radius == 3
    assert made.total == 11
    assert made.in_units(made.result.bound) == (11 if total else 3)
    assert made.rows() == [
        {
            "Age": ALPHA + 1,
            "Place": BETA,
            "points": 2,
            "radius": 1,
            "Disease": ["Flu", "Flu"],
        },
        {
            "Age": DELTA,
            "Place": GAMMA,
            "points": 3,
            "radius": 3,
            "Disease": ["Cold", "Flu", "Hypertension"],
        },
    ]


def test_figure_3():
    """Five rows about the first cost 5; suppression hides all 20 cells."""
    made = atleastk.cluster(FIGURE_3, 5, metric="hamming", total=True)
    assert made.total == 5
    assert made.rows()[0][0] == 1
    hidden = atleastk.anonymize(FIGURE_3, 5)
    assert hidden.report.suppressed == 20


def test_centres_that_are_rows():
    """With centres among the rows the first cluster has radius 2."""
    for centres in ("input", "member"):
        made = atleastk.cluster(FIGURE_1, 2, ["Age", "Place"], centres=centres)
        assert (made.radius, made.total) == (3, 2 * 2 + 3 * 3)


def test_outliers_are_not_published():
    """The row far away is left out."""
    rows = [*FIGURE_1, {"Age": 99, "Place": 9999, "Disease": "Cold"}]
    made = atleastk.cluster(rows, 2, sensitive=["Disease"], max_outliers=1)
    assert made.outliers == (5,)
    assert sum(c.size for c in made.clusters) == 5
    assert "outliers    1 of 1 at most" in str(made)


def test_units_weigh_columns():
    """With places in tens the clusters are others."""
    rows = [{"a": 0, "b": 0}, {"a": 3, "b": 0}, {"a": 0, "b": 20}, {"a": 3, "b": 20}]
    plain = atleastk.cluster(rows, 2)
    scaled = atleastk.cluster(rows, 2, units={"b": 10})
    assert (plain.radius, scaled.radius) == (3, 2)


def test_facility_costs_make_clusters_fewer():
    """Free ones are single rows; if each pays 20 a single one is best."""
    rows = [{"x": x} for x in (0, 1, 2, 3, 4)]
    free = atleastk.cluster(rows, 1, total=True)
    dear = atleastk.cluster(rows, 1, total=True, facility_cost=20)
    assert (len(free.clusters), len(dear.clusters)) == (5, 1)
    assert dear.in_units(dear.result.cost) == 20 + 5 * 2


def test_frames_of_pandas():
    """Any table that anonymize takes."""
    made = atleastk.cluster(pd.DataFrame(FIGURE_1), 2, ["Age"], sensitive=["Place"])
    assert made.rows()[1]["Place"] == [77, 80, 83]


def test_too_few_rows():
    """Nothing is published; that is no error."""
    made = atleastk.cluster(FIGURE_1, 6, ["Age"])
    assert made.clusters is None
    assert made.radius is made.total is None
    assert made.rows() == []
    assert "infeasible" in str(made)


def test_published_radii_hold():
    """Recounted from the table, they are those of the result up to rounding."""
    rows = [{"x": x * x % 17 / 7, "y": x * 5 % 11 / 3} for x in range(12)]
    for metric in ("euclidean", "manhattan"):
        made = atleastk.cluster(rows, 3, metric=metric)
        solved = made.in_units(made.result.cost)
        assert made.radius == pytest.approx(solved, abs=0.002)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"facility_cost": 1}, "counts in a total only"),
        ({"metric": "great-circle", "centres": "any"}, "no place to publish"),
        ({"centres": "somewhere"}, "centres: expected one of"),
        ({"metric": "cosine"}, "metric: expected one of"),
    ],
)
def test_senseless_wishes(wish, message):
    with pytest.raises(InvalidInstanceError, match=message):
        atleastk.cluster(FIGURE_1, 2, ["Age", "Place"], **wish)


def test_unknown_columns():
    with pytest.raises(UnknownNameError, match='did you mean "Disease"'):
        atleastk.cluster(FIGURE_1, 2, sensitive=["Diseases"])


def test_published_columns_are_distinct():
    """No column is called like a measure, and none is sensitive and not."""
    with pytest.raises(
        InvalidInstanceError, match='"radius" is a column of what is published'
    ):
        atleastk.cluster([{"radius": 1}, {"radius": 2}], 2)
    with pytest.raises(InvalidInstanceError, match='"Age" is also a column'):
        atleastk.cluster(FIGURE_1, 2, ["Age"], sensitive=["Age"])


def test_a_note_is_told():
    """Why a search gave up with time left, with clusters and without."""
    made = atleastk.cluster(FIGURE_1, 2, ["Age"])
    assert "note" not in str(made)
    noted = replace(made, result=replace(made.result, note="it gave up"))
    assert str(noted).endswith("\n  note        it gave up")
    assert str(replace(noted, clusters=None)).endswith("\n  note        it gave up")
