"""``atleastk price``."""

import csv
import json

import atleastk

WORDS = ("price", "order", "uniform", "--n", "6", "--k", "60,90", "--seeds", "2")


def test_prices_are_those_of_python(done, tmp_path):
    found = atleastk.price("order", "uniform", n=6, k=[60, 90], seeds=2)
    made, picture = tmp_path / "p.csv", tmp_path / "p.svg"
    shown = done(*WORDS, "--export", made, "--plot", picture)
    assert str(found) in shown
    rows = list(csv.DictReader(made.read_text().splitlines()))
    assert [float(row["price"]) for row in rows] == [p.ratio for p in found.dearest]
    assert (
        sorted((p.ratio for p in found.each), reverse=True)
        == found.to_frame("polars")["price"].to_list()
    )
    assert b"optimum with it / optimum without" in picture.read_bytes()
    first = json.loads(done(*WORDS, "--json").splitlines()[0])
    assert first["price"] == first["restricted"] / first["free"] == found.worst.ratio


def test_files_and_words_that_do_not_fit(done, denied, refused, tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(atleastk.IntervalCovering([2, 1, 2], 3).to_dict()))
    assert "price of order: 1 instance" in done("price", "order", path)
    assert "only families have parameters" in refused("price", "order", path, "--n=3")
    assert 'did you mean "order"?' in refused("price", "ordr", "uniform")
    assert 'no parameter "m"' in refused("price", "order", "uniform", "--m", "3")
    path.write_text(json.dumps(atleastk.IntervalCovering([2], 3).to_dict()))
    assert "1 left out" in denied("price", "order", path)
