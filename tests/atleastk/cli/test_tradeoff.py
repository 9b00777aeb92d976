import hashlib
import html
import json

import pytest

import atleastk

LINES = ("31,13053,f", "42,13053,m", "55,13068,f", "31,13053,f", "42,13068,f")
NAMES = ("age", "zip", "sex")
ROWS = [dict(zip(NAMES, x.split(","), strict=True)) for x in (*LINES, "31,13068,f")]
RULES = {
    "auto": "auto",
    "age=bands:20 + zip=prefix": {"age": "bands:20", "zip": "prefix"},
}


@pytest.fixture
def table(here):
    path = here / "people.csv"
    path.write_text("\n".join(["age,zip,sex", *LINES, "31,13068,f", ""]))
    return path


@pytest.fixture
def instance(tmp_path):
    path = tmp_path / "bins.json"
    path.write_text('{"problem": "bin-covering", "sizes": [7, 7, 2, 2, 5], "k": 9}')
    return path


def points(out):
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        ("", {}),
        ("--drop sex", {"columns": ["age", "zip"]}),
        (
            "--hierarchies age=bands:20 --on attributes",
            {"hierarchies": {"age": "bands:20"}, "on": "attributes"},
        ),
        (
            "--columns age,zip --rule auto --rule 'age=bands:20 + zip=prefix' "
            "--loss precision --suppress-rows 0,34% --prices 2",
            {
                "columns": ["age", "zip"],
                "rules": RULES,
                "loss": "precision",
                "allowances": ["34%", 0],
                "prices": [2],
            },
        ),
    ],
)
def test_the_command_asks_for_what_the_call_asks_for(table, done, words, wishes):
    """An object a line: the points, and the prices of columns."""
    words = f"tradeoff {table} -k 2..4 --workers 1 {words}"
    told = points(done(f"{words} --json"))
    made = atleastk.tradeoff(ROWS, [2, 3, 4], workers=1, **wishes)
    each = [one.to_dict() for one in (*made, *made.prices)]
    for one, other in zip(told, each, strict=True):
        assert one | {"seconds": 0} == json.loads(json.dumps(other)) | {"seconds": 0}
    shown = done(words)
    assert ("what the cost falls by without a column" in shown) == ("--prices" in words)


def test_a_recipe_of_anonymize_says_what_is_compared(run, table, done):
    words = ("--columns", "age,zip", "--hierarchies", "age=bands:20", "--on", "entries")
    how = ("-k", "2", "--drop", "sex", "--drop-unlisted", "--save-recipe", "r.toml")
    done("anonymize", table, *words, *how)
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


def test_an_instance_takes_no_recipe(run, table, instance, done):
    how = ("--columns", "age", "--save-recipe", "r.toml")
    done("anonymize", table, "-k", "2", *how)
    code, _, err = run("tradeoff", instance, "-k", "2", "--recipe", "r.toml")
    told = f"{instance}: is an instance, which says all but k: leave out --recipe"
    assert (code, err) == (2, f"atleastk: error: {told}\n")
    code, _, err = run("tradeoff", instance, "-k", "2", "--sheet", "data")
    assert (code, "leave out --sheet" in err) == (2, True)


def test_a_row_for_every_k(instance, done):
    out = done(f"tradeoff {instance} -k 2,5,23..24")
    assert "optimal" in out
    assert "infeasible" in out


def test_what_is_written(table, tmp_path, done):
    page, document, results, picture = "c.html", "c.json", "c.jsonl", "c.svg"
    words = ["tradeoff", table, "-k", "2..3", "--report"]
    done(*words, page, "-o", results, "--plot", picture)
    done(*words, document)
    assert "What a k costs: people.csv" in (tmp_path / page).read_text()
    assert len(json.loads((tmp_path / document).read_text())["points"]) == 2
    assert "<svg" in (tmp_path / picture).read_text()
    written = points((tmp_path / results).read_text())
    assert [one["status"] for one in written] == ["OPTIMAL", "OPTIMAL"]


def test_the_page_can_be_filed(run, table, tmp_path, done):
    """Files, wishes, the command, the unit of costs, and what nothing is left of."""
    words = ("-k", "2,5..6", "--drop", "sex", "--hierarchies", "age=bands:20")
    more = ("--loss", "height", "--prices", "2", "-o", "c.jsonl")
    again = ("tradeoff", str(table), *words, *more)
    out = done(*again, "--report", "c.html")
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
    run(*again, "--report", "c.json")
    document = json.loads((tmp_path / "c.json").read_text())
    assert document["files"]["table"]["sha256"] == digests[0]
    assert document["asked"]["columns"] == "age, zip"
    assert [one for one in document["warnings"] if warning in one]
    last = document["points"][-1]
    assert (last["emptied"], last["heights"]) == (["age", "zip"], {"age": 2, "zip": 1})


def test_the_page_of_an_instance_has_its_file_and_command(instance, tmp_path, done):
    again = ("tradeoff", str(instance), "-k", "2..4")
    done(*again, "--report", tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text()
    assert hashlib.sha256(instance.read_bytes()).hexdigest() in page
    assert f"<code>atleastk {' '.join(again)}</code>" in page
    assert "<dt>problem</dt><dd>bin-covering</dd>" in page


def test_suppressed_columns_are_told_by_their_share(table, done):
    out = done("tradeoff", table, "-k", "6", "--columns", "age,sex")
    assert "suppressed cells" in out
    assert "100.00% suppressed" in " ".join(out.split())
    assert 'nothing is left of columns "age", "sex"' in out


def test_the_same_command_goes_on(run, table, refused):
    words = ("tradeoff", table, "-k", "2..4", "-o", "c.jsonl", "--json")
    first = points(run(*words)[1])
    code, out, err = run(*words)
    assert code == 0
    assert err == "atleastk: c.jsonl: 3 results were there; taken over once checked\n"
    again = points(out)
    assert [one["cost"] for one in again] == [one["cost"] for one in first]
    assert "of another table or of other wishes" in refused(*words, "--columns", "age")


def test_no_solution_for_any_k_is_code_1(instance, denied):
    denied("tradeoff", instance, "-k", "24..25")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("people.csv", "required: -k"),
        ("people.csv -k 5..2", "expected from 1 to 10000 values, got 5..2"),
        ("people.csv -k 2..", 'expected an integer, got ""'),
        ("people.csv -k 2,3 -o out.json", "need a name that ends in .jsonl"),
        ("people.csv -k 2 --report people.csv", "is the table or instance"),
        ("bins.json -k 2 --columns age", "leave out --columns"),
        ("bins.json -k 2 --max-rows 3", "leave out --max-rows"),
        ("bins.json -k 2 --rule auto", "leave out --rule"),
        ("bins.json -k 2 --prices 2", "leave out --prices"),
        ("bins.json -k 2 --suppress-rows 1", "leave out --suppress-rows"),
    ],
)
def test_mistakes_are_one_line(table, instance, words, reason, refused):
    assert reason in refused("tradeoff", *words.split())
