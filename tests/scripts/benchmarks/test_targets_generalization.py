"""The targets of generalisation: their tables and when they are met."""

import argparse

import pytest


@pytest.fixture
def targets(script):
    return script("benchmarks.targets_generalization")


@pytest.fixture
def tables(script):
    return script("benchmarks.cases_generalization")


def test_tables(tables, targets):
    """Without a file, Adult is the sample."""
    rows = tables.adult_rows(None)
    assert (len(rows), len(rows[0])) == (1000, 8)
    chosen = argparse.Namespace(adult=None, seeds=1)
    found = list(targets.every(chosen))
    assert sum(target.gap == 0 for target in found) == 20 + 4
    assert {t.case.instance.on for t in found} == {"entries", "attributes"}


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
    case = next(iter(tables.drawn(1)))
    shared = script("benchmarks.targets")
    target, made = shared.Target(case, gap), run(size="k=2", **fields)
    assert target.met(made) is met
    report = "\n".join(shared.report_lines("Title", [target], [made]))
    assert ("**no**" in report) is not met
