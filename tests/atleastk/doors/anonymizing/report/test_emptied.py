"""Columns of which nothing is left are warned of, with what may help."""

import pytest

from atleastk import anonymize

ROWS = [
    {"age": age, "zip": zip_code, "one": 1}
    for age, zip_code in ((31, "10"), (42, "11"), (53, "22"), (64, "23"))
]
HEAD = "  WARNING     nothing is left of column{} {}:"


def lines(k, **wishes):
    return str(anonymize(ROWS, k, ["age", "zip", "one"], **wishes).report).splitlines()


@pytest.mark.parametrize(
    ("k", "wishes", "named", "advice"),
    [
        (2, {}, ["age", "zip"], "give them a hierarchy, or --drop them"),
        (
            3,
            {"hierarchies": {"age": "bands:50"}},
            ["age", "zip"],
            "give them a hierarchy, raise --suppress-rows, take a smaller k, or "
            "--drop them",
        ),
        (
            3,
            {"hierarchies": {"age": "bands:100", "zip": "prefix"}},
            ["age", "zip"],  # one band, below the top
            "raise --suppress-rows, take a smaller k, or --drop them",
        ),
        (
            2,
            {"hierarchies": {"age": "bands:25", "zip": "prefix"}, "on": "entries"},
            [],
            "",
        ),
    ],
)
def test_columns_of_one_published_value(k, wishes, named, advice):
    told = lines(k, **wishes)
    found = [at for at, line in enumerate(told) if "nothing is left" in line]
    if not named:
        assert not found
        return
    (at,) = found
    names = ", ".join(f'"{name}"' for name in named)
    assert told[at] == HEAD.format("s" * (len(named) > 1), names)
    assert told[at + 1] == f"{'':14}{advice}"


def test_a_column_that_had_one_value_lost_nothing():
    told = "\n".join(lines(4))
    assert 'columns "age", "zip":' in told
    assert '"one"' not in told


def test_suppressed_rows_do_not_hide_that_nothing_is_left(tmp_path, done, denied):
    """All that is published beside them is 01***; of sex two values are."""
    path = tmp_path / "people.csv"
    cells = [f"01{i % 3}67,{'fm'[i // 3 % 2]}\n" for i in range(36)]
    path.write_text(
        "".join(["zip,sex\n", *cells, *["01067,x\n"] * 5, *["01067,y\n"] * 2])
    )
    words = ["anonymize", str(path), "-k", "7", "--suppress-rows", "10"]
    words += ["--hierarchies", "zip=prefix", "--intact", "sex"]
    printed = done(*words)
    assert "7 of 43 rows" in printed
    assert 'nothing is left of column "zip"' in printed
    denied(*words, "--strict")
    done(*words[:3], "6", *words[4:], "--strict")


def test_a_column_of_one_value_beside_suppressed_rows_lost_nothing():
    rows = [("a", i % 2) for i in range(12)] + [("b", 3), ("c", 4)]
    made = anonymize(rows, 2, hierarchies={0: "suppression"}, suppress_rows=2)
    assert made.report.generality.suppressed_rows == 2
    assert not any("nothing is left" in str(each) for each in made.report.warned)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    rows = "".join(f"{row['age']},{row['zip']}\n" for row in ROWS)
    path.write_text(f"age,zip\n{rows}")
    return path


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_every_engine_warns_and_strict_fails(table, engine, done, denied):
    words = ["anonymize", str(table), "-k", "2", "--engine", engine, "--columns"]
    words += ["age,zip", "--hierarchies", "zip=prefix"]
    warned = done(*words)
    assert 'nothing is left of column "age"' in warned
    assert "nothing is left" in denied(*words, "--strict")
    loose = [*words, "--hierarchies", "age=bands:25,50"]
    assert "WARNING" not in done(*loose, "--strict")


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_nothing_is_left_where_all_rows_are_suppressed(tmp_path, engine, denied):
    path = tmp_path / "few.csv"
    path.write_text("a,b,one\n1,x,1\n2,y,1\n3,z,1\n")
    words = ["anonymize", str(path), "-k", "3", "--engine", engine, "--strict"]
    words += ["--hierarchies", "a=bands:2", "--suppress-rows", "3"]
    assert 'nothing is left of columns "a", "b":' in denied(*words)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_strict_checks(tmp_path, engine, run, done):
    path = tmp_path / "patients.csv"
    rows = "".join(f"p{i},{i % 2}\n" for i in range(40))
    path.write_text(f"id,age\n{rows}")
    words = ["anonymize", str(path), "--check", "--columns", "age", "-k"]
    for k, drop, strict, code in [
        ("5", [], [], 0),
        ("5", [], ["--strict"], 1),
        ("5", ["--except", "id"], ["--strict"], 1),
        ("21", [], [], 1),
    ]:
        given = words[:3] + words[5:] if drop else words
        how = ["--engine", engine, *drop, *strict]
        ended, told, _ = run(*given, k, *how)
        assert (ended, 'WARNING     column "id"' in told) == (code, True)
    (tmp_path / "ages.csv").write_text("age\n1\n1\n2\n2\n")
    words[1] = str(tmp_path / "ages.csv")
    done(*words, "2", "--engine", engine, "--strict")


def test_strict_means(tmp_path, done, denied):
    path = tmp_path / "pay.csv"
    rows = "".join(f"p{i},{i}\n" for i in range(40))
    path.write_text(f"id,age\n{rows}")
    words = ["anonymize", str(path), "--columns", "age", "-k", "5", "--average"]
    done(*words)
    denied(*words, "--strict")
    done(*words, "--strict", "--drop", "id")
