"""Levels within limits and thresholds of risk, counted again in what is published."""

import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import pytest

from atleastk import InvalidInstanceError, KAnonymizer, UnknownNameError, anonymize

ZIPS = [[z, z[:3], z[:1], "*"] for z in ("13053", "13068", "14850", "22041")]
AGES = [[str(a), f"{a // 10}0s", "*"] for a in (31, 38, 42, 47)]
HIERARCHIES = {"zip": ZIPS, "age": AGES}
CHAINS = {name: {c[0]: c for c in chains} for name, chains in HIERARCHIES.items()}


def people(rng, n):
    return [
        {
            "zip": rng.choice(ZIPS)[0],
            "age": rng.choice(AGES)[0],
            "home": rng.choice("abcdef"),
            "ill": rng.choice(["flu", "cold", "gout"]),
        }
        for _ in range(n)
    ]


def wishes(rng, rows):
    """Random wishes of those that go together."""
    made = {}
    if rng.random() < 0.5:
        made["levels"] = {}
        for name, height in (("zip", 3), ("age", 2)):
            low, high = sorted(rng.randint(0, height) for _ in "ab")
            made["levels"][name] = rng.choice([(low, high), (0, high), high])
    elif rng.random() < 0.3:
        made["intact"] = [rng.choice(["zip", "age"])]
    if rng.random() < 0.4:
        made["mean_risk"] = Fraction(rng.randint(1, 3), 6)
    if rng.random() < 0.4:
        made |= {"small": rng.randint(2, 5), "at_risk": rng.choice([0, 0.25, "1/2"])}
    if rng.random() < 0.4:
        made |= {"k_map": rng.randint(2, 4), "population": rows + people(rng, 8)}
    if rng.random() < 0.3:
        made["household"] = "home"
    elif rng.random() < 0.3:
        made |= {"sensitive": "ill", "l": 2}
    if not made.keys() & {"mean_risk", "at_risk", "k_map", "levels", "intact"}:
        made["suppress_rows"] = rng.randint(0, 3)
    return made


def keeps(rows, levels, k, wish):
    """Whether a table at these levels is what was asked for, by definition."""

    def at(row):
        return tuple(CHAINS[name][row[name]][x] for name, x in levels.items())

    classes = defaultdict(list)
    for row in rows:
        classes[at(row)].append(row)
    sizes = [len(c) for c in classes.values()]
    least = min(sizes)
    if "household" in wish:
        least = min(len({row["home"] for row in c}) for c in classes.values())
    if least < k:
        return False
    diverse = min(len({row["ill"] for row in c}) for c in classes.values())
    if diverse < wish.get("l", 1):
        return False
    if "mean_risk" in wish and len(sizes) > Fraction(wish["mean_risk"]) * len(rows):
        return False
    if "small" in wish:
        small = sum(size for size in sizes if size < wish["small"])
        if small > Fraction(str(wish["at_risk"])) * len(rows):
            return False
    if "k_map" in wish:
        persons = Counter(map(at, wish["population"]))
        if min(persons[label] for label in classes) < wish["k_map"]:
            return False
    return True


def allowed(wish):
    for zip_level, age in product(range(4), range(3)):
        levels = {"zip": zip_level, "age": age}
        limits = wish.get("levels", {}) | dict.fromkeys(wish.get("intact", ()), 0)
        pairs = {n: (x, x) if isinstance(x, int) else x for n, x in limits.items()}
        if all(a <= levels[name] <= b for name, (a, b) in pairs.items()):
            yield levels


@pytest.mark.parametrize("seed", range(40))
def test_the_least_height_is_that_of_all_nodes(seed):
    rng = random.Random(seed)
    rows, k = people(rng, 12), rng.randint(1, 3)
    wish = wishes(rng, rows)
    columns = ["zip", "age"]
    made = anonymize(rows, k, columns, hierarchies=HIERARCHIES, **wish)
    if "suppress_rows" in wish:
        assert made.report.attained >= k
        return
    heights = [sum(at.values()) for at in allowed(wish) if keeps(rows, at, k, wish)]
    assert made.result.cost == min(heights, default=None)
    assert str(made.report.trust) == "certified"
    if not heights:
        assert "no table of 12 rows" in str(made)
        return
    levels = dict(zip(columns, made.levels[0].tolist(), strict=True))
    assert keeps(rows, levels, k, wish)
    part = made.report.thresholds
    asked = {"mean_risk", "at_risk", "k_map", "household"} & wish.keys()
    assert {one.wish for one in part.each if part} == asked if part else not asked
    told, page = str(made), made.to_html()
    for one in part.each if part else ():
        assert one.holds
        assert str(one) in told
        assert made.report.to_dict()["thresholds"][one.wish]["holds"]
        assert one.words.replace('"', "&quot;") in page


@pytest.mark.parametrize("on", ["attributes", "entries"])
@pytest.mark.parametrize("seed", range(4))
def test_classes_have_k_households(seed, on):
    rows = people(random.Random(seed), 12)
    made = anonymize(
        rows, 3, ["zip", "age"], hierarchies=HIERARCHIES, on=on, household="home"
    )
    homes = defaultdict(set)
    for row in made.frame:
        homes[row["zip"], row["age"]].add(row["home"])
    assert min(map(len, homes.values())) >= 3
    (one,) = made.report.thresholds.each
    assert (one.limit, one.after) == (3, min(map(len, homes.values())))


def test_new_rows_join_at_the_levels_that_were_asked():
    rows = people(random.Random(2), 20)
    table = [{n: row[n] for n in ("zip", "age")} for row in rows]
    fitted = KAnonymizer(2, hierarchies=HIERARCHIES, levels={"zip": (2, 3)})
    shown = fitted.fit_transform(table)
    assert {row["zip"] for row in shown} <= {"1", "2", "*"}
    assert {row["zip"] for row in fitted.transform(table[:3])} <= {"1", "2", "*"}


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"levels": {"zip": 4}}, 'levels: "zip" has levels 0 to 3; expected one of'),
        ({"levels": {"zip": (2, 1)}}, 'levels: "zip" has levels 0 to 3; expected one'),
        ({"levels": {"zip": "x"}}, 'levels: "zip" has levels 0 to 3; expected one of'),
        (
            {"levels": {"zip": 1}, "intact": ["zip"]},
            'levels: "zip" is intact, which is',
        ),
        ({"levels": {"zip": 1}, "on": "entries"}, "levels: is for levels of whole"),
        ({"mean_risk": 0.1, "on": "entries"}, "mean_risk: is for levels of whole col"),
        ({"mean_risk": 2}, "conditions.mean_risk: expected a fraction from 0 to 1"),
        ({"mean_risk": 0.1, "suppress_rows": 1}, "mean_risk and suppress_rows cannot"),
        ({"small": 3}, "small and at_risk go together"),
        ({"k_map": 3}, "k_map: of which population"),
        ({"household": "home", "l": 2, "sensitive": "ill"}, "household and l cannot"),
        ({"household": "home", "limits": {"rows": 2}}, "household and limits cannot"),
        ({"household": "zip"}, 'household: "zip" is among the columns to anonymise'),
        (
            {"levels": {"zip": 1}, "sensitive": "ill", "l": 2, "suppress_rows": 1},
            "levels: where rows may be suppressed and have sensitive values",
        ),
    ],
)
def test_what_excludes_what_is_said_on_one_line(wish, words):
    rows = people(random.Random(1), 8)
    with pytest.raises(InvalidInstanceError, match=words) as error:
        anonymize(rows, 2, ["zip", "age"], **{"hierarchies": HIERARCHIES, **wish})
    assert "\n" not in str(error.value)


def test_a_name_that_is_no_column():
    rows = people(random.Random(1), 8)
    with pytest.raises(UnknownNameError, match='levels: "zap" is not among the col'):
        anonymize(rows, 2, ["zip"], hierarchies="auto", levels={"zap": 1})


def test_a_population_has_a_line_for_everybody():
    rows = people(random.Random(1), 8)
    others = [*rows, {**rows[0], "zip": "99999"}]
    with pytest.raises(InvalidInstanceError, match="99999"):
        anonymize(
            rows, 1, ["zip"], hierarchies={"zip": ZIPS}, k_map=2, population=others
        )


@pytest.mark.parametrize(
    ("wish", "can"),
    [
        ({"l": 9}, "l = 9 asks for 9; l = 3 can be had"),
        ({"l": 9, "diversity": "frequency"}, "allows 0; l = 2 can be had"),
    ],
)
def test_the_nearest_diversity_is_named(wish, can):
    rows = [{"zip": "1", "ill": x} for x in ("flu", "flu", "cold", "cold", "gout")]
    told = str(anonymize(rows, 2, ["zip"], sensitive="ill", **wish))
    assert can in told
