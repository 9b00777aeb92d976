from itertools import product

from atleastk.solvers.generalization.lattice_marks import (
    REFUSED,
    SETTLED,
    Marks,
)


def test_marks_spread_to_one_side():
    heights = (2, 0, 3)
    marks = Marks(heights)
    marks.refuse(5)
    marks.settle(7)
    marks.settle(9)
    for node, levels in enumerate(product(*(range(h + 1) for h in heights))):
        assert marks.levels_of(node) == levels
        below = levels[0] <= 1 and levels[2] <= 1
        above = (levels[0] >= 1 and levels[2] >= 3) or (
            levels[0] == 2 and levels[2] >= 1
        )
        assert marks.marks[node] == REFUSED * below + SETTLED * above


def test_marks_pass_through_other_marks():
    """A settled node does not shield what is below it from being refused."""
    marks = Marks((3,))
    marks.settle(1)
    marks.refuse(2)
    assert marks.marks.tolist() == [1, 3, 3, 2]


def test_chains_end_at_marks():
    marks = Marks((2, 2))
    marks.settle(7)
    chain = [marks.levels_of(node) for node in marks.chain(0, [1, 0])]
    assert chain == [(0, 0), (0, 1), (0, 2), (1, 2)]


def test_a_lattice_of_one_node():
    marks = Marks(())
    assert marks.chain(0, []) == [0]
    marks.refuse(0)
    assert marks.marks.tolist() == [REFUSED]


def test_marks_of_a_box():
    low, high = (1, 0), (2, 3)
    marks = Marks(high, low)
    nodes = list(product((1, 2), range(4)))
    assert [marks.levels_of(node) for node in range(8)] == nodes
    marks.refuse_below((0, 3))
    assert not marks.marks.any()
    marks.refuse_below((1, 9))
    refused = [levels for node, levels in enumerate(nodes) if marks.marks[node]]
    assert refused == [(1, level) for level in range(4)]
    assert marks.chain(4, [1]) == [4, 5, 6, 7]
