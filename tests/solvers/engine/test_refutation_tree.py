import pytest

from atleastk.solvers.engine.refutation_tree import OpenError, Split, refutation


def visit(interval):
    """Return a leaf of one number; else give the halves, and one split that is bad."""
    low, high = interval
    if high - low == 1:
        return {"leaf": low}
    middle = (low + high) // 2
    sides = {"below": (low, middle), "above": (middle, high)}
    bad = {"below": (low, high), "above": (low, high)}
    poor, good = Split({"at": low}, bad, 1.0), Split({"at": middle}, sides, 2.0)
    return iter([poor, good, good._replace(document={"at": "tied"})])


def leaves(tree):
    if "leaf" in tree:
        return [tree["leaf"]]
    return leaves(tree["below"]) + leaves(tree["above"])


def test_the_first_split_of_the_greatest_gain_is_taken():
    tree = refutation((0, 8), visit, iter(range(15)))
    assert tree["at"] == 4
    assert leaves(tree) == list(range(8))


@pytest.mark.parametrize(("nodes", "depth"), [(14, 3), (15, 2)])
def test_limits_leave_a_tree_open(nodes, depth):
    assert refutation((0, 8), visit, iter(range(15)), 3) is not None
    with pytest.raises(OpenError):
        refutation((0, 8), visit, iter(range(nodes)), depth)


def test_what_is_enough_ends_the_search_and_nothing_to_split_leaves_it_open():
    enough = Split({}, {"below": (0, 1)}, 1.0, enough=True)
    better = Split({}, {"below": (1, 2)}, 2.0)
    found = {(0, 2): iter([enough, better]), (0, 1): {"leaf": 0}, (9, 9): iter(())}
    assert refutation((0, 2), found.get, iter(range(2))) == {"below": {"leaf": 0}}
    with pytest.raises(OpenError):
        refutation((9, 9), found.get, iter(range(2)))
