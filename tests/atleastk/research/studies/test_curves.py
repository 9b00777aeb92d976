from dataclasses import replace
from statistics import fmean
from types import SimpleNamespace

import pytest

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.models.results.result import Event
from atleastk.plots.studies import draw_curves
from atleastk.research.studies.curves import (
    BOUND,
    SOLVABLE,
    curve_lines,
    curves_of,
    panels_of,
)
from atleastk.research.studies.profiles import primal_integral
from atleastk.research.studies.runs_table import run_lines
from atleastk.runs.pools import Here

SIZES = [5, 4, 3, 3, 2, 2, 1]


def found(**fields):
    asked = {
        "problem": "bin-covering",
        "methods": ["subset-dp"],
        "algorithms": ["spread", "fold"],
        "against": "k",
        "instances": [atleastk.BinCovering(SIZES, k, name="Seven") for k in (9, 5, 21)],
    }
    return atleastk.conduct(atleastk.Study.from_dict(asked | fields), executor=Here())


@pytest.fixture(scope="module")
def results():
    return found()


def test_instances_of_a_name_are_points_in_order(results):
    (points,) = curves_of(results).values()
    assert [point.along for point in points] == [5, 9, 21]
    assert [point.costs["subset-dp"] for point in points[:2]] == [[5], [10]]
    assert points[0].ratios["subset-dp"] == [1]
    assert set(points[0].seconds) == {"subset-dp", "spread", "fold"}
    assert (points[2].costs, [p.solvable for p in points]) == ({}, [1, 1, 0])


def test_generated_instances_are_of_one_curve_though_names_tell_the_number():
    (name, points), *others = curves_of(
        found(instances=[{"family": "uniform", "n": 6, "k": [60, 90]}])
    ).items()
    assert (name, others) == ("uniform n=6 low=1 high=100", [])
    assert [point.along for point in points] == [60, 90]


def test_seeds_are_one_point_with_a_mean_and_a_worst():
    drawn = {"family": "uniform", "n": 8, "seeds": 3, "k": [60, 600]}
    three = found(instances=[drawn])
    (name,) = curves_of(three)
    first, last = curves_of(three)[name]
    assert len(first.costs["fold"]) == len(first.ratios["fold"]) == 3
    assert (first.solvable, last.solvable) == (1, 0)
    panels = panels_of(three)[name]
    means, worst = panels["cost / bound"]["fold"], panels["worst cost / bound"]["fold"]
    assert means == ([60], [fmean(first.ratios["fold"])])
    assert worst == ([60], [max(first.ratios["fold"])])
    assert panels["share with a solution"]["share with a solution"] == (
        [60, 600],
        [1, 0],
    )
    mean = fmean(first.costs["fold"])
    assert f"| {mean:.1f} (+{means[1][0] - 1:.1%}, at most +{worst[1][0] - 1:.1%})" in (
        "\n".join(curve_lines(three))
    )


def test_quotients_and_parameters_are_numbers():
    drawn = {"family": "tight-fold", "k": 11, "sigma": [0.0, 0.1], "seeds": 2}
    smooth = found(instances=[drawn], against="sigma")
    assert [[p.along for p in each] for each in curves_of(smooth).values()] == [
        [0, 0.1]
    ]
    bins = {"family": "uniform", "n": [6, 8], "k": [60, 80]}
    ratio = found(instances=[bins], against="n / k")
    assert [p.along for each in curves_of(ratio).values() for p in each] == [
        *(6 / 80, 8 / 80, 8 / 60)
    ]


def test_tables_tell_costs_above_the_bound(results):
    text = "\n".join(curve_lines(results))
    assert text.startswith("\n## Seven\n")
    assert "| k | bound | subset-dp | spread | fold |" in text
    assert "| 9 | 10 | 10 (+0.0%) |" in text
    assert "| 21 |  |  |  |  |" in text
    assert "| k | subset-dp | spread | fold |" in text


def test_large_numbers_are_told_in_full():
    """They stand for instances, and may be all that tells two of them apart."""
    k = 1_234_567_891
    bins = [atleastk.BinCovering([k, k, 1], k, name="Large")]
    assert f"| {k} | {k + 1} |" in "\n".join(curve_lines(found(instances=bins)))


def test_only_what_is_asked_for_is_told(results, monkeypatch):
    assert not curves_of(found(against=""))
    monkeypatch.setattr("atleastk.research.studies.curves._MOST_POINTS", 2)
    assert not list(curve_lines(results))


def test_a_picture_has_a_row_for_every_name_and_one_look_for_every_run():
    pytest.importorskip("matplotlib")
    named = {"Seven": (9, 5, 21), "": (1, 2, 4, 8)}
    bins = [
        atleastk.BinCovering(SIZES, k, name=n) for n, ks in named.items() for k in ks
    ]
    panels = panels_of(found(instances=bins))
    assert list(panels) == ["Seven", "bin-covering"]
    figure = draw_curves(panels, "k").get_figure()
    assert len(figure.axes) == 8
    colours = {}
    for ax in figure.axes:
        for line in ax.get_lines():
            colours.setdefault(line.get_label(), set()).add(line.get_color())
    assert set(colours) == {BOUND, "subset-dp", "spread", "fold", SOLVABLE}
    assert all(len(each) == 1 for each in colours.values())
    assert "nothing" in draw_curves({}, "k").texts[0].get_text()


def test_runs_are_told_where_there_is_no_algorithm(results, monkeypatch):
    assert not list(run_lines(results))
    only = found(algorithms=[])
    assert only.ratios().to_markdown("Runs").startswith("# Runs\n\n3 instances; 1 with")
    lines = list(run_lines(only))
    assert lines[1].startswith("| instance | method | status | trust | cost | bound |")
    assert lines[3].startswith(
        '| "Seven" n=7 k=9 total=20 | subset-dp | OPTIMAL | proved | 10 | 10 |  |'
    )
    assert "| subset-dp | INFEASIBLE | certified |  |  |  |" in lines[5]
    assert lines[-3] == "3 of 3 runs closed."
    assert lines[-1].startswith(f"Software: atleastk {atleastk.__version__}, sources ")
    (told,) = {line.split("|")[8].strip()[-1] for line in (lines[3], lines[4])}
    assert told == "%"
    assert not any("mean gap" in line for line in lines)
    both = list(run_lines(found(algorithms=[], methods=["subset-dp", "sat"])))
    assert "| method | runs | closed | mean gap | mean seconds |" in both
    assert any(line.startswith("| sat | 3 | 3 | 0.000% | ") for line in both)
    monkeypatch.setattr("atleastk.research.studies.runs_table._MOST_RUNS", 2)
    assert not list(run_lines(only))


def test_a_primal_integral_is_the_mean_distance_to_the_best_cost():
    events = [Event(1.0, 20, None), Event(2.0, 20, 5), Event(4.0, 10, 5)]
    result = SimpleNamespace(events=events)
    row = {"time_limit": 10.0, "seconds": 8.0}
    assert primal_integral(row, result, 10) == pytest.approx((1 + 3 / 2) / 10)
    assert primal_integral(row, result, 5) == pytest.approx((1 + 3 * 0.75 + 3) / 10)
    endless = {**row, "time_limit": None}
    assert primal_integral(endless, result, 10) == pytest.approx(2.5 / 8)
    nothing = SimpleNamespace(events=[])
    assert primal_integral(row, nothing, 10) == 1.0
    assert primal_integral({**row, "time_limit": 0.5}, result, 10) == 1.0


def test_what_is_no_number_is_refused():
    with pytest.raises(
        InvalidInstanceError, match="against: bin-covering has no number"
    ):
        found(against="sizes")
    told = replace(found(), against="9" * 999)
    with pytest.raises(InvalidInstanceError, match=r"has no number .{1,90}$"):
        curves_of(told)
    with pytest.raises(InvalidInstanceError, match="against: expected a text, got 3"):
        found(against=3)
