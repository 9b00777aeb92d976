import random

import polars
import pytest
from tables import drawn_rows

from atleastk import InvalidInstanceError, UnknownNameError, anonymize

AGE = [[str(x), f"{x // 10 * 10}s", "?"] for x in range(20, 50)]


def everybody(seed, n=40):
    cells = {"age": [23, 25, 34, 47], "town": ["here", "there", "nowhere"], "sex": "mf"}
    return drawn_rows(random.Random(seed), n, **cells)


def may_be(row, person, generalised):
    return all(
        cell in {person[name], str(person[name]), "*", None}
        or (generalised and cell in AGE[person["age"] - 20])
        for name, cell in row.items()
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("wish", [{}, {"on": "attributes"}, {"on": "entries"}])
def test_persons_are_counted(seed, wish):
    population = everybody(seed)
    rows = population[:8]
    if wish:
        wish = {**wish, "hierarchies": {"age": AGE}}
    made = anonymize(rows, 2, population=population, **wish)
    counts = [
        [sum(may_be(row, person, bool(wish)) for person in population) for row in table]
        for table in (rows, made.frame)
    ]
    risk = made.report.risk
    assert (risk.persons, risk.least) == (40, tuple(map(min, counts)))
    for found, each in zip(risk.mapped, counts, strict=True):
        assert found.highest == 1 / min(each)
        assert found.mean == pytest.approx(sum(1 / count for count in each) / 8)
        assert found.unique == each.count(1)
    told = made.report.to_dict()["risk"]["population"]
    assert (told["rows"], told["after"]["least"]) == (40, risk.least[1])
    assert f"may be at least {risk.least[1]} of 40 persons" in str(made)
    assert "k-map" in made.to_html()


def test_tables_of_two_libraries():
    population = everybody(3)
    texts = [{name: str(cell) for name, cell in row.items()} for row in population]
    made = anonymize(population[:5], 2, population=polars.DataFrame(texts))
    again = anonymize(population[:5], 2, population=population)
    assert made.report.risk.mapped == again.report.risk.mapped


def test_without_a_population_there_is_no_map():
    risk = anonymize(everybody(1)[:4], 2).report.risk
    assert risk.mapped is None
    assert "population" not in risk.to_dict()


def test_what_is_no_population():
    rows = everybody(2)
    stranger = {"age": 29, "town": "here", "sex": "m"}
    with pytest.raises(InvalidInstanceError, match="nobody is like row 3; it has to"):
        anonymize([*rows[:2], stranger], 2, population=rows)
    with pytest.raises(UnknownNameError, match="population: no column is called"):
        anonymize(rows, 2, population=[{"age": 1, "town": 2}])
    old = {**rows[0], "age": 99}
    with pytest.raises(
        InvalidInstanceError, match='population: column "age": "99" in row 41 has no'
    ):
        anonymize(rows, 2, hierarchies={"age": AGE}, population=[*rows, old])


@pytest.mark.parametrize("rule", ["auto", "bands", "quantiles:2", "prefix", "bands:9"])
def test_rules_are_made_for_everybody(rule):
    rows = [{"age": age} for age in (30, 31, 44, 45, 46, 47)]
    others = [{"age": age} for age in (2, 7, 29, 32, 48, 63, 100)]
    made = anonymize(rows, 2, hierarchies={"age": rule}, population=[*rows, *others])
    assert made.report.risk.persons == 13
    assert made.report.risk.least[1] >= 2


def test_bands_of_everybody_are_counted():
    rows = [{"age": age} for age in (30, 31)]
    made = anonymize(
        rows, 2, hierarchies="bands:10", population=[*rows, {"age": 35}, {"age": 8}]
    )
    assert made.frame == [{"age": "30-39"}, {"age": "30-39"}]
    assert made.report.risk.least == (1, 3)


def test_a_stranger_is_told_before_any_rule():
    rows = [{"age": age} for age in (30, 31, 99)]
    with pytest.raises(InvalidInstanceError, match="nobody is like row 3; it has to"):
        anonymize(rows, 2, hierarchies="bands:10", population=rows[:2])


def test_a_value_of_the_table_without_a_line_is_not_of_the_population():
    rows = [{"age": age} for age in (30, 31, 99)]
    with pytest.raises(InvalidInstanceError, match=r'^column "age": "99" in row 3'):
        anonymize(rows, 2, hierarchies={"age": AGE}, population=rows)
