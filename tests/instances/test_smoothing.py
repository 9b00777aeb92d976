"""Noise around instances of every problem, and around the sources of studies."""

import json
from contextlib import suppress

import pytest
from every_problem import INSTANCES

import atleastk
from atleastk import InvalidInstanceError, Study, conduct
from atleastk.instances.family import origin_of
from atleastk.instances.smoothing import smoothed
from atleastk.runs.pools import Here

NUMBERS = {
    "name",
    "source",
    *("sizes", "weights", "grid", "table", "points", "costs", "facility_costs"),
}


def with_something_to_smooth():
    for instances in INSTANCES.values():
        for instance in instances:
            with suppress(InvalidInstanceError):
                yield instance, smoothed(instance, 0.5, 1)


def test_only_numbers_and_cells_change():
    problems, moved = set(), 0
    for instance, noisy in with_something_to_smooth():
        before, after = instance.to_dict(), noisy.to_dict()
        assert before.keys() | {"name", "source"} == after.keys() | {"name", "source"}
        changed = {name for name in before if before[name] != after[name]}
        assert changed <= NUMBERS, instance
        assert noisy == smoothed(instance, 0.5, 1)
        assert noisy.n == instance.n
        assert origin_of(noisy).parameters["sigma"] == "0.5"
        moved += bool(changed - {"name", "source"})
        problems.add(instance.problem)
    assert problems == {*INSTANCES}
    assert moved > len(problems)


def test_without_noise_all_is_as_before():
    instance = atleastk.generate("bin-covering", "tight-fold", k=5)
    same = smoothed(instance, 0, 3)
    assert (same.sizes, same.k) == (instance.sizes, instance.k)
    assert same.name == f"{instance.name} sigma=0.0"


def test_cells_are_drawn_from_their_column():
    rows = [(i, "ab"[i % 2]) for i in range(40)]
    table = smoothed(atleastk.KAnonymity(rows, 2), 1.0, 0).table
    assert {second for _, second in table} <= {*"ab"}
    assert sum(row != before for row, before in zip(table, rows, strict=True)) > 10


@pytest.mark.parametrize("sigma", [-0.1, float("inf"), float("nan"), "1", True, None])
def test_what_is_no_size_of_noise(sigma):
    entry = {"family": "uniform", "sigma": [0.1, sigma]}
    with pytest.raises(InvalidInstanceError, match="sigma: expected a number from 0"):
        Study(problem="bin-covering", instances=[entry])


def test_ratios_are_told_by_sigma(tmp_path):
    bins = atleastk.generate("bin-covering", "tight-fold", k=5)
    (tmp_path / "bins.json").write_text(json.dumps(bins.to_dict()))
    entries = [
        {"family": "tight-fold", "k": 5, "seeds": 6, "sigma": [0, 0.1]},
        {"files": "bins.json", "k": 6, "sigma": 0.2},
    ]
    study = Study(
        problem="bin-covering",
        instances=entries,
        algorithms=["fold"],
        by=["sigma"],
        folder=tmp_path,
    )
    results = conduct(study, executor=Here())
    table = results.table
    assert {*results.to_frame("polars")["sigma"]} == {*table["sigma"]}
    assert {*table["sigma"]} == {"0.0", "0.1", "0.2"}
    found = zip(table["name"], table["sigma"], table["ratio"], strict=True)
    ratios = [(sigma, ratio) for name, sigma, ratio in found if name == "fold"]
    assert [ratio for sigma, ratio in ratios if sigma == "0.0"] == [12 / 5]
    assert all(1 <= ratio < 3 for _, ratio in ratios)
    assert len(ratios) > 5


def test_distances_have_no_noise():
    instance = atleastk.RGather(distances=[[0, 1], [1, 0]], r=2)
    with pytest.raises(InvalidInstanceError, match="r-gather has nothing to smooth"):
        smoothed(instance, 0.1, 0)
