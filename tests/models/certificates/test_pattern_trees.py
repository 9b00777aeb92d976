import pytest

from atleastk import CertificateError, NotApplicableError, Suppression
from atleastk.models.certificates import pattern_trees
from atleastk.models.certificates.pattern_pairs import PatternPairs, PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree, question_of

TABLE = [[0, 0], [0, 1], [1, 1], [1, 1]]
"""For k = 2 the first two rows lose a cell each."""

PLAIN = PatternProblem(Suppression(TABLE, 2))

WEIGHTS = {"weights": [1, 1, 0], "entries": 1}
"""In units of a cell: each of the first rows pays one, the others nothing."""


def tree(node):
    return {"kind": "tree", "tree": node}


def test_weights_at_the_root_refute_all_cheaper_assignments():
    """No assignment costs 1 cell, so 2 is a bound; 3 is none."""
    check_tree(PLAIN, tree(WEIGHTS), 2)
    with pytest.raises(CertificateError, match="do not refute"):
        check_tree(PLAIN, tree(WEIGHTS), 3)


def test_a_split_has_two_sides_and_both_are_refuted():
    """Rows 0 and 1: the copy of the first keeps column 0, or it does not."""
    split = {"kind": 0, "keeps": [0], "at_most": 0, "yes": WEIGHTS, "no": WEIGHTS}
    check_tree(PLAIN, tree(split), 2)
    for side in ("yes", "no"):
        with pytest.raises(CertificateError, match="leaves a node open"):
            check_tree(PLAIN, tree({**split, side: None}), 2)
    del split["no"]
    with pytest.raises(CertificateError, match='no field "no"'):
        check_tree(PLAIN, tree(split), 2)


@pytest.mark.parametrize(
    ("node", "why"),
    [
        ({"kind": 3, "keeps": [0], "at_most": 0}, "kind: expected less than 3"),
        ({"kind": 0, "keeps": [2], "at_most": 0}, "keeps: expected columns below 2"),
        ({"kind": 0, "keeps": [0], "at_most": 1}, "at_most: expected less than 1"),
        ({"kind": 0, "pattern": [0, 1]}, "not one of the patterns"),
        ({"column": 0}, "no columns are limited"),
        ({"class": 0, "at_most": 1}, "class: expected less than 0"),
        ({}, 'no field "kind"'),
    ],
)
def test_splits_that_make_no_sense_are_refused(node, why):
    with pytest.raises(CertificateError, match=why):
        check_tree(PLAIN, tree({**node, "yes": WEIGHTS, "no": WEIGHTS}), 2)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"weights": [1, 1]}, "weights"),
        ({"entries": -1}, "entries"),
        ({"rows": 1}, "rows: a weight, but there is no limit"),
        ({"per_column": [1, 0]}, "per_column: a weight, but there is no limit"),
        ({"splits": [1]}, "splits"),
        ({"column_order": [[0, 0]]}, "column_order"),
    ],
)
def test_leaves_of_another_shape_are_refused(changed, why):
    with pytest.raises(CertificateError, match=why):
        check_tree(PLAIN, tree({**WEIGHTS, **changed}), 2)


def test_factors_of_an_order_add_up_to_nothing_within_its_classes():
    ordered = PatternProblem(Suppression(TABLE, 2, column_order=[[1], [0]]))
    for factors in ([-1, 2], [1, -1], [0, 1]):
        leaf = {**WEIGHTS, "column_order": [factors]}
        with pytest.raises(CertificateError, match="not what classes of columns"):
            check_tree(ordered, tree(leaf), 1)


def test_columns_of_the_region_are_counted():
    none = PatternProblem(Suppression(TABLE, 2, minimise="columns"))
    outside = {"column": 1, "yes": None, "no": {"weights": [1, 1, 0]}}
    check_tree(none, tree(outside), 1)
    with pytest.raises(CertificateError, match="column: 1 is decided already"):
        check_tree(none, tree({"column": 1, "yes": None, "no": outside}), 1)
    with pytest.raises(CertificateError, match="leaves a node open"):
        check_tree(none, tree(outside), 2)


def test_heavy_weights_are_not_judged():
    """Sums of 64 bits would be wrong."""
    for weight in (2**61, 10**30, -(10**30)):
        heavy = {"weights": [weight, 0, 0], "entries": 1}
        with pytest.raises(NotApplicableError, match="too large"):
            check_tree(PLAIN, tree(heavy), 2)


def test_trivial_bounds_need_no_tree():
    assert question_of(PLAIN, 0) is None
    check_tree(PLAIN, tree(None), 0)
    largest = PatternProblem(Suppression(TABLE, 2, minimise="k"))
    check_tree(largest, tree(None), -4)
    question = question_of(largest, -3)
    assert question is not None
    assert (question.table.k, question.table.minimise) == (4, "none")


def test_large_tables_are_refused():
    """If rows are deleted all sets of columns count, closed or not."""
    table = [[int(i == j) for j in range(20)] for i in range(20)]
    wide = Suppression(table, 2, minimise="rows", deletion=True)
    with pytest.raises(NotApplicableError, match="too many patterns for a tree"):
        PatternPairs.of(PatternProblem(wide))


def test_leaves_are_counted_all_together(monkeypatch):
    """A tree of some kilobytes may have hundreds, each of which looks at all pairs."""
    monkeypatch.setattr(pattern_trees, "_MOST_WORK", 100_000)
    table, leaf = Suppression([[0], [1]], 2), {"weights": [2, 2], "entries": 2}
    check_tree(PatternProblem(table), {"tree": leaf}, 2)
    tree = leaf
    for _ in range(50):
        tree = {"stars": [0], "at_most": 1, "yes": leaf, "no": tree}
    with pytest.raises(NotApplicableError, match=r"too much work: [0-9,]+ steps"):
        check_tree(PatternProblem(table), {"tree": tree}, 2)
