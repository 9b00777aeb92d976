"""Means in place of numbers: what `cluster` does by squares, asked of `anonymize`."""

import csv
import json
import random
from hashlib import sha256
from pathlib import Path

import pandas
import pytest
from pages import Reader

import atleastk

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def table(here):
    rng = random.Random(4)
    rows = [["name", "age", "pay", "ill"]]
    for i in range(30):
        age = rng.randrange(20, 70)
        rows.append([f"n{i}", age, round(1000 + 30 * age * rng.random(), 1), "flu"])
    with Path("pay.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return ["anonymize", "pay.csv", "-k", 4, "--average", "--columns", "age,pay"]


def test_it_is_the_cluster_of_squares(table, done):
    told = done(*table, "-o", "a.csv", "--instance", "i.json", "--result", "r.json")
    how = ("--minimise", "squares", "--scale", "std", "--rows", "b.csv")
    done("cluster", "pay.csv", "-r", 4, "--columns", "age,pay", *how)
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    done("anonymize", "a.csv", "--check", "-k", 4, "--columns", "age,pay")
    done("check", "i.json", "r.json")
    assert "  written     a.csv, r.json, i.json\n" in told
    assert "  SHA-256     pay.csv" in told
    before, after = pandas.read_csv("pay.csv"), pandas.read_csv("a.csv")
    assert before[["name", "ill"]].equals(after[["name", "ill"]])
    for _, group in after.groupby(["age", "pay"]):
        assert len(group) >= 4
        for name, off in (("age", 0.5), ("pay", 0.05)):  # rounded as the column is
            mean = before.loc[group.index, name].mean()
            assert abs(group[name].iloc[0] - mean) <= off + 1e-9


def test_in_random_order_without_other_columns(run, table, done):
    run(*table, "-o", "a.csv")
    how = ("--shuffle", 3, "--drop-unlisted", "--report", "r.json", "--json")
    told = done(*table, *how, "-o", "b.csv")
    assert json.loads(told) == json.loads(Path("r.json").read_text())
    before = pandas.read_csv("a.csv")[["age", "pay"]]
    after = pandas.read_csv("b.csv")
    assert sorted(map(tuple, before.values)) == sorted(map(tuple, after.values))
    assert not before.equals(after)
    assert atleastk.anonymity(after).holds(4)


def test_a_recipe_of_means(table, done):
    done(*table, "-o", "a.csv", "--save-recipe", "r.toml")
    assert "average = true" in Path("r.toml").read_text()
    done("anonymize", "pay.csv", "--recipe", "r.toml", "-o", "b.csv")
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    done("anonymize", "a.csv", "--check", "--recipe", "r.toml")


def test_the_page_of_means(table, done, denied):
    done(*table, "-o", "a.csv", "--report", "r.html")
    page = Path("r.html").read_text()
    reader = Reader(page)
    text = " ".join("".join(reader.texts).split())
    assert reader.links == ["data:,"]
    assert "Means of pay.csv" in text
    assert 'column "name", left unchanged, singles out 30 of 30 rows' in text
    assert "counted again in the published table" in text
    assert "The same again" in text
    assert sha256(Path("a.csv").read_bytes()).hexdigest() in text
    heads = ["Summary", "Files", "What was asked", "Risk", "Use", "Words"]
    assert [t for t in reader.texts if t in heads] != []
    assert set(heads) <= set(reader.texts)
    table[3] = 31
    denied(*table, "--report", "r.html")
    assert "No table was published" in Path("r.html").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "--hierarchies auto",
            "means of k near rows or more, as they are: leave out --hi",
        ),
        ("--sensitive ill", "leave out --sensitive"),
        ("--max-rows 2", "leave out --max-rows"),
        ("--ambiguous", "leave out --ambiguous"),
        ("--plot p.png", "leave out --plot"),
        ("--population pay.csv", "leave out --population"),
        ("--engine duckdb", "--engine duckdb counts classes only"),
        ("-k 2,3", "give one -k"),
        ("--columns age,ill", 'need numbers, row 1 holds "flu"; choose columns of num'),
    ],
)
def test_what_excludes_means_is_refused_on_one_line(table, words, told, refused):
    assert told in refused(*table, *words.split())
