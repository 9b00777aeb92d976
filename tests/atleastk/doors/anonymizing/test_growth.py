"""Two releases of a table that grows."""

from collections import Counter
from itertools import product
from random import Random

import pytest

import atleastk
from atleastk.doors.anonymizing.growth import Growth
from atleastk.frames.frame import Selection
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.errors import InvalidInstanceError

HEAD = ["age", "sex", "ill"]


def table(rows):
    return [dict(zip(HEAD, row, strict=True)) for row in rows]


def grown(later, earlier):
    selection = Selection.of(framed(table(later)), ["age", "sex"])
    return Growth.of(selection, framed(table(earlier)))


def guesses(rows, person):
    """Return in how many rows a person may be who has these values."""
    return sum(
        all(cell in ("*", mine) for cell, mine in zip(row, person, strict=False))
        for row in rows
    )


def test_whoever_has_both_is_left_with_k_rows():
    rng, held = Random(3), 0
    for _ in range(3000):
        k = rng.choice((2, 3))

        def classes(least, k=k, rng=rng):
            for _ in range(rng.randrange(1, 3)):
                cells = rng.choice("ab*"), rng.choice("fm*")
                for _ in range(rng.randrange(least, k + 2)):
                    yield (*cells, rng.choice("xyz"))

        earlier = [*classes(k)]
        later = [*earlier, *classes(1)]
        if rng.random() < 0.2:
            later.pop(rng.randrange(len(later)))
        found, before = grown(later, earlier), Counter(earlier)
        assert found.missing == (before - Counter(later)).total()
        gained = [*(Counter(later) - before).elements()]
        assert found.gained == len(gained)
        if not found.holds(k):
            continue
        held += 1
        for person in product("ab", "fm"):
            for rows in (earlier, gained):
                assert not 0 < guesses(rows, person) < k
    assert 300 < held < 2700


def test_a_class_that_gains_one_row_tells_whose_it_is():
    earlier = [("3*", "f", "flu"), ("3*", "f", "cold")]
    later = [("3*", "f", "gout"), *earlier]
    made = atleastk.check_table(table(later), 2, ["age", "sex"], earlier=table(earlier))
    assert made.found.holds(2)
    assert not made.holds
    assert "a class has gained only 1, which tells the new ones" in str(made)
    assert str(made).endswith("not 2-anonymous together with the earlier release")
    assert made.to_dict()["earlier"]["least"] == 1


def test_rows_that_are_published_otherwise_may_be_intersected():
    earlier = [("3*", "*", "flu"), ("3*", "*", "cold")]
    later = [("*", "f", "flu"), ("*", "f", "cold")]
    found = grown(later, earlier)
    assert (found.missing, found.gained) == (2, 2)
    assert "can be intersected" in next(found.faults(None))


def test_small_classes_stay_small():
    rows = [("3*", "f", "flu")]
    assert [*grown(rows, rows).faults(2)] == ["it has a class of 1"]
    assert grown(rows, rows).holds(1)


def test_both_have_the_same_columns():
    later = Selection.of(framed(table([("3*", "f", "flu")])), ["age"])
    with pytest.raises(InvalidInstanceError, match='has a column "ill"'):
        Growth.of(later, framed([{"age": "3*", "sex": "f"}]))
