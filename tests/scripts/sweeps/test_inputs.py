import json
import random
import sqlite3
import tomllib
from contextlib import closing

from atleastk.cli.parsing import parsed
from scripts.sweeps import inputs, readers
from scripts.sweeps.mutations import mutated
from scripts.sweeps.readers import READERS


def test_every_reader_is_a_command():
    assert len({reader.name for reader in READERS}) == len(READERS)
    for reader in READERS:
        assert any(each in reader.words for each in ("FILE", "--folder .", "wrong."))


def test_the_same_seed_makes_the_same_files():
    data = b'{"a": [1, 2, {"b": "text"}]}'
    first, again = (
        [mutated(data, random.Random(seed)) for seed in range(200)] for _ in range(2)
    )
    assert first == again
    assert len(set(first)) > 150


def test_values_are_changed_within_toml_and_databases(tmp_path):
    text = 'a = 1\nb = ["x", 0.5]\n[c]\nd = true\n'
    read = []
    for seed in range(100):
        try:
            read.append(
                tomllib.loads(mutated(text.encode(), random.Random(seed)).decode())
            )
        except (RecursionError, ValueError):
            continue
    assert sum(one != tomllib.loads(text) for one in read) > 20
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as held:
        held.execute("PRAGMA journal_mode = WAL")
        held.execute("CREATE TABLE t (x, y)")
        held.execute("INSERT INTO t VALUES (?, 7)", (json.dumps({"z": [1]}),))
        held.commit()
    data, rows = path.read_bytes(), set()
    for seed in range(100):
        path.write_bytes(mutated(data, random.Random(seed)))
        try:
            with closing(sqlite3.connect(path)) as held:
                rows.update(held.execute("SELECT * FROM t"))
        except sqlite3.Error:
            continue
    assert len(rows) > 5


def test_a_reader_that_fails_is_told(tmp_path, monkeypatch, capsys):
    words = "check FILE none.json"
    monkeypatch.setattr(inputs, "READERS", [readers.Reader("all", words, "i.json")])
    monkeypatch.setattr(inputs, "prepare", lambda at: (at / "i.json").write_text("{}"))

    def broken(_options):
        raise ZeroDivisionError

    _, options = parsed(["check", "a.json", "b.json"])
    monkeypatch.setattr(inputs, "_parsed", lambda words: (broken, options))
    assert inputs.main(["--files", "2", "--store", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "all: ZeroDivisionError" in told
    assert "| all | 2 | 2 |" in told
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
