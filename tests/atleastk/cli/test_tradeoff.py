import hashlib
import html
import json

import pytest

import atleastk

ROWS = [
    {"age": age, "zip": zip_code, "sex": sex}
    for age, zip_code, sex in (
        ("31", "13053", "f"),
        ("42", "13053", "m"),
        ("55", "13068", "f"),
        ("31", "13053", "f"),
        ("42", "13068", "f"),
        ("31", "13068", "f"),
    )
]


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "people.csv"
    path.write_text(
        "\n".join(["age,zip,sex", *(",".join(row.values()) for row in ROWS)]) + "\n"
    )
    return path


@pytest.fixture
def instance(tmp_path):
    path = tmp_path / "bins.json"
    path.write_text('{"problem": "bin-covering", "sizes": [7, 7, 2, 2, 5], "k": 9}')
    return path


def points(out):
    return [json.loads(line) for line in out.splitlines()]


def test_an_object_a_line_and_k(run, table):
    code, out, err = run("tradeoff", table, "-k", "2..4", "--json")
    assert (code, err) == (0, "")
    assert [point["k"] for point in points(out)] == [2, 3, 4]
    costs = [point["cost"] for point in points(out)]
    assert costs == sorted(costs)
    made = [atleastk.anonymize(ROWS, k, time_limit=60) for k in (2, 3, 4)]
    assert costs == [one.report.cost for one in made]
    told = {"k", "cost", "bound", "status"}
    assert all(told <= point.keys() for point in points(out))


def test_wishes_are_those_of_anonymize(run, table):
    words = ("-k", "2..3", "--columns", "age,zip", "--hierarchies", "age=bands:20")
    code, out, _ = run("tradeoff", table, *words, "--on", "attributes", "--json")
    assert code == 0
    with_hierarchy = {"hierarchies": {"age": "bands:20"}, "on": "attributes"}
    made = atleastk.anonymize(ROWS, 2, ["age", "zip"], **with_hierarchy)
    assert points(out)[0]["cost"] == made.report.cost


def test_a_recipe_of_anonymize_says_what_is_compared(run, table):
    words = ("--columns", "age,zip", "--hierarchies", "age=bands:20", "--on", "entries")
    how = ("-k", "2", "--drop", "sex", "--drop-unlisted", "--save-recipe", "r.toml")
    assert run("anonymize", table, *words, *how)[0] == 0
    code, out, _ = run("tradeoff", table, "-k", "2..4", *words, "--json")
    again = ("tradeoff", table, "--recipe", "r.toml", "-k", "2..4", "--json")
    code, same, err = run(*again)
    assert code == 0
    kept = ("k", "cost", "bound", "status")
    found = [[{key: p[key] for key in kept} for p in points(o)] for o in (out, same)]
    assert found[0] == found[1]
    told = "atleastk: r.toml: has no part in this command: drop-unlisted\n"
    assert err == told
    (one,) = points(run(*again[:4], "--json")[1])
    assert one["k"] == 2


def test_columns_are_left_out(run, table):
    code, out, _ = run("tradeoff", table, "-k", "2", "--drop", "sex", "--json")
    assert code == 0
    without = run("tradeoff", table, "-k", "2", "--columns", "age,zip", "--json")[1]
    assert points(out)[0]["cost"] == points(without)[0]["cost"]
    code, _, err = run("tradeoff", table, "-k", "2", "--drop", "sec")
    assert code == 2
    assert 'no column is called "sec"; did you mean "sex"?' in err


def test_an_instance_takes_no_recipe(run, table, instance):
    how = ("--columns", "age", "--save-recipe", "r.toml")
    assert run("anonymize", table, "-k", "2", *how)[0] == 0
    code, _, err = run("tradeoff", instance, "-k", "2", "--recipe", "r.toml")
    told = f"{instance}: is an instance, which says all but k: leave out --recipe"
    assert (code, err) == (2, f"atleastk: error: {told}\n")
    code, _, err = run("tradeoff", instance, "-k", "2", "--sheet", "data")
    assert (code, "leave out --sheet" in err) == (2, True)


def test_an_instance_is_solved_for_every_k(run, instance):
    code, out, _ = run("tradeoff", instance, "-k", "1..8,23", "--json")
    assert code == 0
    assert [point["k"] for point in points(out)] == [*range(1, 9), 23]
    assert points(out)[-1]["cost"] == 23


def test_a_row_for_every_k(run, instance):
    code, out, err = run("tradeoff", instance, "-k", "2,5,24")
    assert (code, err) == (0, "")
    assert "optimal" in out
    assert "infeasible" in out


def test_what_is_written(run, table, tmp_path):
    page, document, results, picture = "c.html", "c.json", "c.jsonl", "c.svg"
    words = ["tradeoff", table, "-k", "2..3", "--report"]
    assert run(*words, page, "-o", results, "--plot", picture)[0] == 0
    assert run(*words, document)[0] == 0
    assert "What a k costs: people.csv" in (tmp_path / page).read_text()
    assert len(json.loads((tmp_path / document).read_text())["points"]) == 2
    assert "<svg" in (tmp_path / picture).read_text()
    written = points((tmp_path / results).read_text())
    assert [one["status"] for one in written] == ["OPTIMAL", "OPTIMAL"]


def test_the_page_can_be_filed(run, table, tmp_path):
    """Files, wishes, the command, the unit of costs, and what nothing is left of."""
    words = ("-k", "2,5..6", "--drop", "sex", "--hierarchies", "age=bands:20")
    more = ("--loss", "height", "--prices", "2", "-o", "c.jsonl")
    again = ("tradeoff", str(table), *words, *more)
    code, out, _ = run(*again, "--report", "c.html")
    assert code == 0
    page = (tmp_path / "c.html").read_text()
    digests = [
        hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
        for name in ("people.csv", "c.jsonl")
    ]
    warning = 'k = 5..6: nothing is left of columns "age", "zip"'
    for text in (
        "What was asked",
        "<dt>k</dt><dd>2, 5..6</dd>",
        "<dt>columns</dt><dd>age, zip</dd>",
        "age: bands:20, zip: suppression",
        f"<code>atleastk {' '.join(again)}</code>",
        "The cost counts: the sum of the levels, of every column",
        f"WARNING: {html.escape(warning)}",
        "age 2 of 2 (nothing left), zip 1 of 1 (nothing left)",
        *digests,
    ):
        assert text in page.replace("\xa0", " ")
    for text in (warning, "cost: the sum of the levels", *digests):
        assert text in out
    assert run(*again, "--report", "c.json")[0] == 0
    document = json.loads((tmp_path / "c.json").read_text())
    assert document["files"]["table"]["sha256"] == digests[0]
    assert document["asked"]["columns"] == "age, zip"
    assert [one for one in document["warnings"] if warning in one]
    last = document["points"][-1]
    assert (last["emptied"], last["heights"]) == (["age", "zip"], {"age": 2, "zip": 1})


def test_the_page_of_an_instance_has_its_file_and_command(run, instance, tmp_path):
    again = ("tradeoff", str(instance), "-k", "2..4")
    assert run(*again, "--report", tmp_path / "c.html")[0] == 0
    page = (tmp_path / "c.html").read_text()
    assert hashlib.sha256(instance.read_bytes()).hexdigest() in page
    assert f"<code>atleastk {' '.join(again)}</code>" in page
    assert "<dt>problem</dt><dd>bin-covering</dd>" in page


def test_suppressed_columns_are_told_by_their_share(run, table):
    code, out, _ = run("tradeoff", table, "-k", "6", "--columns", "age,sex")
    assert code == 0
    assert "suppressed cells" in out
    assert "100.00% suppressed" in " ".join(out.split())
    assert 'nothing is left of columns "age", "sex"' in out


def test_rules_allowances_and_prices_are_those_of_python(run, table):
    words = ("-k", "2..3", "--columns", "age,zip", "--loss", "precision")
    rules = ("--rule", "auto", "--rule", "age=bands:20 + zip=prefix")
    more = ("--suppress-rows", "0,34%", "--prices", "2", "--workers", "1")
    code, out, err = run("tradeoff", table, *words, *rules, *more, "--json")
    assert (code, err) == (0, "")
    made = atleastk.tradeoff(
        ROWS,
        [2, 3],
        columns=["age", "zip"],
        rules={
            "auto": "auto",
            "age=bands:20 + zip=prefix": {"age": "bands:20", "zip": "prefix"},
        },
        allowances=["34%", 0],
        prices=[2],
        loss="precision",
        workers=1,
    )
    told = points(out)
    assert len(made) == 8
    keys = ("rule", "allowed", "k", "cost", "bound", "lost", "mean_risk", "levels")
    for one, point in zip(told[:8], made, strict=True):
        other = point.to_dict()
        assert [one[key] for key in keys] == [other[key] for key in keys]
    assert told[8:] == [price.to_dict() for price in made.prices]
    code, out, _ = run("tradeoff", table, *words, *rules, *more)
    assert "what the cost falls by without a column" in out


def test_the_same_command_goes_on(run, table):
    words = ("tradeoff", table, "-k", "2..4", "-o", "c.jsonl", "--json")
    first = points(run(*words)[1])
    code, out, err = run(*words)
    assert code == 0
    assert err == "atleastk: c.jsonl: 3 results were there; taken over once checked\n"
    again = points(out)
    assert [one["cost"] for one in again] == [one["cost"] for one in first]
    code, out, err = run(*words, "--columns", "age")
    assert (code, out) == (2, "")
    assert "of another table or of other wishes" in err


def test_no_solution_for_any_k_is_code_1(run, instance):
    assert run("tradeoff", instance, "-k", "24..25")[0] == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("people.csv", "required: -k"),
        ("none.csv -k 2", "no such file"),
        ("people.csv -k 5..2", "expected from 1 to 10000 values, got 5..2"),
        ("people.csv -k 2..", 'expected an integer, got ""'),
        ("people.csv -k 2 --columns agee", 'did you mean "age"?'),
        ("people.csv -k 2,3 -o out.json", "need a name that ends in .jsonl"),
        ("people.csv -k 2 --minimise k", "a maximised k has no trade-off"),
        ("people.csv -k 2 --report people.csv", "is the table or instance"),
        ("bins.json -k 2 --columns age", "leave out --columns"),
        ("bins.json -k 2 --max-rows 3", "leave out --max-rows"),
        ("bins.json -k 2 --method none", "no method of bin-covering"),
        ("bins.json -k 2 --rule auto", "leave out --rule"),
        ("bins.json -k 2 --prices 2", "leave out --prices"),
        ("bins.json -k 2 --suppress-rows 1", "leave out --suppress-rows"),
        ("people.csv -k 2 --suppress-rows 1,x", "a number of rows, or a share"),
        ("people.csv -k 2 --rule auto --hierarchies auto", "both say how cells"),
        ("people.csv -k 2 --rule age=band:5", "age=band:5: "),
        ("people.csv -k 2 --prices 3", "k = 3 is not among the k"),
    ],
)
def test_mistakes_are_one_line(run, table, instance, words, reason):
    code, out, err = run("tradeoff", *words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_anonymize_takes_ranges_of_k(run, table):
    code, out, _ = run("anonymize", table, "-k", "2..4", "--json")
    assert code == 0
    assert [report["k"] for report in points(out)] == [2, 3, 4]
