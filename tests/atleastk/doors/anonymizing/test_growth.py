"""Two releases of a table that grows."""

import hashlib
import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pyarrow
import pytest
from pyarrow import parquet

import atleastk
from atleastk.doors.anonymizing.growth import Growth
from atleastk.doors.anonymizing.request import Request
from atleastk.frames.frame import Selection
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.errors import InvalidInstanceError

HEAD = ["age", "sex", "ill"]


def table(rows):
    return [dict(zip(HEAD, row, strict=True)) for row in rows]


def grown(later, earlier, k=None, **wishes):
    selection = Selection.of(framed(table(later)), ["age", "sex"])
    return Growth.of(selection, framed(table(earlier)), Request(k, **wishes))


def guesses(rows, person):
    """Return in how many rows a person may be who has these values."""
    return sum(
        all(cell in ("*", mine) for cell, mine in zip(row, person, strict=False))
        for row in rows
    )


def releases(rng, k):
    """Return two releases of which the later one has nearly all rows of the other."""

    def classes(least):
        for _ in range(rng.randrange(1, 3)):
            cells = rng.choice("ab*"), rng.choice("fm*")
            for _ in range(rng.randrange(least, k + 2)):
                yield (*cells, rng.choice("xyz"))

    earlier = [*classes(k)]
    later = [*earlier, *classes(1)]
    if rng.random() < 0.2:
        later.pop(rng.randrange(len(later)))
    rng.shuffle(later)
    return later, earlier


def test_whoever_has_both_is_left_with_k_rows():
    rng, held = Random(3), 0
    for _ in range(1000):
        k = rng.choice((2, 3))
        later, earlier = releases(rng, k)
        found, before = grown(later, earlier, k), Counter(earlier)
        assert found.missing == (before - Counter(later)).total()
        gained = [*(Counter(later) - before).elements()]
        assert found.gained == len(gained)
        sizes = Counter(row[:2] for row in gained)
        assert found.classes == len(sizes)
        assert found.few == sum(size < k for size in sizes.values())
        if found.few:
            assert sizes[later[found.few_row - 1][:2]] < k
        if not found.holds:
            continue
        held += 1
        for person in product("ab", "fm"):
            for rows in (earlier, gained):
                assert not 0 < guesses(rows, person) < k
    assert 100 < held < 900


def distance(some, everything):
    """Return how far the values of some rows are from those of all."""
    few, all_ = (Counter(row[2] for row in rows) for rows in (some, everything))
    shares = [
        Fraction(few[v], few.total()) - Fraction(all_[v], all_.total()) for v in few
    ]
    return sum(share for share in shares if share > 0)


def is_kept(reading, some, everything):
    """Tell whether the values of some rows of a table keep a condition, by counting."""
    values = Counter(row[2] for row in some)
    return {
        "distinct": len(values) >= 2,
        "frequency": 2 * max(values.values()) <= values.total(),
        "close": distance(some, everything) <= Fraction(1, 3),
    }[reading]


READINGS = {
    "distinct": {"l": 2},
    "frequency": {"l": 2, "diversity": "frequency"},
    "close": {"t": Fraction(1, 3)},
}


@pytest.mark.parametrize("reading", READINGS)
def test_whoever_has_both_does_not_learn_sensitive_values_of_new_persons(reading):
    rng, held, broken = Random(4), 0, 0
    for _ in range(500):
        k = rng.choice((2, 3))
        later, earlier = releases(rng, k)
        gained = [*(Counter(later) - Counter(earlier)).elements()]
        found = grown(later, earlier, k, sensitive="ill", **READINGS[reading])
        wrong = {}
        for whose, rows in {"before": earlier, "new": gained}.items():
            classes = {row[:2]: [x for x in rows if x[:2] == row[:2]] for row in rows}
            wrong[whose] = [
                cells
                for cells, some in classes.items()
                if not is_kept(reading, some, rows)
            ]
        assert found.failing_before == len(wrong["before"])
        assert found.failing == len(wrong["new"])
        if wrong["new"]:
            assert later[found.failing_row - 1][:2] in wrong["new"]
        broken += bool(wrong["new"])
        if not found.holds:
            continue
        held += 1
        for person, rows in product(product("ab", "fm"), (earlier, gained)):
            fitting = [row for row in rows if guesses([row], person)]
            assert not fitting or is_kept(reading, fitting, rows)
    assert held > 15
    assert broken > 15


def test_a_class_that_gains_one_value_tells_it():
    earlier = [("3*", "f", ill) for ill in ("flu", "cold") * 3]
    later = [*earlier, *[("3*", "f", "cancer")] * 5]
    wishes = {"sensitive": "ill", "l": 2, "earlier": table(earlier)}
    made = atleastk.check_table(table(later), 5, ["age", "sex"], **wishes)
    assert made.failing == 0
    assert not made.holds
    told = "1 of 1 class that grew gained values that break what is asked of them: as"
    assert f"{told} that of row 7" in str(made)
    assert str(made).endswith(
        "not 5-anonymous, with l = 2, together with the earlier release"
    )


def test_rows_anonymised_by_themselves_may_be_appended():
    rng = Random(5)
    for _ in range(8):
        parts = [
            [tuple(map(rng.choice, ("abc", "fm", "xyz"))) for _ in range(12)]
            for _ in range(2)
        ]
        wishes = {"sensitive": "ill", "l": 2}
        made = [
            atleastk.anonymize(table(rows), 3, ["age", "sex"], seed=1, **wishes).frame
            for rows in parts
        ]
        wishes["earlier"] = made[0]
        both = atleastk.check_table(made[0] + made[1], 3, ["age", "sex"], **wishes)
        assert both.holds


def test_a_class_that_gains_one_row_tells_whose_it_is():
    earlier = [("3*", "f", "flu"), ("3*", "f", "cold")]
    later = [("3*", "f", "gout"), *earlier]
    made = atleastk.check_table(table(later), 2, ["age", "sex"], earlier=table(earlier))
    assert made.found.holds(2)
    assert not made.holds
    assert "1 of 1 class that grew gained fewer than 2, down to 1" in str(made)
    assert "as that of row 1\n  advice      anonymise the new rows by them" in str(made)
    assert str(made).endswith("not 2-anonymous together with the earlier release")
    assert made.to_dict()["earlier"]["least"] == 1


def test_the_page_and_the_object_name_the_earlier_file(tmp_path, done):
    rows = [("3*", "f", "flu"), ("3*", "f", "cold")]
    for name, some in {"first.csv": rows, "both.csv": rows * 2}.items():
        lines = [",".join(row) for row in (HEAD, *some)]
        (tmp_path / name).write_text("\n".join([*lines, ""]))
    first, both = str(tmp_path / "first.csv"), str(tmp_path / "both.csv")
    words = ["anonymize", both, "--check", "-k2", "--columns", "age,sex"]
    words += ["--sensitive", "ill", "--l", "2", "--earlier", first]
    sha256 = hashlib.sha256(Path(first).read_bytes()).hexdigest()
    page, figures = tmp_path / "r.html", tmp_path / "r.json"
    for report in (page, figures):
        assert sha256 in done(*words, "--report", report)
    made = json.loads(figures.read_text())
    assert made["files"]["earlier"] == {"path": first, "sha256": sha256}
    assert (made["conditions"], made["earlier"]["failing"]) == ("l = 2", 0)
    text = page.read_text()
    for told in (sha256, "first.csv", "l = 2", "2 rows, 2 more here, at least 2"):
        assert told in text


def test_rows_that_are_published_otherwise_may_be_intersected():
    earlier = [("3*", "*", "flu"), ("3*", "*", "cold")]
    later = [("*", "f", "flu"), ("*", "f", "cold")]
    found, rows = grown(later, earlier), later[:1]
    assert (found.missing, found.gained) == (2, 2)
    assert "can be intersected" in next(found.faults)
    assert [*grown(rows, rows, 2).faults] == ["it has a class of 1"]
    assert grown(rows, rows, 1).holds


@pytest.mark.parametrize(
    ("later", "earlier", "missing"),
    [
        ([1, 2], [1.0, 2.0], 0),
        ([1.0, 0.5], [1.0, 1.0], 1),
        (["1", "0.5"], [1.0, 0.5], 0),
        (["1.0", " 1"], [1, 1], 1),
        (["1.0"], ["1"], 1),
        (["", "a"], [None], 0),
        (["", None], [None, None], 1),
        ([float("nan"), 2.0], [None], 0),
        (["True"], [True], 0),
    ],
)
def test_numbers_are_compared_by_what_they_are(later, earlier, missing, tmp_path):
    rows = [[{"x": cell} for cell in cells] for cells in (later, earlier)]
    made = [atleastk.check_table(rows[0], 1, earlier=rows[1])]
    paths = [tmp_path / "later.parquet", tmp_path / "earlier.parquet"]
    for path, cells in zip(paths, (later, earlier), strict=True):
        parquet.write_table(pyarrow.table({"x": cells}), path)
    for engine in ("memory", "duckdb"):
        how = {"earlier": paths[1], "engine": engine}
        made.append(atleastk.check_table(paths[0], 1, **how))
    assert [each.growth.missing for each in made] == [missing] * 3


def test_both_have_the_same_columns():
    later = Selection.of(framed(table([("3*", "f", "flu")])), ["age"])
    with pytest.raises(InvalidInstanceError, match='has a column "ill"'):
        Growth.of(later, framed([{"age": "3*", "sex": "f"}]), Request())
