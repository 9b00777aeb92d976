"""Which wishes to loosen: what is told is enough, and nothing nearer is."""

import random
from itertools import combinations

import pytest
from tables import drawn_rows

import atleastk.runs.questions as questions
from atleastk import anonymize
from atleastk.doors.anonymizing.loosening import loosenings
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.rows import RowsFrame
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.models.results.status import Status

pytestmark = pytest.mark.usefixtures("quick")

NAMES = ["age", "zip"]


def people(seed, n=24):
    cells = {"age": [*map(str, range(20, 50))], "zip": ["1010", "1020", "8010"]}
    cells |= {"ill": ["flu", "cold", "gout"], "home": range(10)}
    return drawn_rows(random.Random(seed), n, **cells)


def wishes(rng):
    """Draw wishes that are often too much together."""
    drawn = [
        {"levels": {"age": rng.randint(0, 1), "zip": (0, rng.randint(0, 2))}},
        {"intact": ["age"], "levels": {"zip": 1}},
        {"sensitive": "ill", "l": rng.randint(3, 5)},
        {"sensitive": "ill", "t": "1/50", "levels": {"zip": (0, 1)}},
        {"sensitive": "ill", "l": 3, "diversity": "recursive", "c": 1},
        {"mean_risk": "2%", "levels": {"age": (0, 1)}},
        {"small": 30, "at_risk": 0.1},
        {"suppress_rows": "10%", "levels": {"age": 0}},
        {"household": "home", "levels": {"zip": (0, 1), "age": 0}},
        {"on": "entries", "levels": {"zip": (0, 1), "age": 0}},
        {"on": "entries", "mean_risk": "1%"},
        {"sensitive": "ill", "l": 3, "levels": {"age": (0, 1), "zip": 0}},
        {"sensitive": "ill", "l": 3, "intact": ["age"], "levels": {"zip": 0}},
    ]
    return {"hierarchies": "auto", **rng.choice(drawn)}


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_value_is_told_and_no_other(seed):
    rng = random.Random(seed)
    table, asked = people(seed), wishes(rng)
    k = rng.randint(3, 8)
    made = anonymize(table, k, NAMES, time_limit=30, **asked)
    told = made.report.relaxations
    if made.report.status is not Status.INFEASIBLE:
        assert told == ()
        return
    request = Request(k=k, columns=NAMES, **asked)
    known = [*loosenings(Selected.of(RowsFrame.of(table), request))]
    left = list(told)
    for one in known:
        lines = [f"{one.to(value)} is enough" for value in one.values]
        line = next((line for line in lines if line in left), None)
        if line is None:
            assert not one.values or not is_feasible(
                table, one.loosen(request, one.values[-1])
            )
            continue
        left.remove(line)
        at = lines.index(line)
        assert is_feasible(table, one.loosen(request, one.values[at]))
        assert at == 0 or not is_feasible(
            table, one.loosen(request, one.values[at - 1])
        )
    if len(left) < len(told):
        assert left == []
    else:
        expect_two(table, request, known, left)


def expect_two(table, request, known, told):
    """Compare what is told of two wishes with all pairs of their values."""
    alone, *more = told
    each = [two for two in combinations(known, 2) if two[0].values and two[1].values]
    if not more:
        assert alone == "no wish is enough if it is loosened alone, and no two are"
        for one, other in each:
            assert not is_feasible(table, with_both(request, one, -1, other, -1))
        return
    assert alone == "no wish is enough if it is loosened alone"
    (found,) = [
        (one, i, other, j)
        for pair in each
        for one, other in (pair, pair[::-1])
        for i, this in enumerate(one.values)
        for j, that in enumerate(other.values)
        if more == [f"{one.to(this)} and {other.to(that)} are enough together"]
    ]
    one, i, other, j = found
    assert is_feasible(table, with_both(request, *found))
    assert i == 0 or not is_feasible(table, with_both(request, one, i - 1, other, j))
    assert j == 0 or not is_feasible(table, with_both(request, one, i, other, j - 1))


def with_both(request, one, i, other, j):
    return other.loosen(one.loosen(request, one.values[i]), other.values[j])


def is_feasible(table, request):
    """Tell whether a table keeps all wishes: the whole call, without any hurry."""
    names = ["k", "sensitive", "l", "diversity", "c", "t", "mean_risk", "small"]
    names += ["at_risk", "household", "intact", "levels", "suppress_rows", "on"]
    given = {name: getattr(request, name) for name in names}
    try:
        made = anonymize(
            table, columns=NAMES, hierarchies="auto", time_limit=30, **given
        )
    except InvalidInstanceError:
        return False
    return made.frame is not None


def test_it_is_shown_in_words():
    table = people(1)
    made = anonymize(table, 4, NAMES, hierarchies="auto", levels={"age": 0, "zip": 0})
    line = "levels age: level 0 -> levels 0..5 is enough"
    assert str(made).endswith(f"  relax       {line}")
    assert line.replace(">", "&gt;") in made.to_html()
    assert made.report.to_dict()["relaxations"] == made.report.relaxations


def test_two_wishes_are_named_where_none_is_enough_alone():
    """No two rows are alike but for both columns; and two illnesses are not three."""
    table = [{"a": str(i), "b": str(i), "ill": "xy"[i % 2]} for i in range(6)]
    wishes = {"hierarchies": "auto", "levels": {"a": 0, "b": 0}, "time_limit": 30}
    made = anonymize(table, 2, ["a", "b"], **wishes)
    alone, two = made.report.relaxations
    assert alone == "no wish is enough if it is loosened alone"
    assert two.startswith("levels a: level 0 -> ")
    assert " and levels b: level 0 -> " in two
    assert two.endswith(" are enough together")
    strict = anonymize(table, 2, ["a", "b"], sensitive="ill", l=3, **wishes)
    (none,) = strict.report.relaxations
    assert none == "no wish is enough if it is loosened alone, and no two are"


def test_all_levels_are_loosened_where_no_two_wishes_are_enough():
    table = [{"a": f"{i}", "b": f"{i}", "c": f"{i}"} for i in range(6)]
    names = ["a", "b", "c"]
    wishes = {"hierarchies": "suppression", "time_limit": 30}
    made = anonymize(table, 2, names, levels=dict.fromkeys(names, 0), **wishes)
    each = [f"levels {name}: level 0 -> levels 0..1" for name in names]
    together = f"{each[0]}, {each[1]} and {each[2]} are enough together"
    alone = "no wish is enough if it is loosened alone"
    assert made.report.relaxations == (alone, together)


def test_nothing_is_told_of_what_was_not_answered(monkeypatch):
    monkeypatch.setattr(questions, "_SECONDS", 1e-9)
    levels = {"age": 0, "zip": 0}
    made = anonymize(people(1), 4, NAMES, hierarchies="auto", levels=levels)
    assert (made.report.status, made.report.relaxations) == (Status.INFEASIBLE, ())


def test_numbers_beyond_all_rows_are_loosened_to_them():
    assert "k: 10000000000000000000000000000000 -> 24 is enough" in str(
        anonymize(people(0), 10**31, NAMES)
    )
