"""Pictures of every problem: of nothing, and of everything in one group."""

import pytest
from every_problem import EMPTY, INSTANCES
from pictures import result_of, saved, texts

from atleastk import Solution
from atleastk.runs.registry import PROBLEMS

WITHOUT_ITEMS = {
    "k-anonymity": "no rows",
    "k-ambiguity": "no rows",
    "suppression": "no rows",
    "generalization": "no rows",
    "diversity": "no rows",
    "r-gather": "no points",
    "cellular-clustering": "no points",
    "connected-partition": "no nodes",
    "rectangle-tiling": "no points",
    "rectangle-tiling-grid": "no cells",
}
DRAWN = [problem for problem in PROBLEMS.values() if problem.draw is not None]


@pytest.mark.parametrize("problem", DRAWN, ids=lambda problem: problem.name)
def test_nothing_to_draw_is_said(problem):
    instance = INSTANCES[problem.name][0]
    assert texts(problem.draw(instance, result_of(instance, None))) == ["no solution"]
    if problem.name in WITHOUT_ITEMS:
        instance = EMPTY[problem.name][0]
        ax = problem.draw(instance, result_of(instance, Solution(())))
        assert texts(ax) == [WITHOUT_ITEMS[problem.name]]


LONG = {"tight-spider"}
"""Families whose nodes get their places only when they are drawn, in seconds."""


@pytest.mark.parametrize(
    ("problem", "family"),
    [
        pytest.param(
            *(problem, family),
            id=f"{problem.name} {family.name}",
            marks=[pytest.mark.sweep] if family.name in LONG else [],
        )
        for problem in DRAWN
        for family in problem.families
    ],
)
def test_all_families_are_drawn(problem, family, tmp_path):
    instance = family.make(1)
    ax = problem.draw(instance, result_of(instance, Solution.of([range(instance.n)])))
    if family is problem.families[0]:
        assert saved(ax, tmp_path / "family.png") > 5000
    ax.figure.draw_without_rendering()
