import pytest

from atleastk.instances.fields.errors import NoAnswerError
from atleastk.research.lower_bounds.lower_bound import LowerBound, measured
from atleastk.runs import api

FOLD = LowerBound(
    "bin-covering", ("fold",), "tight-fold", "k", tuple(range(3, 23, 2)), "As it says."
)


def test_a_family_that_attains_its_promise():
    growth = measured(FOLD, "fold", api.solve)
    assert growth.ratio == "(3 k - 3) / k"
    assert (growth.limit, growth.is_tight) == (3, True)
    assert FOLD.command == "atleastk generate bin-covering tight-fold --k 3"


def test_no_formula_is_claimed_where_there_is_none():
    drawn = LowerBound(
        "bin-covering", ("fold",), "uniform", "n", tuple(range(5, 15)), "None."
    )
    with pytest.raises(NoAnswerError, match="uniform: no formula has all that fold"):
        measured(drawn, "fold", api.solve)


def test_what_an_algorithm_refuses_is_no_family():
    bins = LowerBound(
        "bin-covering",
        ("five-halves-printed",),
        "uniform",
        "n",
        (14,),
        "None.",
        fixed={"k": 300, "low": 1, "high": 100},
    )
    with pytest.raises(NoAnswerError, match="n = 14: five-halves-printed costs None"):
        measured(bins, "five-halves-printed", api.solve)
