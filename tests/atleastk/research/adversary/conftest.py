"""Solvers that prove nothing."""

from dataclasses import replace

import pytest

from atleastk.models.results.status import Status, Trust
from atleastk.runs import api


@pytest.fixture
def unproved(monkeypatch):
    """Let no optimum be proved, as of instances that want more time."""
    solve = api.solve

    def stopped(*asked, **named):
        found = solve(*asked, **{**named, "certify": False})
        if found.status is not Status.OPTIMAL:
            return found
        return replace(
            found,
            status=Status.FEASIBLE,
            trust=Trust.HEURISTIC,
            bound=None,
            certificate=None,
            certified_bound=None,
        )

    monkeypatch.setattr(api, "solve", stopped)
