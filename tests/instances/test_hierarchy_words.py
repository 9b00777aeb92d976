"""Rules in words, and which of them suits the values of a column."""

import pytest

from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.hierarchy_rules import UnfitError
from atleastk.instances.hierarchy_words import is_rule, ruled


def told(rule, values):
    return ruled(rule, dict.fromkeys(values, 1))[1]


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        (map(str, range(17, 91)), "bands:5,10,20,40"),
        (["1987", "1999", "2001"], "bands:20"),
        (["0.5", "-0.5", "1.5"], "bands:2"),
        (["1e6", "0", "250000", "30"], "bands:100000,200000,400000,800000"),
        (["0", "1"], "suppression"),
        (["13053", "13068"], "prefix"),
        (["01", "12", "20"], "prefix"),
        (["2020-01-31", "1999-12-01"], "dates"),
        (["2020-01-31 10:00:00", "1999-12-01 00:00:00"], "dates"),
        (["2020-01-31", "1999-13-01"], "suppression"),
        (["A01.1", "B02", "A01.22"], "prefix:."),
        (["e.g.", "v1.2"], "suppression"),
        (["f", "m", "x"], "suppression"),
        (["5"], "suppression"),
        (["12", "13", "?"], "suppression"),
    ],
)
def test_what_is_chosen(values, rule):
    """By the texts alone. What is told can be given again."""
    values = list(values)
    counts = dict.fromkeys(values, 1)
    made, found = ruled("auto", counts)
    assert found == rule
    assert ruled(found, counts) == (made, found)


def test_numbers_that_are_left_out():
    """They are chosen for the values, and told."""
    assert told("bands+top:30", map(str, range(40))) == "bands:5,10,20+top:30"
    assert told("round", ["0.12", "3", "7.5"]) == "round:0.1,1"
    assert told("round", map(str, range(5000))) == "round:10,100,1000"
    assert told("quantiles", "123") == "quantiles:8,4,2"
    assert told("bands", "5") == "suppression"
    assert told("bands+top:3", "5") == "suppression+top:3"


def test_rules_and_paths():
    """A rule begins with its name; a file of that name is told by its folder."""
    for text in ("auto", "bands", "bands:5", "top:5+bands", "dates:%Y", "suppression"):
        assert is_rule(text)
    for text in ("age.csv", "./bands", "bandss", "bands.csv", "C:/x"):
        assert not is_rule(text)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("bands:", 'rule "bands:": "" is no number'),
        ("bands:5,x", 'rule "bands:5,x": "x" is no number'),
        ("bands:5,12", r"each to divide the next, got \(5, 12\)"),
        ("bands:0", "each to divide the next"),
        ("bands:5+round:7", 'rule "bands:5.round:7": expected one of bands, quant'),
        ("prefix+top:5", "expected one of bands, quantiles, round joined with ends"),
        ("top:5+top:6", "joined with ends, as in bands:5,10.top:65"),
        ("top:5,6", 'rule "top:5,6": expected one number'),
        ("top", 'rule "top": "" is no number'),
        ("quantiles:2.5", 'rule "quantiles:2.5": expected integers'),
        ("bands:5+tip:9", 'no rule is called "tip"; there are bands, '),
        ("auto:5", 'no rule is called "auto"'),
        ("round:10,10", "positive numbers that grow"),
    ],
)
def test_rules_that_make_no_sense(rule, message):
    """On one line; no value is to blame."""
    with pytest.raises(InvalidInstanceError, match=message) as caught:
        ruled(rule, {"1": 1, "7": 2, "30": 1})
    assert "\n" not in str(caught.value)
    assert getattr(caught.value, "value", None) is None


@pytest.mark.parametrize("rule", ["bands", "bands:5", "round:5", "quantiles", "top:5"])
def test_values_that_do_not_fit(rule):
    """The error knows which one."""
    with pytest.raises(UnfitError, match='"old" is no number') as caught:
        ruled(rule, {"1": 1, "old": 2})
    assert caught.value.value == "old"
