from dataclasses import replace

import pytest
from pictures import result_of, saved, shades

import atleastk
from atleastk import InvalidResultError, KAmbiguity, KAnonymity
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators.k_ambiguity import seven_people
from atleastk.models.generalization import solution_of_groups, solution_of_levels
from atleastk.models.k_ambiguity import AmbiguityDeals, AmbiguitySolution
from atleastk.plots import generalization, k_ambiguity

CHAINS = [
    [["709", "70*", "*"], ["708", "70*", "*"], ["804", "80*", "*"], ["805", "80*", "*"]]
]


def test_suppressed_cells_of_the_figure(tmp_path):
    instance = seven_people(0)
    groups = ((0, 1), (2,), (3,), (4, 5, 6))
    cells = ((2, 2), (3, 0), (3, 1), (3, 3))
    ax = k_ambiguity.draw(
        instance, result_of(instance, AmbiguitySolution(groups, cells))
    )
    assert shades(ax).tolist() == [[0] * 4] * 5 + [[0, 0, 1, 0], [1, 1, 0, 1]]
    assert "4 of 28 cells suppressed" in ax.get_title(loc="left")
    assert saved(ax, tmp_path / "cells.png") > 5000


@pytest.mark.parametrize("kind", [KAmbiguity, KAnonymity])
def test_copies_are_lines_of_their_own(kind):
    instance = kind([["a", "x"], ["a", "y"], ["b", "y"]], 2, copies=[1, 3, 1])
    result = atleastk.solve(instance)
    ax = atleastk.plot(instance, result)
    assert shades(ax).shape == (5, 2)
    assert shades(ax).sum() == result.cost


def test_deals_that_are_no_solution_are_not_drawn():
    instance = KAmbiguity([["a", "x"], ["a", "y"]], 2, copies=[1, 3])
    wrong = replace(atleastk.solve(instance), solution=AmbiguityDeals((), [(0, 0, 1)]))
    with pytest.raises(InvalidResultError, match="0 copies of row 1, which has 3"):
        atleastk.plot(instance, wrong)


def test_levels_are_shades(tmp_path):
    instance = Generalization([["709"], ["708"], ["804"], ["804"]], 2, CHAINS)
    ax = generalization.draw(
        instance, result_of(instance, solution_of_groups(instance, [[0, 1], [2, 3]]))
    )
    assert shades(ax).tolist() == [[0], [0], [0.5], [0.5]]
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    assert named == ["as it is", "0.5"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["column 0\n0.5 of 2"]
    assert saved(ax, tmp_path / "levels.png") > 5000


def test_one_level_for_all_rows():
    table = [["709"], ["708"], ["804"], ["805"]]
    instance = Generalization(table, 2, CHAINS, on="attributes")
    ax = generalization.draw(
        instance, result_of(instance, solution_of_levels(instance, [1]))
    )
    assert shades(ax).tolist() == [[0.5]] * 4
