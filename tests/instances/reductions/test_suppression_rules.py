import pytest

from atleastk.instances.reductions.suppression_rules import (
    FORMULAS,
    L_RULES,
    LETTERS,
    MANY_ONE_RULES,
    READINGS,
    RULES,
    TEMPLATES,
)
from atleastk.instances.suppression_names import DECISIONS, MINIMISATIONS

TABLE_5 = """
MIN-c-DEL r-MIN-c-DEL, MIN-r-DEL c-MIN-r-DEL, c-MIN-e-SUP r-c-MIN-e-SUP,
r-MIN-e-SUP r-c-MIN-e-SUP, c-MIN-r'-SUP r-c-MIN-r'-SUP, r-MIN-r'-SUP r-c-MIN-r'-SUP,
c-MIN-c'-SUP r-c-MIN-c'-SUP, r-MIN-c'-SUP r-c-MIN-c'-SUP,
c-MIN-r'-PART r-c-MIN-r'-PART, r-MIN-r'-PART r-c-MIN-r'-PART,
c-MIN-c'-PART r-c-MIN-c'-PART, r-MIN-c'-PART r-c-MIN-c'-PART,
e-MIN-c-SUP r-e-MIN-c-SUP, e-MIN-r-SUP c-e-MIN-r-SUP, r'-MIN-c-SUP r-r'-MIN-c-SUP,
r'-MIN-r-SUP c-r'-MIN-r-SUP, r'-MIN-c-PART r-r'-MIN-c-PART,
r'-MIN-r-PART c-r'-MIN-r-PART, c'-MIN-c-SUP r-c'-MIN-c-SUP,
c'-MIN-r-SUP c-c'-MIN-r-SUP, c'-MIN-c-PART r-c'-MIN-c-PART,
c'-MIN-r-PART c-c'-MIN-r-PART;
MIN-c'-SUP MIN-c'-PART, c-MIN-c'-SUP c-MIN-c'-PART, r-MIN-c'-SUP r-MIN-c'-PART,
r-c-MIN-c'-SUP r-c-MIN-c'-PART, MIN-r'-SUP MIN-r'-PART, c-MIN-r'-SUP c-MIN-r'-PART,
r-MIN-r'-SUP r-MIN-r'-PART, r-c-MIN-r'-SUP r-c-MIN-r'-PART, c'-MIN-c-SUP c'-MIN-c-PART,
c'-MIN-r-SUP c'-MIN-r-PART, r-c'-MIN-c-SUP r-c'-MIN-c-PART, r'-MIN-c-SUP r'-MIN-c-PART,
r'-MIN-r-SUP r'-MIN-r-PART, r-r'-MIN-c-SUP r-r'-MIN-c-PART,
c-c'-MIN-r-SUP c-c'-MIN-r-PART, c-r'-MIN-r-SUP c-r'-MIN-r-PART;
MIN-e-SUP c-MIN-e-SUP, MIN-e-SUP r-MIN-e-SUP, MIN-e-SUP r-c-MIN-e-SUP,
MIN-c'-SUP c-MIN-c'-SUP, MIN-c'-SUP r-MIN-c'-SUP, MIN-c'-SUP r-c-MIN-c'-SUP,
MIN-r'-SUP c-MIN-r'-SUP, MIN-r'-SUP r-MIN-r'-SUP, MIN-r'-SUP r-c-MIN-r'-SUP,
MIN-c'-PART c-MIN-c'-PART, MIN-c'-PART r-MIN-c'-PART, MIN-c'-PART r-c-MIN-c'-PART,
MIN-r'-PART c-MIN-r'-PART, MIN-r'-PART r-MIN-r'-PART, MIN-r'-PART r-c-MIN-r'-PART;
MIN-c-DEL e-MIN-c-SUP, MIN-c-DEL c'-MIN-c-SUP, MIN-c-DEL c'-MIN-c-PART,
MIN-c-DEL r'-MIN-c-SUP, MIN-c-DEL r'-MIN-c-PART, MIN-r-DEL e-MIN-r-SUP,
MIN-r-DEL c'-MIN-r-SUP, MIN-r-DEL c'-MIN-r-PART, MIN-r-DEL r'-MIN-r-SUP,
MIN-r-DEL r'-MIN-r-PART, r-MIN-c-DEL r-e-MIN-c-SUP, r-MIN-c-DEL r-c'-MIN-c-SUP,
r-MIN-c-DEL r-c'-MIN-c-PART, r-MIN-c-DEL r-r'-MIN-c-SUP, r-MIN-c-DEL r-r'-MIN-c-PART,
c-MIN-r-DEL c-e-MIN-r-SUP, c-MIN-r-DEL c-c'-MIN-r-SUP, c-MIN-r-DEL c-c'-MIN-r-PART,
c-MIN-r-DEL c-r'-MIN-r-SUP, c-MIN-r-DEL c-r'-MIN-r-PART
"""
"""Tables 5.1 - 5.4 as they are printed."""


def rule(name):
    return next(rule for rule in RULES if rule.name == name)


def test_the_minimisations_follow_from_the_decisions():
    """All 73 reductions of Tables 5.1 - 5.4, each in the table of its type."""
    for number, table in enumerate(TABLE_5.split(";"), start=1):
        printed = {" -> ".join(edge.split()) for edge in table.split(",")}
        assert {r.name for r in L_RULES if r.type == number} == printed


def test_counts():
    """12, 8, 15 and 15 reductions are printed in Tables 4.1 - 4.4, 73 in chapter 5."""
    types = [rule.type for rule in MANY_ONE_RULES]
    assert [types.count(t) for t in TEMPLATES] == [12, 8, 15, 15]
    types = [rule.type for rule in L_RULES]
    assert [types.count(t) for t in TEMPLATES] == [22, 16, 15, 20]
    assert len({rule.name for rule in RULES}) == len(RULES) == 123


def test_the_web_has_all_problems():
    """All 23 decision problems and all 44 minimisations are in it."""
    decisions = {str(v) for r in MANY_ONE_RULES for v in (r.source, r.target)}
    minimisations = {str(v) for r in L_RULES for v in (r.source, r.target)}
    assert decisions == set(DECISIONS)
    assert minimisations == set(MINIMISATIONS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_types(rule):
    region = [q for q in rule.source.named if q in ("rows", "columns")]
    wider = [q for q in rule.target.named if q in ("rows", "columns")]
    kinds = rule.source.type, rule.target.type
    assert rule.source.minimise == rule.target.minimise
    assert (len(region) == 1 and len(wider) == 2) == (rule.type == 1)
    assert (kinds == ("SUP", "PART")) == (rule.type == 2)
    assert (not region and bool(wider)) == (rule.type == 3)
    assert (kinds[0] == "DEL" != kinds[1]) == (rule.type == 4)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_repaired_letters_define_an_instance(rule):
    fields = rule.fields("repaired")
    order = {"order"} if rule.target.order else set()
    assert fields.keys() == {"table", "k", *rule.target.limits} | order
    assert all(
        formula in FORMULAS
        for field, formula in fields.items()
        if field not in ("table", "order")
    )


def test_letters_that_are_used():
    used = {x for r in RULES for reading in READINGS for x in r.letters(reading)}
    assert used == set(LETTERS)
    assert not {x for r in RULES for x in r.letters("repaired")} & {"H", "P", "V"}


def test_what_is_undefined():
    """Five many-one reductions, all of r-c-DEL, and sixteen L-reductions of Type 4."""
    undefined = [rule for rule in RULES if rule.flaw]
    assert {rule.type for rule in undefined} == {4}
    many_one = [rule for rule in undefined if rule.kind == "many-one"]
    assert [str(rule.source) for rule in many_one] == 5 * ["r-c-DEL"]
    assert len(undefined) == 21
    assert rule("r-c-DEL -> r-c-e-SUP").flaw == (
        "r_B is not set; c'_B is set, which r-c-e-SUP does not have"
    )
    assert rule("MIN-c-DEL -> e-MIN-c-SUP").flaw == (
        "e_B = c_A n_A needs c_A, which is minimised"
    )
