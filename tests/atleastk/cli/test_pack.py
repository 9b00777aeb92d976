"""``atleastk pack``: from a table of weights to one of batches."""

import json

import pytest
from matplotlib import pyplot

import atleastk
from atleastk.cli import table_command

TABLE = "order,kg\na,7.5\nb,2.5\nc,6\nd,4.5\ne,3\n"


@pytest.fixture
def folder(here):
    (here / "orders.csv").write_text(TABLE)
    return here


def test_a_table_comes_back_with_batches(folder, done):
    words = "pack orders.csv --weight kg -k 10 --name order -o out.csv --report p.html"
    files = "--instance i.json --result r.json"
    said = done(words, *files.split())
    for line in (
        "5 rows, at least 10.0 a batch: optimal (certified)",
        "batches     2\n",
        "heaviest    12.0\n",
        "lightest    11.5\n",
        "no batches have a heaviest below 12.0",
        "written     out.csv, p.html, r.json, i.json",
    ):
        assert line in said
    assert (folder / "out.csv").read_text() == (
        "order,kg,batch\na,7.5,1\nb,2.5,2\nc,6,2\nd,4.5,1\ne,3,2\n"
    )
    page = (folder / "p.html").read_text()
    assert "Batches of orders.csv" in page
    assert "b, c, e" in page
    done("check", "i.json", "r.json", "--require", "proof")


def test_as_many_batches_as_possible(folder, done):
    words = "pack orders.csv --weight kg -k 4.25 --maximise batches --json"
    found = json.loads(done(words))
    assert (found["status"], found["most"], found["bound"]) == ("OPTIMAL", 4, None)
    assert sorted(found["weights"]) == [4.5, 5.5, 6.0, 7.5]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--weight kg -k 0", 'above 0, of at most 1,000 digits, got "0"'),
        ("--weight kg -k 1e-9999", "k: expected a number above 0"),
        ("--weight order -k 2", 'column "order", row 1: expected a number above 0'),
        ("--weight lbs -k 2", 'no column is called "lbs"'),
        ("--weight kg -k 2 -o orders.csv", "is the original table"),
        ("--weight kg -k 2 --maximise weight", "invalid choice"),
        ("--weight kg", "-k"),
    ],
)
def test_what_is_wrong_is_said_on_one_line(folder, refused, words, error):
    assert error in refused(f"pack orders.csv {words}")


def test_too_little_for_one_batch(folder, denied):
    said = denied("pack orders.csv --weight kg -k 99 -o out.csv --plot p.png")
    assert "all rows weigh 23.5 together" in said
    assert "written     nothing" in said


def test_batches_are_drawn_in_the_unit_of_the_table(folder, monkeypatch, done):
    drawn = []
    monkeypatch.setattr(table_command, "save", lambda ax, path: drawn.append(ax))
    words = "pack orders.csv --weight kg -k 10 --plot p.png"
    done(words)
    texts = [text.get_text() for text in drawn[0].texts]
    assert {"k = 10.0", "cost 12.0", "7.5"} <= {*texts}
    assert drawn[0].get_title(loc="left").endswith("optimal cost 12.0")
    pyplot.close("all")


def test_nothing_is_rounded():
    rows = [{"kg": 0.1}, {"kg": "0.25"}, {"kg": 1e-20}, {"kg": "1e-1"}]
    made = atleastk.pack(rows, "kg", "0.1")
    assert (made.digits, made.instance.k) == (20, 10**19)
    assert made.instance.sizes == (10**19, 25 * 10**18, 1, 10**19)
    assert max(made.weights) == made.weights[made.batch[1] - 1]
    with pytest.raises(atleastk.InvalidInstanceError, match="expected one of batches"):
        atleastk.pack(rows, "kg", 1, maximise="bins")
