"""Recipes: what was asked, in a file and on the page, asks for the same again."""

import hashlib
import html
import json
import random
import re
import shlex
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest

from atleastk import __version__
from atleastk.cli.anonymize_wishes import Options
from atleastk.cli.options import given_in, is_switch
from atleastk.cli.parsing import parsed
from atleastk.cli.recipe import recipe_text, words_of

PEOPLE = '''age,"zip, code","the ""sex""",a=b,note
31,13053,f,1,a
42,13053,m,1,b
42,13068,f,2,c
31,13053,f,2,d
42,13068,f,2,e
31,13068,m,1,f
'''
NASTY = ['"', ",", "'", "=", "\\", "\x7f", "\n", "é", "-x", "", " a ", "#", "true", "5"]
WISHES = [
    one
    for one in fields(Options)
    if one.metadata.get("flags") and not one.metadata["writes"]
    if one.name not in Options.aside
]
SAMPLES = [
    *("3", "0.25", "5%", "2,5,10", "8GB", "none", "latin-1", ";", "age=3"),
    *("age > zip,sex", "branch-and-price", "entries", 'age,"a, b","x ""y"" z"'),
]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE)


def options_of(*words):
    return parsed(["anonymize", "people.csv", *map(str, words)])[1]


def wished(options):
    """Return options but for the words and the recipe that they are of."""
    return replace(options, words=(), recipe=None)


def value_of(one, rng):
    """Return words that give an option, one of which its reader takes."""
    known = one.metadata["more"]
    flag = one.metadata["flags"][-1]
    if is_switch(one.metadata) or (known.get("nargs") == "?" and rng.random() < 0.5):
        return [flag]
    samples = [*SAMPLES, *NASTY] if known.get("type") is None else [*SAMPLES]
    samples = ["duckdb", "dask://host:8786"] if one.name == "engine" else samples
    rng.shuffle(samples)
    for text in known.get("choices") or samples:
        try:
            known.get("type", str)(text)
        except Exception:  # whatever a reader says
            continue
        if flag.startswith("--"):
            return [f"{flag}={text}"]
        return [flag, text]
    raise AssertionError(flag)


def again(words):
    """Return the options of words, and those of the recipe and the line of them."""
    first = options_of(*words)
    Path("r.toml").write_text(recipe_text(Options, first.asked, "r.toml"))
    tomllib.loads(Path("r.toml").read_text())
    second = options_of("--recipe", "r.toml")
    third = parsed(shlex.split(shlex.join(first.again))[1:])[1]
    return first, second, third


@pytest.mark.parametrize("one", WISHES, ids=lambda one: one.name)
@pytest.mark.parametrize("seed", range(3))
def test_every_option_survives(one, seed):
    words = value_of(one, random.Random(seed))
    first, *others = again(words)
    assert one.name in first.asked
    for other in others:
        assert wished(other) == wished(first)


@pytest.mark.parametrize("seed", range(12))
def test_all_options_survive_together(seed):
    rng = random.Random(seed)
    chosen, words = {}, []
    for one in rng.sample(WISHES, len(WISHES)):
        chosen.setdefault(one.metadata["either"] or one.name, one)
    for one in chosen.values():
        for _ in range(1 + (one.metadata["more"].get("action") == "append")):
            words += value_of(one, rng)
    first, *others = again(words)
    assert first.asked.keys() == {one.name for one in chosen.values()}
    for other in others:
        assert wished(other) == wished(first)


def test_nothing_is_forgotten():
    """What recipes leave out is the table, what is written, and what is printed."""
    others = {one.name for one in fields(Options) if one.metadata} - {
        one.name for one in WISHES
    }
    assert others == {
        *("table", "output", "result", "instance", "plot", "report", "save_recipe"),
        *("recipe", "check", "strict", "wildcard", "write_hierarchies", "events"),
        *("json", "row_risk", "earlier"),
    }


@pytest.mark.parametrize("text", NASTY)
def test_texts_survive(text):
    first, *others = again([f"--marker={text}", f"--hierarchies={text}=prefix"])
    assert first.marker == text
    for other in others:
        assert wished(other) == wished(first)


def test_the_words_are_read_as_the_parser_reads_them():
    words = ["-k5", "--on", "entries", "--l=3", "--except=a", "--weight", "a=1"]
    assert options_of("--shuffle").shuffle is True
    assert parsed(["anonymize", "--shuffle", "people.csv"])[1].shuffle is True
    for seeded in (["--shuffle", "7"], ["--shuffle=7"]):
        assert parsed(["anonymize", *seeded, "people.csv"])[1].shuffle == 7
        assert given_in(Options, seeded) == {"shuffle": ["7"]}
    assert given_in(Options, ["t.csv", "--marker=--"]) == {"marker": ["--"]}
    assert parsed(["anonymize", "t.csv", "--marker=--"])[1].marker == "--"
    words += ["--shuffle", "--weight=b=2", "--ambiguous", "--on=attributes", "--", "-k"]
    assert given_in(Options, words) == {
        "k": ["5"],
        "on": ["attributes"],
        "l": ["3"],
        "exempt": ["a"],
        "weight": ["a=1", "b=2"],
        "shuffle": [None],
        "ambiguous": [None],
    }


def test_what_is_given_beside_a_recipe_takes_its_place():
    words = ["-k", 2, "--except", "note", "--weight", "age=2", "--marker", "-"]
    Path("r.toml").write_text(recipe_text(Options, options_of(*words).asked, "r.toml"))
    found = options_of(
        *("--recipe", "r.toml", "--columns", "age", "--weight", "note=3", "-k3"),
        *("--marker", "*"),
    )
    assert (found.k, found.columns, found.exempt) == ((3,), ["age"], None)
    assert (found.weight, found.marker) == (["age=2", "note=3"], "*")


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder of files that belong together, and another beside it."""
    for name in ("of", "elsewhere", "of/all"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "of")
    Path("people.csv").write_text(PEOPLE)
    Path("all/zip, code.csv").write_text("13053;1305*;*\n13068;1306*;*\n")
    Path("age.csv").write_text("31;30-39;*\n42;40-49;*\n")
    Path("b.csv").write_text("1;*\n2;*\n")


@pytest.mark.parametrize(
    ("option", "left", "lost", "beside"),
    [
        ("hierarchies", ["a=b=prefix"], ["age=bands:2,4"], ["age=bands:10"]),
        ("hierarchies", ["age=bands:2"], ["auto"], ["prefix", "a=b=prefix"]),
        ("hierarchies", ["age=bands:2"], [], ["auto"]),
        ("hierarchies", ["all"], ["age=b.csv"], [".", "age=age.csv"]),
        ("hierarchies", ["a=b=b.csv"], ["a=c=b.csv"], ["a=c=prefix"]),
        ("weight", ["age=2"], ["a=b=3"], ["a=b=4"]),
        ("level", ["age=1..2"], ["note=1"], ["note=0..1"]),
        ("recode", ["note=prefix"], ["age=2:bands:5"], ["age=1:age.csv"]),
    ],
)
def test_what_is_said_of_a_column_leaves_the_others(
    folders, capsys, option, left, lost, beside
):
    words = [f"--{option}={text}" for text in (*left, *lost)]
    Path("r.toml").write_text(recipe_text(Options, options_of(*words).asked, "r.toml"))
    given = [f"--{option}={text}" for text in beside]
    assert getattr(options_of("--recipe", "r.toml", *given), option) == [*left, *beside]
    assert capsys.readouterr().err == ""


def test_a_list_that_is_replaced_is_told(capsys):
    words = ["--columns", 'age,"zip, code"', "--drop", "note", "--sensitive", "a=b"]
    Path("r.toml").write_text(recipe_text(Options, options_of(*words).asked, "r.toml"))
    beside = ["--except", "note", "--drop", "age", "--sensitive", "a=b"]
    found = options_of("--recipe", "r.toml", *beside)
    assert (found.columns, found.exempt, found.drop) == (None, ["note"], ["age"])
    assert capsys.readouterr().err == (
        "atleastk: r.toml: what is given beside it replaces "
        'columns = ["age", "zip, code"]; drop = ["note"]\n'
    )


def test_two_folders_that_say_something_of_one_column(run, folders, done):
    Path("all/age.csv").write_text("31;*\n42;*\n")
    words = ("-k", 2, "--columns", "age", "--hierarchies", "all")
    done("anonymize", "people.csv", *words, "--save-recipe", "r.toml")
    beside = ("anonymize", "people.csv", "--recipe", "r.toml", "--hierarchies", ".")
    code, _, err = run(*beside)
    told = "all/age.csv and age.csv are both of age; say which: --hierarchies age=FILE"
    assert (code, err) == (2, f"atleastk: error: --hierarchies: {told}\n")
    assert run(*beside, "--hierarchies", "age=age.csv")[::2] == (0, "")


def test_paths_are_those_of_the_recipe(run, folders, tmp_path, monkeypatch, done):
    words = (
        *("-k", 2, "--except", 'note,"the ""sex"""', "--on", "entries", "--population"),
        *("people.csv", "--hierarchies", "age=age.csv", "--hierarchies", "all"),
        *("--hierarchies", "a=b=b.csv", "--weight", "a=b=2"),
    )
    out = done("anonymize", "people.csv", *words, "-o", "one.csv")
    assert "a=b   " in out
    done("anonymize", "people.csv", *words, "--save-recipe", "r.toml")
    document = tomllib.loads(Path("r.toml").read_text())
    assert document["hierarchies"] == ["age=age.csv", "all", "a=b=b.csv"]
    monkeypatch.chdir(tmp_path / "elsewhere")
    how = ("--recipe", "../of/r.toml", "-o", "two.csv")
    done("anonymize", "../of/people.csv", *how)
    assert Path("two.csv").read_bytes() == Path("../of/one.csv").read_bytes()
    done("anonymize ../of/people.csv", *how[:2], "--save-recipe", "s.toml")
    document = tomllib.loads(Path("s.toml").read_text())
    moved = ["age=../of/age.csv", "../of/all", "a=b=../of/b.csv"]
    assert document["hierarchies"] == moved
    assert document["population"] == "../of/people.csv"


def test_the_page_shows_the_line_that_repeats_it(run, done):
    words = ("-k", 2, "--except", "note", "--weight", "a=b=2", "--marker", "it's")
    run("anonymize", "people.csv", *words, "-o", "one.csv", "--report", "r.html")
    page = Path("r.html").read_text()
    assert f"The same again, with atleastk {__version__}" in page
    (line,) = re.findall(r"<code>(atleastk anonymize people.*?)</code>", page)
    line = html.unescape(line)
    before = Path("one.csv").read_bytes()
    Path("one.csv").unlink()
    done(*shlex.split(line)[1:])
    assert Path("one.csv").read_bytes() == before


def test_a_published_table_is_checked_by_its_recipe(done):
    """Of the wishes, those that say something of a table as it stands."""
    words = ("-k", 2, "--except", "note", "--hierarchies", "auto", "--shuffle")
    how = ("-o", "out.csv", "--save-recipe", "r.toml")
    done("anonymize", "people.csv", *words, *how)
    out = done("anonymize", "out.csv", "--check", "--recipe", "r.toml")
    assert "2-anonymous" in out


def test_a_published_table_is_not_read_as_the_original_was(done, denied):
    Path("titled.csv").write_text(f"People\n{PEOPLE}")
    words = ("-k", 2, "--except", "note", "--header", 2, "--encoding", "utf-8")
    how = ("-o", "out.csv", "--save-recipe", "r.toml")
    done("anonymize", "titled.csv", *words, *how)
    assert "header = 2" in Path("r.toml").read_text()
    out = done("anonymize", "out.csv", "--check", "--recipe", "r.toml")
    assert "2-anonymous" in out
    again = ("--check", "--recipe", "r.toml", "--header", 2)
    denied("anonymize", "titled.csv", *again)


def test_a_trade_off_passes_over_shuffling(run, refused):
    Path("r.toml").write_text('atleastk = "0.1.0"\ncolumns = ["age"]\nshuffle = true\n')
    code, out, err = run("tradeoff", "people.csv", "-k", "2", "--recipe", "r.toml")
    assert code == 0
    assert err == "atleastk: r.toml: has no part in this command: shuffle\n"
    assert out
    assert "says nothing of a trade-off" in refused(
        "tradeoff people.csv -k2 --columns age --shuffle"
    )


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_columns_that_a_recipe_drops_are_gone_when_it_checks(run, engine, done):
    words = ("-k", 2, "--columns", "age", "--hierarchies", "auto", "--drop", "note")
    how = ("--engine", engine, "-o", "out.csv", "--save-recipe", "r.toml")
    done("anonymize", "people.csv", *words, *how)
    again = ("--check", "--recipe", "r.toml", "--engine", engine)
    out = done("anonymize", "out.csv", *again)
    assert "2-anonymous" in out
    told = run("anonymize", "people.csv", *again)[2]
    assert 'people.csv: "note", to be dropped, is there' in told


def test_no_recipe_is_written_over(run, done, refused):
    words = ("anonymize", "people.csv", "--except", "note", "--save-recipe", "r.toml")
    for _ in range(2):  # the same again
        done(*words, "-k", 2)
    before = Path("r.toml").read_bytes()
    err = refused(*words, "-k", 3)
    assert err == (
        "atleastk: error: r.toml: holds something else than would be written; give "
        "--save-recipe another name, or delete the file\n"
    )
    told = "atleastk: error: r.toml: is the recipe; give another name\n"
    assert refused(*words, "-k", 2, "--recipe", "r.toml") == told
    assert Path("r.toml").read_bytes() == before
    refused(*words[:4], "-k2", "--save-recipe", "r.csv")


def test_a_recipe_of_another_version_that_says_nothing_new(run):
    Path("r.toml").write_text('atleastk = "0.0.9"\nk = 2\ncolumns = ["age"]\n')
    code, _, err = run("anonymize", "people.csv", "--recipe", "r.toml")
    assert code == 0
    what = "atleastk: r.toml: a recipe of atleastk 0.0.9"
    assert err == f"{what}; this is {__version__}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("k = 2\n", "is no recipe: it lacks the version"),
        ("k = \n", "is no recipe: Invalid value (at line 1"),
        ('atleastk = "9"\nq = 2\n', "q: no wish is called that (it is of 9, this "),
        ('atleastk = "9"\ncolums = ["a"]\n', 'did you mean "columns"?'),
        ('atleastk = "{}"\nk = "two"\n', 'k: expected an integer, got "two"'),
        ('atleastk = "{}"\nl = 0\n', "l: expected an integer of at least 1, got 0"),
        ('atleastk = "{}"\non = "rows"\n', "on: expected one of attributes, entr"),
        ('atleastk = "{}"\nambiguous = 1\n', "ambiguous: expected true or false"),
        ('atleastk = "{}"\nk = true\n', "k: expected a value, not true or false"),
        ('atleastk = "{}"\nk = 2020-01-01\n', "k: expected a text, a number, or"),
        ('atleastk = "{}"\noutput = "o.csv"\n', "output: no wish is called that"),
        ('atleastk = "{}"\ncolumns = ["age", "ages"]\n', 'no column is called "ages"'),
        ("\udcff", "r.toml:1: not a text in UTF-8"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_one_line(text, told, refused):
    Path("r.toml").write_bytes(
        text.replace("{}", __version__).encode("utf-8", "surrogateescape")
    )
    assert told in refused("anonymize", "people.csv", "-k2", "--recipe", "r.toml")


def test_help_reads_no_recipe(done):
    for word in ("-h", "--help", "--help-all"):
        assert "--recipe FILE" in done("anonymize", "--recipe", "no.toml", word)


def test_a_recipe_without_a_name(refused):
    assert "--recipe: expected one argument" in refused("anonymize people.csv --recipe")


def test_a_recipe_that_is_not_there(refused):
    told = "atleastk: error: no.toml: no such file; --save-recipe writes one\n"
    assert refused("anonymize people.csv --recipe no.toml") == told


def test_words_are_those_of_a_shell():
    words = [*words_of(Options, {"marker": ["-x"], "k": ["2"], "shuffle": ["7"]})]
    assert words == ["--marker=-x", "-k", "2", "--shuffle=7"]


def test_files_are_told_by_their_sha256(run):
    _, out, _ = run(
        *("anonymize", "people.csv", "-k2", "--except", "note", "-o", "out.csv"),
        *("--json", "--report", "r.json"),
    )
    found = json.loads(out)["files"]
    assert found == json.loads(Path("r.json").read_text())["files"]
    for role, name in (("table", "people.csv"), ("published", "out.csv")):
        sha256 = hashlib.sha256(Path(name).read_bytes()).hexdigest()
        assert found[role] == {"path": name, "sha256": sha256}
        for more in (("--json",), ()):
            told = run("anonymize", name, "--check", *more)[1]
            assert sha256 in told
        assert sha256 in run("inspect", name)[1]
