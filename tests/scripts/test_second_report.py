"""Reports on tables against a program that shares no line with them."""

import csv
import json
import random

import pytest

from atleastk.cli.main import main
from scripts import second_report

COLUMNS = ("age", "zip", "pay", "note", "born")
OTHERS = ("home", "ill", "weight", "id")
NOT_JUDGED = {"weighting.columns"}
"""Figures that are wishes."""
OF_GROUPS = {"cost", "sizes", "losses.shared", "least"}
"""Figures of groups that no table tells apart, if two have the same means."""


def anonymize(*words):
    return main(["anonymize", *map(str, words), "--workers", "1"])


def draw_table(rng, path):
    n = rng.randint(4, 40)
    notes = ["x" * 50, "yes, no", 'a "b"', "Ärger", ""]
    ages = [rng.randint(20, 20 + rng.choice([3, 40])) for _ in range(n)]
    if rng.random() < 0.3:
        ages.sort(reverse=rng.random() < 0.5)
    nobody = rng.randrange(n)
    rows = [
        {
            "age": age,
            "zip": rng.choice(["13053", "13068", "14850", "07001"]),
            "pay": rng.choice([0.1, 12.5, -3, 1e6, 7]),
            "note": rng.choice(notes[: rng.randint(1, 5)]),
            "born": rng.choice(["2001-02-03", "1999-12-31", "2001-02-28"]),
            "home": f"h{rng.randint(1, 6)}",
            "ill": rng.choice(["flu", "cold", "gout", ""]),
            "weight": rng.choice([1, 2.5, 10]),
            "id": "" if i == nobody else i,
        }
        for i, age in enumerate(ages)
    ]
    strangers = [dict(rng.choice(rows), id=n + i) for i in range(rng.randint(0, n))]
    for name, each in ((path, rows), (path.with_name("p.csv"), [*rows, *strangers])):
        with name.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [*COLUMNS, *OTHERS])
            writer.writeheader()
            writer.writerows(each)


def draw_wishes(rng):
    """Yield words of a command line that go together."""
    names = rng.sample(COLUMNS, rng.randint(1, 4))
    k = rng.randint(1, 5)
    yield from ("-k", str(k))
    kind = rng.choice(["cells", "limits", "attributes", "entries", "means", "match"])
    if kind == "means":
        yield from ("--average", "--columns", ",".join(rng.sample(["age", "pay"], 1)))
        return
    yield from ("--columns", ",".join(names), "--marker", "?")
    if kind == "match":
        yield "--ambiguous"
    if kind == "limits":
        yield from rng.choice(
            [
                ("--max-per-row", "2"),
                ("--minimise", "rows"),
                ("--minimise", "k", "--max-entries", "12"),
                ("--max-rows", "4", "--max-columns", "1"),
                ("--minimise", "per-column"),
                ("--intact", names[0]),
                ("--max-per-row", "1", "--weight", f"{names[0]}=3"),
                ("--intact", names[0], "--row-weight", "weight"),
                ("--max-per-row", "2", "--mean-risk", "0.3"),
            ]
        )
    if kind == "cells":
        yield from rng.choice(
            [
                (),
                ("--weight", f"{names[0]}=3"),
                ("--row-weight", "weight"),
                ("--row-weight", "weight", "--weight", f"{names[-1]}=2"),
                ("--sensitive", "ill", "--l", "2"),
                ("--sensitive", "ill,home"),
                ("--sensitive", "ill", "--t", "0.5"),
                ("--population", "p.csv"),
                ("--recode", "home=suppression"),
                ("--suppress-rows", "2", "--on", "entries"),
            ]
        )
    if rng.random() < 0.3:
        yield from ("--shuffle", "1")
    if kind in ("attributes", "entries"):
        yield from ("--hierarchies", rng.choice(["auto", "suppression"]), "--on", kind)
        losses = ["height", "precision"]
        more = [
            (),
            ("--weight", f"{names[0]}=2"),
            ("--sensitive", "ill", "--diversity", "frequency", "--l", "2"),
        ]
        if kind == "attributes":
            more += [
                ("--suppress-rows", "20%", "--mean-risk", "0.3"),
                ("--suppress-rows", "20%", "--level", f"{names[0]}=1", *more[-1]),
                ("--k-map", "3", "--population", "p.csv"),
            ]
            more[1:2] = [
                ("--suppress-rows", rng.choice(["10%", "3", "40%"])),
                ("--household", "home"),
                ("--mean-risk", "0.3", "--small", "4", "--at-risk", "0.5"),
            ]
        else:
            more += [
                ("--row-weight", "weight"),
                ("--suppress-rows", rng.choice(["10%", "3"])),
                ("--population", "p.csv"),
            ]
        asked = rng.choice(more)
        if kind == "attributes" and not {"--suppress-rows", "--mean-risk"} <= {*asked}:
            losses += ["discernibility", "average-class-size"]
        yield from ("--loss", rng.choice(losses), *asked)


def compared(folder, seed):
    """Return the words, and where the report is wrong and what is not judged.

    None without a published table.
    """
    rng = random.Random(seed)
    draw_table(rng, folder / "t.csv")
    words = list(draw_wishes(rng))
    chains = folder / "chains"
    chains.mkdir()
    levels = ["--write-hierarchies", chains] if "--hierarchies" in words else []
    everybody = folder / "p.csv" if "--population" in words else None
    words = [str(everybody) if word == "p.csv" else word for word in words]
    code = anonymize(
        *(folder / "t.csv", *words, *levels, "-o", folder / "o.csv"),
        *("--report", folder / "r.json", "--time-limit", "20"),
    )
    assert code in (0, 1), words
    if code:
        return words, [], []
    paths = folder / "t.csv", folder / "o.csv", folder / "r.json"
    marker = "?" if "--marker" in words else "*"
    folder = chains if levels else None
    return words, *second_report.compare(*paths, folder, marker, everybody)


def judge(folder, seed):
    words, wrong, left = compared(folder, seed)
    assert wrong == [], words
    parts = (place.rpartition(".") for place in left)
    places = {last if last == "least" else room or last for room, _, last in parts}
    unknown = OF_GROUPS if "--average" in words else NOT_JUDGED
    assert places <= unknown, (words, left)


@pytest.mark.parametrize("seed", range(12))
def test_every_figure_is_found_again(tmp_path, seed):
    judge(tmp_path, seed)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 500))
def test_every_figure_is_found_again_at_length(tmp_path, seed):
    judge(tmp_path, seed)


def draw_outliers(rng, path):
    """Draw classes of equal rows, and rows that only suppression hides."""
    many = rng.choice([3, 20, 60])
    zips = [f"01{rng.randrange(300):03}" for _ in range(many)]
    rows = [(rng.choice(zips), rng.choice("fm")) for _ in range(rng.randint(20, 60))]
    rows += [
        (rng.choice([*zips, f"0{rng.randrange(10**4):04}"]), f"x{i}")
        for i in range(rng.randint(3, 9))
    ]
    rng.shuffle(rows)
    lines = "".join(f"{zip_code},{sex}\n" for zip_code, sex in rows)
    path.write_text(f"zip,sex\n{lines}")


@pytest.mark.parametrize("seed", range(12))
def test_figures_are_found_again_though_rows_are_suppressed(tmp_path, seed):
    draw_outliers(random.Random(seed), tmp_path / "t.csv")
    paths = [tmp_path / name for name in ("t.csv", "o.csv", "r.json")]
    chains = tmp_path / "chains"
    chains.mkdir()
    words = ["-k", "3", "--hierarchies", "zip=prefix", "--intact", "sex"]
    words += ["--suppress-rows", "40%", "--write-hierarchies", chains]
    assert anonymize(paths[0], *words, "-o", paths[1], "--report", paths[2]) == 0
    document = json.loads(paths[2].read_text())
    assert document["generality"]["suppressed_rows"] >= 3
    assert second_report.compare(*paths, chains) == ([], [])
    unknown = second_report.compare(*paths)[1]
    assert any("shares" in place for place in unknown)
    shares = document["use"]["columns"]["zip"]["shares"]
    shares[0][1] -= 1
    paths[2].write_text(json.dumps(document))
    assert second_report.compare(*paths, chains)[0]


def changed_figures(document, place=()):
    """Yield the report with one figure changed, for every one that is judged."""
    parts = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in list(parts):
        if key in second_report.UNTOLD:
            continue
        if isinstance(value, dict | list):
            yield from changed_figures(value, (*place, key))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            document[key] = value + 1
            yield (*place, key)
            document[key] = value


@pytest.mark.parametrize(
    "words",
    [
        "-k 2 --columns age,zip --sensitive ill --l 2",
        "-k 3 --columns age,zip,pay --hierarchies auto --loss precision "
        "--suppress-rows 20%",
        "-k 2 --columns age,pay --row-weight weight",
        "-k 2 --columns age,zip --max-per-row 1",
        "-k 2 --columns age,zip --hierarchies auto --mean-risk 0.4",
        "-k 3 --columns age,pay --average",
        "-k 2 --columns age,zip --ambiguous",
    ],
)
def test_no_figure_can_be_changed_unseen(tmp_path, words):
    draw_table(random.Random(5), tmp_path / "t.csv")
    chains = tmp_path / "chains"
    chains.mkdir()
    levels = ["--write-hierarchies", chains] if "--hierarchies" in words else []
    paths = [tmp_path / name for name in ("t.csv", "o.csv", "r.json")]
    done = anonymize(
        *(paths[0], *words.split(), *levels, "-o", paths[1], "--report", paths[2])
    )
    assert done == 0
    document = json.loads(paths[2].read_text())
    count = 0
    for place in changed_figures(document):
        if place[:2] == ("weighting", "columns"):
            continue
        paths[2].write_text(json.dumps(document))
        wrong, _ = second_report.compare(*paths, chains if levels else None)
        assert wrong, place
        count += 1
    assert count > 15
    paths[2].write_text(json.dumps(document))
    paths[1].write_text(paths[1].read_text() + "\n")
    assert any("sha256" in line for line in second_report.compare(*paths)[0])


def test_rows_that_cannot_be_compared_are_told(tmp_path):
    draw_table(random.Random(3), tmp_path / "t.csv")
    paths = [tmp_path / name for name in ("t.csv", "o.csv", "r.json")]
    words = ["-k", "2", "--columns", "age,zip", "--shuffle", "1"]
    anonymize(paths[0], *words, "-o", paths[1], "--report", paths[2])
    assert second_report.compare(*paths) == ([], [])
    assert second_report.compare(*paths, key="id") == ([], [])
    with pytest.raises(ValueError, match="does not tell row 1 from row"):
        second_report.compare(*paths, key="ill")
    anonymize(*(*paths[:1], *words, "--drop-unlisted", "-o", paths[1]))
    with pytest.raises(ValueError, match="no column passed unchanged"):
        second_report.compare(*paths)


def test_a_row_that_was_never_there_is_told(tmp_path):
    before = second_report.Table(["id", "age"], [["1", "30"], ["2", "31"]])
    after = second_report.Table(["id", "age"], [["3", "30"]])
    with pytest.raises(ValueError, match="no row has 3"):
        second_report.matched(before, after, ["id"], ["age"])
