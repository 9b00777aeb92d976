"""Shrinking, by predicates that know what they look for."""

import pytest

from atleastk.instances.shrinking import shrunk, smaller


def heavy(document):
    """Tell whether a node is heavier than its neighbours allow, and all is feasible."""
    return 79 in document["weights"] and sum(document["weights"]) % 20 == 19


def test_a_group_of_just_k_goes_as_a_whole():
    pairs = [[1, 2], [3, 4], [5, 6]]
    document = {
        "problem": "connected-partition",
        "weights": [79, 11, 9, 12, 8, 13, 7],
        "edges": pairs,
        "k": 20,
    }
    alone = shrunk(document, heavy, most=30)
    assert len(alone["weights"]) == 7

    def groups(found):
        return [[0], *found["edges"]]

    assert shrunk(document, heavy, groups=groups)["weights"] == [79]


def test_groups_that_are_no_items_are_left_alone():
    document = {"problem": "rectangle-tiling-grid", "grid": [[1, 1], [1, 1]], "p": 2}
    found = shrunk(document, lambda d: len(d["grid"]) == 2, groups=lambda _: [[2, 3]])
    assert len(found["grid"]) == 2


@pytest.mark.parametrize(
    ("document", "sizes"),
    [
        ({"sizes": [3, 4, 5], "k": 2}, "sizes"),
        ({"points": [[0], [1], [2]], "r": 1}, "points"),
        ({"distances": [[0, 1], [1, 0]], "r": 1}, "distances"),
        ({"table": [[0, 1], [1, 1]], "k": 1, "sensitive": [0, 1]}, "table"),
        ({"weights": [1, 2], "edges": [[0, 1]], "k": 1}, "weights"),
    ],
)
def test_one_item_goes_with_all_that_is_its_own(document, sizes):
    fewer = [d for d in smaller(document) if len(d[sizes]) == len(document[sizes]) - 1]
    assert len(fewer) >= len(document[sizes])
    for each in fewer:
        assert all(len(row) == len(each[sizes]) for row in each.get("distances", ()))
        assert len(each.get("sensitive", each[sizes])) == len(each[sizes])


def test_an_item_of_pairs_goes_with_its_costs():
    document = {"items": 3, "costs": [[0, 1, 5], [1, 2, 7], [0, 2, 9]], "k": 1}
    fewer = [d for d in smaller(document) if d["items"] == 2 and len(d["costs"]) == 1]
    assert [d["costs"] for d in fewer[:3]] == [[[0, 1, 7]], [[0, 1, 9]], [[0, 1, 5]]]


@pytest.mark.parametrize("items", [{"items": 3}, {"points": [[0], [1], [2]]}])
def test_an_item_of_pairs_goes_with_its_edges(items):
    document = {**items, "k": 1, "connected": True, "edges": [[0, 1], [2, 1]]}
    (gone,) = (d for d in smaller(document) if d["edges"] == [[1, 0]])
    assert gone.get("items") == 2 or len(gone["points"]) == 2


def test_sizes_and_k_become_coarser_together():
    document = {"problem": "bin-covering", "sizes": [600, 500, 400, 200], "k": 1200}

    def twice(found):
        return len(found["sizes"]) == 4 and 2 * max(found["sizes"]) == found["k"] > 1

    found = shrunk(document, twice)
    assert (found["k"], max(found["sizes"])) == (2, 1)
    huge = {"sizes": [10**400], "k": 10**400}
    assert {"sizes": [10**399], "k": 10**399} in smaller(huge)
