import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from tables import drawn_rows, of_columns

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError
from atleastk.solvers.brute_force.bin_covering import partitions

ALPHA, BETA, GAMMA, DELTA = 30, 50, 80, 60
FIGURE_1 = of_columns(
    Age=[ALPHA, ALPHA + 2, DELTA, DELTA, DELTA],
    Place=[BETA, BETA, GAMMA + 3, GAMMA, GAMMA - 3],
    Disease=["Flu", "Flu", "Hypertension", "Flu", "Cold"],
)
"""[Aggarwal10, Figure 1 (a)] with numbers for its letters."""

FIGURE_3 = [(1, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]


@pytest.mark.parametrize("total", [False, True])
def test_figure_1(total):
    made = atleastk.cluster(
        FIGURE_1, 2, centres="any", sensitive=["Disease"], total=total
    )
    assert (made.radius, made.total) == (3, 11)
    assert made.in_units(made.result.bound) == (11 if total else 3)
    assert [[*row.values()] for row in made.rows()] == [
        [ALPHA + 1, BETA, 2, 1, ["Flu", "Flu"]],
        [DELTA, GAMMA, 3, 3, ["Cold", "Flu", "Hypertension"]],
    ]
    assert [*made.rows()[0]] == ["Age", "Place", "points", "radius", "Disease"]


def test_figure_3():
    made = atleastk.cluster(FIGURE_3, 5, metric="hamming", total=True)
    assert made.total == 5
    assert made.rows()[0][0] == 1
    assert atleastk.anonymize(FIGURE_3, 5).report.suppressed == 20


def test_centres_that_are_rows():
    for centres in ("input", "member"):
        made = atleastk.cluster(FIGURE_1, 2, ["Age", "Place"], centres=centres)
        assert (made.radius, made.total) == (3, 2 * 2 + 3 * 3)


def test_outliers_are_not_published():
    rows = [*FIGURE_1, {"Age": 99, "Place": 9999, "Disease": "Cold"}]
    made = atleastk.cluster(rows, 2, sensitive=["Disease"], max_outliers=1)
    assert made.outliers == (5,)
    assert sum(c.size for c in made.clusters) == 5
    assert "outliers    1 of 1 at most" in str(made)


def test_units_weigh_columns():
    rows = [{"a": 0, "b": 0}, {"a": 3, "b": 0}, {"a": 0, "b": 20}, {"a": 3, "b": 20}]
    plain = atleastk.cluster(rows, 2)
    scaled = atleastk.cluster(rows, 2, units={"b": 10})
    assert (plain.radius, scaled.radius) == (3, 2)


def test_facility_costs_make_clusters_fewer():
    rows = [{"x": x} for x in (0, 1, 2, 3, 4)]
    free = atleastk.cluster(rows, 1, total=True)
    dear = atleastk.cluster(rows, 1, total=True, facility_cost=20)
    assert (len(free.clusters), len(dear.clusters)) == (5, 1)
    assert dear.in_units(dear.result.cost) == 20 + 5 * 2


def test_too_few_rows():
    made = atleastk.cluster(FIGURE_1, 6, ["Age"])
    assert made.clusters is None
    assert made.radius is made.total is None
    assert made.rows() == []
    assert made.frame is None
    assert "infeasible" in str(made)


def test_published_radii_hold():
    rows = [{"x": x * x % 17 / 7, "y": x * 5 % 11 / 3} for x in range(12)]
    for metric in ("euclidean", "manhattan"):
        for least in ("radius", "total"):
            made = atleastk.cluster(rows, 3, metric=metric, minimise=least)
            solved = made.in_units(made.result.cost)
            off = made.where.slack * (len(rows) if least == "total" else 1)
            assert 0 < off < 0.05
            assert made.cost == pytest.approx(solved, abs=off)
            assert made.bound == pytest.approx(solved - off)


SQUARES, PAIRS = {"minimise": "squares"}, {"minimise": "pairs"}


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"facility_cost": 1, "minimise": "radius"}, "counts in a total only"),
        ({"facility_cost": 0.5, "metric": "hamming"}, "a multiple of 1 as hamming"),
        ({"facility_cost": 1e-4}, "a multiple of 0.001 as manhattan distances"),
        ({"facility_cost": -1}, "^facility_cost: expected 0 or more"),
        ({"facility_cost": float("inf")}, "a multiple of 0.001"),
        ({"minimise": "cost"}, "minimise: expected one of total, radius"),
        ({"minimise": "radius", "total": True}, "total: says something else"),
        ({"metric": "great-circle", "centres": "any"}, "no place on a sphere"),
        ({"metric": "great-circle", "centres": "mean"}, "no place on a sphere"),
        ({"metric": "hamming", "scale": "range"}, "scale: hamming distances have none"),
        ({"scale": "log"}, "scale: expected one of none, range, deviation"),
        ({"centres": "somewhere"}, "centres: expected one of"),
        ({"metric": "cosine"}, "metric: expected one of"),
        ({**SQUARES, "metric": "hamming"}, "squares are of euclidean distances"),
        ({**SQUARES, "centres": "any"}, "squares are about means"),
        ({**SQUARES, "max_outliers": 1}, "max_outliers: squares have none"),
        ({**SQUARES, "facility_cost": 1.0}, "facility_cost: squares have none"),
        ({**PAIRS, "centres": "member"}, "pairs are about means"),
        ({**PAIRS, "max_outliers": 1}, "max_outliers: pairs have none"),
        ({**PAIRS, "metric": "great-circle"}, "no place on the earth"),
    ],
)
def test_senseless_wishes(wish, message):
    with pytest.raises(InvalidInstanceError, match=message):
        atleastk.cluster(FIGURE_1, 2, ["Age", "Place"], **wish)


def test_the_question_of_a_publisher():
    rows = [{"x": x} for x in (0, 1, 2, 3, 10, 11)]
    asked = [{}, {"minimise": "total"}, {"total": True}]
    assert {atleastk.cluster(rows, 2, **wish).total for wish in asked} == {6}
    for wish in ({"minimise": "radius"}, {"total": False}):
        assert atleastk.cluster(rows, 2, **wish).radius == 1
        assert atleastk.cluster(rows, 2, **wish).instance.measured == "radius"


EUROS = [30_000, 33_000, 30_100, 33_100, 60_000, 60_100]
KILOMETRES_AND_EUROS = of_columns(far=[1, 2, 40, 41, 20, 21], paid=EUROS)


@pytest.mark.parametrize(
    ("scale", "unit_of"), [("range", np.ptp), ("deviation", np.std)]
)
def test_scales_keep_euros_from_drowning_kilometres(scale, unit_of):
    """By euros alone neighbours are apart; as parts of the columns they are not."""
    named = ["far", "paid"]
    plain = atleastk.cluster(KILOMETRES_AND_EUROS, 2, named)
    made = atleastk.cluster(KILOMETRES_AND_EUROS, 2, named, scale=scale)
    assert [cluster.rows for cluster in plain.clusters] == [(0, 2), (1, 3), (4, 5)]
    assert [cluster.rows for cluster in made.clusters] == [(0, 1), (2, 3), (4, 5)]
    assert "far: next to nothing beside the others; see scale" in str(plain)
    assert "next to nothing" not in str(made)
    units = made.to_dict()["units"]
    assert units["paid"] == pytest.approx(unit_of(EUROS))
    assert f"paid / {units['paid']:.6g}" in str(made)
    own = {"paid": 500}
    again = atleastk.cluster(KILOMETRES_AND_EUROS, 2, named, scale=scale, units=own)
    assert again.to_dict()["units"] == {**units, **own}


def test_bounds_hold_whatever_is_rounded():
    rng = random.Random(5)
    for _ in range(40):
        draw = {"a": lambda _: rng.random(), "b": [0.1, 1 / 3, 2e5], "c": "xy"}
        rows = drawn_rows(rng, 7, **draw)
        wish = {
            "metric": rng.choice(["manhattan", "euclidean"]),
            "scale": rng.choice(["none", "range", "deviation"]),
            "minimise": rng.choice(["total", "radius"]),
            "centres": rng.choice(["input", "member", "any", "mean"]),
        }
        named = ["a", "b"] if wish["metric"] == "euclidean" else None
        made = atleastk.cluster(rows, 2, named, **wish)
        assert made.bound <= made.cost
        rest = atleastk.cluster(rows, 2, named, **wish, max_clusters=2)
        assert made.bound <= rest.cost


def test_what_is_lost_and_told():
    rows = [*FIGURE_1, {"Age": 30, "Place": 52, "Disease": "Flu"}]
    made = atleastk.cluster(rows, 3, ["Age", "Place"], centres="mean")
    first = [30, 32, 30]
    age = made.losses.columns["Age"]
    assert made.rows()[0]["Age"] == 31  # 92 / 3, as precise as the column
    assert (age.most, age.mean) == (1, 3 / 6)
    mean = (sum(first) + 180) / 6
    spread = sum((x - mean) ** 2 for x in [*first, 60, 60, 60])
    assert age.share == pytest.approx(3 / spread)
    assert age.least == pytest.approx(8 / 3 / spread)  # about 92 / 3
    assert made.losses.information == pytest.approx(
        (age.share + made.losses.columns["Place"].share) / 2
    )
    assert made.losses.shared == {"Disease": 1}
    told = str(made)
    assert "clusters    2 of 3 rows" in told
    assert "error       Age: off by 1 at most, 0.5 on average" in told
    assert "learnt      Disease: one value in 1 of 2 clusters" in told
    document = made.to_dict()
    assert (document["number_of_clusters"], document["sizes"]) == (2, {"3": 2})


def test_columns_of_texts_are_off_or_not():
    rows = [(1, "a"), (1, "a"), (1, "b"), (9, "c"), (9, "c")]
    made = atleastk.cluster(rows, 2, centres="mean")
    assert made.losses.columns["1"].mean == 1 / 5
    assert "1: another value in 20.00% of the rows" in str(made)


def test_unknown_columns():
    with pytest.raises(UnknownNameError, match='did you mean "Disease"'):
        atleastk.cluster(FIGURE_1, 2, sensitive=["Diseases"])


def test_published_columns_are_distinct():
    with pytest.raises(
        InvalidInstanceError, match='"radius" is a column of what is published'
    ):
        atleastk.cluster([{"radius": 1}, {"radius": 2}], 2)
    with pytest.raises(InvalidInstanceError, match='"Age" is also a column'):
        atleastk.cluster(FIGURE_1, 2, ["Age"], sensitive=["Age"])


def test_a_note_is_told():
    made = atleastk.cluster(FIGURE_1, 2, ["Age"])
    assert "note" not in str(made)
    noted = replace(made, result=replace(made.result, note="it gave up"))
    assert str(noted).endswith("\n  note        it gave up")
    assert str(replace(noted, clusters=None)).endswith("\n  note        it gave up")


def squares_of(rows, groups):
    total = 0.0
    for group in groups:
        own = np.array([rows[row] for row in group], dtype=float)
        total += ((own - own.mean(axis=0)) ** 2).sum()
    return total


def test_squares_are_least_about_means():
    for seed in range(12):
        rng = random.Random(seed)
        n, r = rng.randint(3, 8), rng.randint(1, 3)
        rows = [(rng.randint(0, 99) / 4, rng.gauss(0, 9)) for _ in range(n)]
        best = min(
            squares_of(rows, groups)
            for groups in partitions(n)
            if min(map(len, groups)) >= r
        )
        made = atleastk.cluster(rows, r, minimise="squares")
        assert made.cost == pytest.approx(best, rel=1e-5, abs=1e-5)
        assert squares_of(rows, [c.rows for c in made.clusters]) == made.cost
        assert made.bound <= best + 1e-9
        assert made.bound == pytest.approx(best, rel=1e-3, abs=0.05)
        assert made.to_dict()["minimise"] == "squares"


@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "hamming"])
def test_distances_of_pairs_are_least(metric):
    """Against all partitions, with distances by the definition."""
    far = {
        "manhattan": lambda a, b: abs(a[0] - b[0]) + abs(a[1] - b[1]),
        "euclidean": math.dist,
        "hamming": lambda a, b: (a[0] != b[0]) + (a[1] != b[1]),
    }[metric]
    rng = random.Random(5)
    for _ in range(8):
        rows = [
            (rng.randint(0, 4), rng.randint(0, 4)) for _ in range(rng.randint(2, 7))
        ]
        best = min(
            sum(far(rows[i], rows[j]) for group in groups for i, j in pairs_in(group))
            for groups in partitions(len(rows))
            if min(map(len, groups)) >= 2
        )
        made = atleastk.cluster(rows, 2, minimise="pairs", metric=metric)
        assert made.cost == pytest.approx(best, abs=1e-6)
        assert made.bound <= made.cost + 1e-9
        assert made.bound == pytest.approx(best, abs=0.05)
        assert made.standing[0] == "OPTIMAL"
        assert "pairs       " in str(made)


def pairs_in(group):
    return itertools.combinations(group, 2)


def test_squares_of_large_numbers_are_solved_in_larger_steps():
    rng = random.Random(3)
    rows = [(rng.randint(0, 10**9), rng.randint(0, 10**9)) for _ in range(40)]
    made = atleastk.cluster(rows, 3, minimise="squares", time_limit=20)
    assert made.coarse > 1
    assert made.bound <= made.cost
    assert made.gap < 0.02


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_one_column_of_squares_is_proved_at_once(digits):
    """Squares are whole numbers of steps, and the best runs are the best groups."""
    rng = random.Random(7)
    cents = [round(rng.lognormvariate(6, 1), digits) for _ in range(300)]
    made = atleastk.cluster([{"cost": x} for x in cents], 5, minimise="squares")
    assert made.verdict == "optimal (proved)"
    assert made.gap < 1e-6


def test_a_middle_that_is_farther_than_was_solved_for_is_not_optimal():
    """A regular triangle of side 2 has half of that as its radius in no plane."""
    corners = [{"x": 0, "y": 0}, {"x": 2, "y": 0}, {"x": 1, "y": 1.7320508}]
    made = atleastk.cluster(
        corners, 3, metric="euclidean", centres="any", minimise="radius"
    )
    assert made.result.status == "OPTIMAL"
    assert made.verdict == "feasible (heuristic)"
    assert made.radius == pytest.approx(2 / 3**0.5)
    assert made.bound == pytest.approx(1, abs=0.01)


def test_facilities_are_told_beside_the_total():
    rows = [{"x": x} for x in (0, 1, 9, 10)]
    made = atleastk.cluster(rows, 2, facility_cost=3)
    assert (made.total, made.cost) == (4, 10)
    assert "  facilities  6; 10 with the total\n" in str(made)
    assert "total and facilities of any clustering" in str(made)


def test_degrees_that_are_taken_for_lengths_are_told():
    rows = [{"Latitude": x, "lon": 0} for x in (0, 1)]
    assert "degrees, as if" in str(atleastk.cluster(rows, 2))
    assert "degrees, as if" not in str(atleastk.cluster(rows, 2, metric="great-circle"))


def test_metres_that_are_rounded_leave_an_optimum():
    places = [(50.0, 8.0), (50.01, 8.03), (50.025, 8.01)]
    made = atleastk.cluster(places, 3, metric="great-circle", minimise="radius")
    assert 1e-4 < made.gap < 1e-3
    assert made.standing == ("OPTIMAL", "certified")
    assert made.to_dict()["status"] == "OPTIMAL"
    assert "of rounding)" in str(made)
