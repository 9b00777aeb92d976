import json
from itertools import combinations
from operator import ge, gt, le, lt

import pytest

from atleastk.models.results.status import Status, Trust

ORDERS = [
    ["UNKNOWN", "FEASIBLE", "INFEASIBLE", "OPTIMAL"],
    ["heuristic", "proved", "agreed", "certified"],
]
ORDERED = list(zip([Status, Trust], ORDERS, strict=True))


@pytest.mark.parametrize(("kind", "texts"), ORDERED)
def test_they_are_ordered_by_meaning(kind, texts):
    """Not by the alphabet, in which heuristic comes after certified."""
    words = [kind(text) for text in texts]
    shuffled = words[2:] + words[:2]
    assert sorted(shuffled) == words == list(kind)
    assert max(words) is words[-1]
    for low, high in combinations(texts, 2):
        for one, other in (
            (kind(low), kind(high)),
            (kind(low), high),
            (low, kind(high)),
        ):
            assert all(compare(one, other) for compare in (lt, le))
            assert all(compare(other, one) for compare in (gt, ge))
            assert not any((one > other, one >= other, other < one, other <= one))
    assert all(le(word, word) and ge(word, word) for word in words)


@pytest.mark.parametrize("other", ["maybe", 1, None, Status.OPTIMAL])
def test_what_has_no_place_in_the_order_is_an_error(other):
    for compare in (lt, le, gt, ge):
        with pytest.raises(TypeError, match="has no place in the order of"):
            compare(Trust.PROVED, other)
        with pytest.raises(TypeError):
            compare(other, Trust.PROVED)


@pytest.mark.parametrize(("kind", "texts"), ORDERED)
def test_they_equal_their_texts(kind, texts):
    for word, text in zip(kind, texts, strict=True):
        assert word == text
        assert {text: 1}[word] == 1
        assert json.dumps([word]) == f'["{text}"]'
    assert Trust.PROVED != "PROVED"
