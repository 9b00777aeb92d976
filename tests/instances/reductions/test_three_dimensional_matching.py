from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)

PROBLEM = ThreeDimensionalMatching(2, [[0, 1, 0], [1, 0, 1], [0, 0, 0]])


def test_elements_are_numbered_through():
    assert (PROBLEM.elements, PROBLEM.sets) == (6, ((0, 3, 4), (1, 2, 5), (0, 2, 4)))


def test_a_matching_holds_every_element_once():
    assert PROBLEM.is_matching((0, 1))
    assert not PROBLEM.is_matching((1, 2))
    assert not PROBLEM.is_matching((0,))
    assert not PROBLEM.is_matching(())


def test_groups_choose_triples_whose_places_are_together():
    places = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    assert PROBLEM.matching_of([(0, 1, 2), (3, 4, 5), (6, 7), (8,)], places) == (0, 1)
    assert PROBLEM.matching_of([range(9)], places) is None
    assert PROBLEM.matching_of([[i] for i in range(9)], places) is None
