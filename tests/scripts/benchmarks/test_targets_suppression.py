"""The targets of the suppression family: their limits, and how they are told."""

import random

import pytest

from atleastk.instances.suppression_names import MINIMISATIONS

LIMITS = {
    "rows": 7,
    "columns": 3,
    "entries": 20,
    "per_row": 2,
    "per_column": 5,
    "rows beside columns": 4,
}


@pytest.fixture
def targets(script):
    return script("benchmarks.targets_suppression")


@pytest.fixture
def tables(script, monkeypatch):
    module = script("benchmarks.cases_suppression")
    monkeypatch.setattr(module, "binding_limits", lambda rows, k: LIMITS)
    return module


def rows(n=10):
    rng = random.Random(1)
    return [tuple(str(rng.randrange(3)) for _ in range(6)) for _ in range(n)]


def test_every_minimisation_gets_its_limits(tables):
    """The union of rows and columns has limits of its own."""
    cases = {case.family: case.instance for case in tables.minimisations(rows(), 2, 0)}
    assert cases.keys() == MINIMISATIONS.keys()
    assert dict(cases["r-MIN-e-SUP"].limits) == {"rows": 7}
    assert dict(cases["r-c-MIN-e-SUP"].limits) == {"rows": 4, "columns": 2}
    assert dict(cases["r-e-MIN-c-SUP"].limits) == {"rows": 4, "entries": 20}
    assert cases["MIN-c'-PART"].column_order == tables.IMPORTANCE
    assert cases["MIN-r'-PART"].row_order == (tuple(range(5)), tuple(range(5, 10)))


def test_the_farthest_neighbour(tables):
    """Over rows, how far the (k-1)-th nearest is."""
    table = [(0, 0, 0), (0, 0, 1), (1, 1, 1)]
    plain = tables.Suppression(table, 2)
    assert tables._farthest(plain) == 2
    assert tables._farthest(tables.Suppression(table, 3)) == 3


def test_the_report_tells_optima_and_gaps(targets, tables, run):
    """A line per problem, a column per table."""
    first, second, *_ = tables.minimisations(rows(), 2, 0)
    proved = run(family=first.family, size="k=2", cost=12)
    opened = run(family=second.family, size="k=2", status="FEASIBLE", cost=4, bound=3)
    report = "\n".join(targets.report_lines([first, second], [proved, opened]))
    assert "| MIN-e-SUP | 12 " in report
    assert "| MIN-r'-SUP | **4/3** |" in report
    assert "1 of 2 targets are met; not met: MIN-r'-SUP k=2 seed=0" in report
