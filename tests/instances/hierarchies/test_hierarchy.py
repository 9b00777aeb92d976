import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.hierarchies.hierarchy import Hierarchy, flaw_of, suppression_of


def test_chains():
    hierarchy = Hierarchy([["a", "v", "*"], ["b", "c", "*"], [1, "c", "*"]])
    assert (hierarchy.height, hierarchy.chain_of[1]) == (2, (1, "c", "*"))
    assert suppression_of(["x", "y", "x"]).chains == (("x", "*"), ("y", "*"))
    assert Hierarchy([["only"]]).height == 0


def test_a_label_may_come_back_at_a_higher_level():
    """Where a branch is shorter, its label is repeated; cells compare by level."""
    chains = [["oak", "tree", "plant", "*"], ["moss", "moss", "plant", "*"]]
    assert flaw_of(chains) is None
    assert Hierarchy(chains).height == 3
    assert flaw_of([["a", "b", "*"], ["b", "a", "*"]]) is None


@pytest.mark.parametrize(
    ("chains", "message"),
    [
        ([], "expected a chain"),
        ([[]], "expected a chain"),
        ([["a", "*"], ["b"]], r"chains\[1\]: expected 2 cells"),
        ([["a", "*"], ["a", "*"]], r"\[1\]: the value 'a' has a chain already"),
        (
            [["a", "x", "y", "*"], ["b", "x", "z", "*"]],
            r"\[1\]: 'x' of level 1 becomes 'z' here and 'y' before",
        ),
        ([["a", "x"], ["b", "y"]], r"\[1\]: expected one label at the top, got 'y'"),
    ],
)
def test_what_does_not_fit(chains, message):
    with pytest.raises(InvalidInstanceError, match=message):
        Hierarchy(chains)
