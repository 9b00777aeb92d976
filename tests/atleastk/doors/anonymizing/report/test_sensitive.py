import json
from random import Random

import pytest
from tables import of_columns

from atleastk import anonymize, check, check_table

pytestmark = pytest.mark.usefixtures("quick")

ROWS = of_columns(
    name="abcdefgh",
    age=[30, 30, 30, 41, 41, 41, 30, 41],
    zip="11222331",
    ill=["flu", "flu", "asthma", "flu", "cancer", "flu", "asthma", "flu"],
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    lines = [",".join(map(str, row.values())) for row in ROWS]
    path.write_text("\n".join([",".join(ROWS[0]), *lines, ""]), encoding="utf-8")
    return str(path)


def test_every_class_has_two_illnesses():
    made = anonymize(ROWS, 2, ["age", "zip"], sensitive="ill", l=2)
    classes = {}
    for row in made.frame:
        classes.setdefault((row["age"], row["zip"]), set()).add(row["ill"])
    assert all(len(ills) >= 2 for ills in classes.values())
    assert [row["ill"] for row in made.frame] == [row["ill"] for row in ROWS]
    assert check(made.instance, made.result).feasible
    told = made.report.sensitive
    assert (told.before["ill"].single, told.after["ill"].single) == (5, 0)
    assert told.after["ill"].least == 2
    document = json.loads(json.dumps(made.report.to_dict()))
    assert document["sensitive"]["asked"] == "l = 2"
    assert str(made).startswith("k = 2, l = 2: OPTIMAL")
    assert "one value in 0 of 2 classes, before one value in 5 of 6 classes" in str(
        made
    )
    assert "Sensitive values in classes of equal rows" in made.to_html()


def test_by_default_all_other_columns_are_anonymised():
    made = anonymize(ROWS, 2, sensitive=["ill", "name"], l=2)
    assert made.columns == ("age", "zip")


@pytest.mark.parametrize("on", ["entries", "attributes"])
def test_with_hierarchies(on):
    zips = [["1", "12", "*"], ["2", "12", "*"], ["3", "3", "*"]]
    asked = {"hierarchies": {"zip": zips}, "on": on, "columns": ["age", "zip"]}
    made = anonymize(ROWS, 2, sensitive="ill", t="0.25", **asked)
    assert (made.report.generality.on, made.report.sensitive.asked) == (on, "t = 1/4")
    assert made.report.sensitive.after["ill"].distance <= 0.25
    assert anonymize(ROWS, 2, **asked).report.cost <= made.report.cost


def test_only_told_if_nothing_is_asked_of_them():
    made = anonymize(ROWS, 2, ["age", "zip"], sensitive="ill")
    assert made.instance.problem == "k-anonymity"
    assert made.report.sensitive.after["ill"].single > 0


def test_the_command_says_the_same_words(table, tmp_path, done, denied):
    out = tmp_path / "out.csv"
    asked = ["--columns", "age,zip", "--sensitive", "ill", "--l", "2"]
    assert "k = 2, l = 2: OPTIMAL" in done(f"anonymize {table} -k 2", *asked, "-o", out)
    check = ["anonymize", str(out), "--check", "-k", "2", *asked]
    assert "  0 classes break what is asked" in done(*check, "--t", "0.25")
    denied(*check, "--diversity", "frequency")
    told = json.loads(done(*check, "--json"))
    assert (told["failing"], told["sensitive"]["ill"]["least"]) == (0, 2)


def test_unlisted_columns_go_but_sensitive_ones_stay(table, tmp_path, done):
    out = tmp_path / "out.csv"
    asked = ["--columns", "age,zip", "--sensitive", "ill", "--l", "2"]
    arguments = ["anonymize", table, "-k", "2", *asked, "-o", str(out)]
    done(*arguments, "--drop-unlisted")
    assert out.read_text(encoding="utf-8").splitlines()[0] == "age,zip,ill"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["--l", "4"], "ill has 3 values, l = 4 asks for 4; l = 3 can be had"),
        (
            ["--l", "2", "--diversity", "frequency"],
            "ill has one value in 5 of 8 rows, l = 2 by frequency allows 4; l = 1 can "
            "be had",
        ),
    ],
)
def test_infeasible(table, asked, why, denied):
    sensitive = ["--columns", "age,zip", "--sensitive", "name,ill"]
    told = denied("anonymize", table, "-k", "2", *sensitive, *asked)
    assert f"is 2-anonymous with l = {asked[1]}" in told
    assert [line for line in told.splitlines() if "sensitive" in line] == [
        f"  sensitive   {why}"
    ]


def test_a_sensitive_column_of_one_value_is_not_told_again():
    rows = [{"age": row["age"], "land": "x"} for row in ROWS]
    made = anonymize(rows, 2, ["age"], sensitive="land")
    assert "one value in 2 of 2 classes" in str(made)
    assert "learnt" not in str(made)
    assert made.report.to_dict()["risk"]["shared"] == {"land": 2}


def test_spellings_of_one_value_are_warned_of_where_they_hide_that_it_is_one():
    rng, warned = Random(6), 0
    for _ in range(150):
        rows = [
            [rng.choice("ab"), rng.choice(("Flu", "flu", "flu ", "f-lu", "cold"))]
            for _ in range(rng.randrange(2, 9))
        ]
        equal = [[age, "cold" if ill == "cold" else "flu"] for age, ill in rows]
        made, there = (
            check_table(table, 1, [0], sensitive=1, l=2) for table in (rows, equal)
        )
        single = there.sensitive["1"].single
        hidden = (made.sensitive["1"].single, made.failing) != (single, there.failing)
        assert len(made.respelled) == hidden
        warned += hidden
        if hidden:
            classes = len(there.found.classes)
            told = f"made equal, {single} of {classes} classes have one value, "
            assert told + f"{there.failing} break what is asked" in str(made)
    assert 20 < warned < 130


def test_spellings_are_warned_of_before_and_after(tmp_path, done, denied):
    path = tmp_path / "people.csv"
    path.write_text("age,ill\n30,Flu\n30,flu\n31,Flu\n31,Flu\n41,gout\n41,cold\n")
    words = ["anonymize", str(path), "-k2", "--columns", "age", "--sensitive", "ill"]
    for more in (["--check"], [], ["--json"], ["--check", "--json"]):
        assert '"Flu\\" and' in (said := done(*words, *more)) or '"Flu" and' in said
        assert "made equal, 2 of 3 classes have one value; --recode ill=FILE" in said
        denied(*words, *more, "--strict")
    cure = tmp_path / "fix.csv"
    cure.write_text("Flu;Flu\nflu;Flu\ngout;gout\ncold;cold\n")
    wished = ["--recode", f"ill={cure}"]
    assert "nearly equal" not in done(*words, *wished, "--strict")
