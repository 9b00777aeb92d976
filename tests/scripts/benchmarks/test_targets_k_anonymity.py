"""The targets of k-anonymity: their tables and when they are met."""

import pytest


@pytest.fixture
def targets(script):
    return script("benchmarks.targets_k_anonymity")


@pytest.fixture
def tables(script):
    return script("benchmarks.cases_k_anonymity")


def test_nursery_is_a_full_product(tables):
    instance = tables.nursery(5).instance
    assert (instance.n, instance.m, instance.records.distinct) == (12_960, 8, 12_960)


def test_ages_are_cut_to_decades(tables, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("name,age\na,39\nb,9\n", encoding="utf-8")
    assert tables.read_rows(path) == [("a", "39"), ("b", "9")]
    assert tables.read_rows(path, ["age"]) == [("39",), ("9",)]
    assert tables.read_rows(path, ["age"], decades=True) == [("30",), ("0",)]
    assert tables.read_rows(path, 1) == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("gap", "fields", "met"),
    [
        (0.0, {}, True),
        (0.0, {"status": "FEASIBLE", "cost": 101, "bound": 100}, False),
        (0.03, {"status": "FEASIBLE", "cost": 100, "bound": 97}, True),
        (0.03, {"status": "FEASIBLE", "cost": 100, "bound": 96}, False),
    ],
)
def test_targets_are_met_by_proof_or_by_gap(script, tables, run, gap, fields, met):
    shared = script("benchmarks.targets")
    target = shared.Target(tables.uniform(10, 2, 2, 2, 0), gap)
    made = run(size="k=2", **fields)
    assert target.met(made) is met
    report = "\n".join(shared.report_lines("Title", [target], [made]))
    assert ("**no**" in report) is not met


def test_gaps_take_long(targets, monkeypatch):
    """Tables to be proved have the usual time."""
    asked = []
    monkeypatch.setattr(targets, "check_targets", lambda given, *_: asked.extend(given))
    targets.main(["--seeds", "1", "--long", "7"])
    assert asked
    assert all(target.seconds == (7 if target.gap else None) for target in asked)
