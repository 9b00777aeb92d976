from dataclasses import replace

import pytest

import atleastk
from atleastk.research.collecting.library import Library
from scripts.data import make_library
from scripts.data.library_draws import draws


@pytest.fixture(scope="module")
def drawn():
    return {record.name: record for record in draws(None)}


def test_what_is_drawn_is_in_the_library(drawn):
    for name, record in drawn.items():
        assert atleastk.library[name].instance_sha256 == record.instance_sha256


def test_recipes_make_what_was_drawn(drawn):
    recipes = [record for record in drawn.values() if record.recipe is not None]
    assert recipes
    for record in recipes:
        assert record.instance.sha256 == record.instance_sha256


def test_it_goes_on_where_it_ended(drawn, tmp_path, monkeypatch, capsys):
    two = [drawn[f"bin-covering-worst-k{k}"] for k in ("8-n7", "22-n10")]
    monkeypatch.setattr(make_library, "draws", lambda _data: iter(two))
    words = ["--folder", str(tmp_path), "--time-limit", "600"]
    make_library.main(words)
    assert "2 instances, 2 are new, 2 to be solved" in capsys.readouterr().out
    held = Library(tmp_path)
    assert {record.status for record in held.values()} == {"certified"}
    for more in ([], ["--no-draw"], ["--no-draw", "--only", "broken"]):
        make_library.main([*words, *more])
        assert "2 instances, 0 are new, 0 to be solved" in capsys.readouterr().out
    assert dict(Library(tmp_path)) == dict(held)


def test_what_was_tried_is_kept():
    held = next(record for record in atleastk.library.values() if record.efforts)
    known = {"history": (), "efforts": (), "witness": None, "certificate": None}
    drawn = replace(held, source="drawn anew", **known)
    found = make_library._described(drawn, held)
    assert found == replace(held, source="drawn anew")


def test_a_name_is_of_one_instance(drawn, tmp_path, monkeypatch):
    one = drawn["bin-covering-worst-k8-n7"]
    Library(tmp_path).with_all([one], tmp_path)
    other = atleastk.BinCovering([1, 2], 1)
    again = type(one).of(
        other, name=one.name, family="worst", source="by hand", licence="none"
    )
    monkeypatch.setattr(make_library, "draws", lambda _data: iter([again]))
    with pytest.raises(SystemExit, match="is drawn differently now"):
        make_library.main(["--folder", str(tmp_path)])
