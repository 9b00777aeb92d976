import random

import pandas
import pytest
from tables import NAMED, rows_of

from atleastk import KAnonymizer, NotApplicableError, anonymity

pytestmark = pytest.mark.filterwarnings("ignore:column .*, left unchanged:UserWarning")

AGES = {"age": [[str(a), f"{a // 10}0s", "*"] for a in range(20, 60)]}


def test_new_rows_get_the_labels_of_the_levels_that_were_fitted():
    old = pandas.DataFrame({"age": [31, 32, 45, 46], "sex": list("ffmm")})
    fitted = KAnonymizer(2, hierarchies=AGES, on="attributes").fit(old)
    assert fitted.anonymized_.frame["age"].tolist() == ["30s", "30s", "40s", "40s"]
    new = pandas.DataFrame({"age": [39.0, 45.0], "sex": ["f", "m"]})
    assert fitted.transform(new).to_numpy().tolist() == [["30s", "f"], ["40s", "m"]]
    for wrong in ({"age": [39], "sex": ["m"]}, {"age": [99], "sex": ["f"]}):
        with pytest.raises(NotApplicableError, match="1 rows fit no published class"):
            fitted.transform(pandas.DataFrame(wrong))


def test_new_rows_join_the_class_of_least_loss():
    old = [("31",), ("31",), ("32",), ("35",), ("47",), ("58",)]
    fitted = KAnonymizer(2, hierarchies={0: AGES["age"]}, on="entries").fit(old)
    assert fitted.anonymized_.frame == [("31",)] * 2 + [("30s",)] * 2 + [("*",)] * 2
    new = [("31",), ("32",), ("39",), ("41",), ("?",)]
    assert fitted.transform(new) == [("31",), ("30s",), ("30s",), ("*",), ("*",)]


@pytest.mark.parametrize("on", ["entries", "attributes"])
@pytest.mark.parametrize("seed", range(5))
def test_generalised_rows_are_anonymous_together(on, seed):
    rng = random.Random(seed)
    old, new = (
        [(str(rng.randrange(20, 60)), rng.choice("ab"), i) for i in range(n)]
        for n in (40, 30)
    )
    how = {"columns": [0, 1], "hierarchies": {0: AGES["age"]}, "on": on}
    fitted = KAnonymizer(3, loss="precision", time_limit=20, **how).fit(old)
    published = {row[:2] for row in fitted.anonymized_.frame}
    chains = {chain[0]: chain for chain in AGES["age"]}
    homes = [
        (age, town, i)
        for age, town, i in new
        if any(a in chains[age] and t in (town, "*") for a, t in published)
    ]
    joined = fitted.transform(homes)
    assert {row[:2] for row in joined} <= published
    assert [row[2] for row in joined] == [row[2] for row in homes]
    made = fitted.anonymized_
    classes = [
        (sum(made.instance.weights[j] * level for j, level in enumerate(levels)), *row)
        for levels, row in zip(made.levels.tolist(), made.frame, strict=True)
    ]
    for (age, town, _), cells in zip(homes, joined, strict=True):
        fitting = [c for c in classes if c[1] in chains[age] and c[2] in (town, "*")]
        assert cells[:2] in {c[1:3] for c in fitting if c[0] == min(fitting)[0]}
    assert anonymity(fitted.anonymized_.frame + joined, [0, 1]).holds(3)
    if len(homes) < len(new):
        with pytest.raises(NotApplicableError, match="fit no published class"):
            fitted.transform(new)


def test_rows_of_suppressed_ones_are_a_class_of_all():
    old = [("31", "f")] * 3 + [("32", "f")] * 3 + [("45", "m"), ("58", "m")]
    how = {"hierarchies": {0: AGES["age"]}, "on": "attributes"}
    fitted = KAnonymizer(2, suppress_rows=2, **how).fit(old)
    assert fitted.anonymized_.frame == old[:6] + [("*", "*")] * 2
    new = [("32", "f"), ("39", "f"), ("?", "d")]
    assert fitted.transform(new) == [("32", "f"), ("*", "*"), ("*", "*")]


def test_the_class_that_costs_least_by_weights():
    old = [("a", "b")] * 2 + [("c", "x"), ("c", "y")] + [("z", "y"), ("w", "y")]
    new = [("c", "y")]
    assert KAnonymizer(2).fit(old).transform(new)[0].count("*") == 1
    assert KAnonymizer(2, weights={0: 3}).fit(old).transform(new) == [("c", "*")]
    assert KAnonymizer(2, weights={1: 3}).fit(old).transform(new) == [("*", "y")]


def test_rules_and_missing_values():
    frame = pandas.DataFrame({"age": [31, 34, None, None, 55, 58], "x": list("aabbcc")})
    fitted = KAnonymizer(2, hierarchies={"age": "bands:5,10"}, on="attributes")
    made = [["30-34", "a"]] * 2 + [[None, "b"]] * 2 + [["55-59", "c"]] * 2
    for found in (fitted.fit_transform(frame), fitted.transform(frame)):
        told = found.astype(object).where(found.notna(), None)
        assert told.to_numpy().tolist() == made
    new = pandas.DataFrame({"age": [33], "x": ["a"]})
    with pytest.raises(NotApplicableError, match="1 rows fit no published class"):
        fitted.transform(new)
    automatic = KAnonymizer(2, hierarchies="auto", on="entries").fit(frame)
    assert automatic.anonymized_.levels.shape == (6, 2)
    assert automatic.transform(frame).shape == (6, 2)


ODD = {"x": [["a", "", "*"], ["b", "", "*"], ["c", "c?", "*"], ["", "", "*"]]}


@pytest.mark.parametrize("wrap", NAMED)
@pytest.mark.parametrize("missing", [True, False])
def test_an_empty_label_is_missing_where_that_is_how_it_was_published(wrap, missing):
    """Rows that join a class look as it does, whatever else the new table holds."""
    old = [{"x": x} for x in ["a", "b", "c", "c", *([None] if missing else [])]]
    fitted = KAnonymizer(2, hierarchies=ODD).fit(wrap(old))
    published = {*rows_of(fitted.anonymized_.frame)}
    assert published == {(None if missing else "",), ("c?",)}
    for new in (["a"], ["a", None], [None, "b", "c"]):
        joined = fitted.transform(wrap([{"x": x} for x in new]))
        assert {*rows_of(joined)} <= published
