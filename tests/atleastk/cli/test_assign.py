"""``atleastk assign``: from tables to a table, a page and JSON."""

import json
import signal
from itertools import combinations

import pandas
import pytest

from atleastk.cli import table_command
from atleastk.cli.main import main
from atleastk.doors.assigning.assign import Assigned
from atleastk.frames.open_frame import read_frame

NAMES = ("name", "sex", "score")
ROWS = (("Ada", "f", 9), ("Ben", "m", 4), ("Cleo", "f", 6), ("Dan", "m", 8))
TABLE = "name,sex,score\nAda,f,9\nBen,m,4\nCleo,f,6\nDan,m,8\n"


@pytest.fixture
def folder(here):
    (here / "class.csv").write_text(TABLE)
    (here / "friends.csv").write_text("who,with,how much\nAda,Dan,2\nBen,Cleo,\n")
    (here / "huge.csv").write_text("who,with,how much\nAda,Dan,1e30\n")
    (here / "apart.csv").write_text("one,other\nAda,Cleo\n")
    rows = ["far,Ada,Ben,Cleo,Dan", "Ada,0,1,9,9", "Ben,1,0,9,9"]
    rows += ["Cleo,9,9,0,2", "Dan,9,9,2,0"]
    (here / "far.csv").write_text("\n".join(rows))
    return here


def test_a_table_comes_back_with_groups(folder, done):
    words = "assign class.csv --name name --size 2 --with sex:1 --friends friends.csv "
    words += "--apart apart.csv --balance score --weight friends=3 -o teams.csv"
    assert "2 of 2 wishes kept, 3 of 3 by weight" in done(
        *words.split(), "--report", "page.html"
    )
    assert (folder / "teams.csv").read_text() == (
        "name,sex,score,group\nAda,f,9,1\nBen,m,4,2\nCleo,f,6,2\nDan,m,8,1\n"
    )
    assert "Who is where" in (folder / "page.html").read_text()


@pytest.mark.parametrize("source", ["class.csv", "class.xlsx", "class.parquet"])
@pytest.mark.parametrize("end", ["csv", "tsv", "xlsx", "parquet", "arrow"])
def test_groups_are_written_in_the_format_of_the_name(folder, source, end, done):
    """Numbers of a sheet stay numbers in another one."""
    rows = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    if source.endswith("xlsx"):
        pandas.DataFrame(rows).to_excel(source, index=False)
    if source.endswith("parquet"):
        pandas.DataFrame(rows).to_parquet(source, index=False)
    out = folder / f"teams.{end}"
    done("assign", source, "--size", "2", "--with", "sex:1", "-o", out)
    made = read_frame(out)
    assert list(made.names) == [*NAMES, "group"]
    scores = [made.column("score").values[c] for c in made.column("score").codes]
    told = [row[2] for row in ROWS]
    typed = source != "class.csv" and end not in ("csv", "tsv")
    assert scores == (told if typed else list(map(str, told)))
    groups = [str(made.column("group").values[c]) for c in made.column("group").codes]
    assert sorted(groups) == ["1", "1", "2", "2"]


def test_distances_come_as_a_matrix(folder, done):
    words = "assign class.csv --size 2..3 --distances far.csv --json"
    found = json.loads(done(words))
    assert found["group"] == [1, 1, 2, 2]
    assert found["cost"] == found["bound"] == 3.0


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--size 2 -o class.csv", "is the original table"),
        ("--size 2 -o x.dta", ".csv, .tsv, .txt, .xlsx, .parquet, .arrow, .feather\n"),
        ("--size 2 --with sex", "expected COLUMN:LOW..HIGH"),
        ("--size 3..2", "expected a least number and a most one"),
        (
            "--size 2 --friends friends.csv",
            'no row is called "Ada" as rows are called 1, 2, ...; say name (--name',
        ),
        ("--size 2 --balance score --weight balance=x", "number of at least 0, got x"),
        ("--size 2 --name name --friends huge.csv", "cost more than 2**60 in all"),
        ("--size 2 --distances huge.csv", "expected numbers in 4 rows and 4 columns"),
        ("--size 2 --metric euclidean", "metric: of which places? give near, too"),
        ("--size 2 --weight balance=2", "weights: balance is not asked for"),
        ("", "size: give the rows of a group, or groups"),
        ("--groups 2 --name name --friends name,with", 'no column is called "with"'),
        ("--groups 2 --name name --friends with", "with: no such file"),
        (f"--groups 2 --apart name{',name' * 99}", 'columns: "name" twice'),
    ],
)
def test_what_is_wrong_is_said_on_one_line(folder, refused, words, error):
    assert error in refused(f"assign class.csv {words}")


@pytest.mark.parametrize(
    ("near", "error"),
    [
        ("x", "near: all pairs cost more than 2**60 in all; take larger units"),
        ("lat,lon", 'near: column "lat", row 2: expected degrees from -90 to 90, got'),
    ],
)
def test_places_that_are_nowhere_are_told(folder, refused, near, error):
    (folder / "p.csv").write_text("lat,lon,x\n10,20,1e25\n-100,30,5\n1,1,6\n1,2,7\n")
    assert error in refused("assign", "p.csv", "--size", "2", "--near", near)


def test_a_signal_waits_until_all_is_written(folder, run, monkeypatch):
    drawn = Assigned.to_html

    def late(made, name):
        signal.raise_signal(signal.SIGTERM)
        return drawn(made, name)

    monkeypatch.setattr(Assigned, "to_html", late)
    words = "assign class.csv --size 2 -o teams.csv --report page.html"
    code, said, _ = run(words)
    assert code == 128 + signal.SIGTERM
    assert "  written     teams.csv, page.html\n" in said
    assert (folder / "page.html").exists()


def test_a_column_of_that_name_is_not_doubled(folder, refused):
    (folder / "class.csv").write_text("group\n1\n2\n")
    assert 'there is a column "group" already' in refused(
        "assign class.csv --size 1 -o out.csv"
    )


@pytest.fixture
def plot(folder, monkeypatch):
    """Return what assigns rows in pairs, and gives the axes that they are drawn on."""
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(table_command, "save", lambda ax, path: drawn.append(ax))

    def pairs(table, *words):
        assert main(["assign", table, "--size", "2", *words, "--plot", "map.png"]) == 0
        return drawn[-1]

    return pairs


def test_names_do_not_cover_each_other(folder, plot):
    clubs = "club,x,y\nUnited,0,0\nCity,0.001,0.0\nRovers,8,8\nWanderers,8.001,8\n"
    (folder / "clubs.csv").write_text(clubs)
    axes = plot("clubs.csv", "--name", "club", "--near", "x,y")
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent().padded(-2) for text in axes.texts]
    assert len(boxes) == 4
    assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))


def test_teams_are_drawn_where_they_are(folder, plot):
    """East is right and north is up, with names beside them."""
    clubs = "club,lat,lon\nA,48,10\nB,48.1,10.1\nC,50,8\nD,50.1,8.1\n"
    (folder / "clubs.csv").write_text(clubs)
    axes = plot("clubs.csv", "--name", "club", "--near", "lat,lon")
    names = {text.get_text(): text.xy for text in axes.texts}
    assert names == {"A": (10, 48), "B": (10.1, 48.1), "C": (8, 50), "D": (8.1, 50.1)}
    dots = [dot.tolist() for c in axes.collections for dot in c.get_offsets()]
    assert sorted(dots) == sorted(map(list, names.values()))
    title = "4 rows, groups of 2: optimal (certified), cost 26.59"
    assert axes.get_title(loc="left") == title
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("lon", "lat")
    assert axes.get_xlim()[1] - axes.get_xlim()[0] < 2.5  # as the clubs are
    assert {text.get_ha() for text in axes.texts} == {"center"}
    axes = plot("class.csv", "--name", "name")
    assert [text.get_text() for text in axes.texts] == ["Ada", "Ben", "Cleo", "Dan"]


def test_groups_have_figures_of_their_own(folder, done):
    (folder / "friends.csv").write_text("who,with\nAda,Dan\nBen,Cleo\nCleo,Dan\n")
    words = "assign class.csv --name name --size 2 --with sex:1 --apart apart.csv "
    words += "--friends friends.csv --balance score --weight friends=9 --report p.html"
    said = done(words)
    assert "friends     2 of 3 wishes kept; by chance 1\n" in said
    assert "no wish     kept of 1: Cleo\n" in said
    shown = [line.split() for line in said.splitlines()]
    assert ["1", "2", "1", "1", "1", "8.5"] in shown
    assert ["2", "2", "1", "1", "1", "5"] in shown
    page = (folder / "p.html").read_text()
    assert "mean score" in page
    assert "wishes kept" in page
    assert "kept of 1: Cleo" in page


def test_wishes_are_lines_between_rings(folder, plot):
    (folder / "friends.csv").write_text("who,with\nAda,Dan\nBen,Cleo\nCleo,Dan\n")
    (folder / "foes.csv").write_text("who,with\nAda,Dan\nAda,Cleo\n")
    words = "--name name --friends friends.csv --balance score"
    words += " --avoid foes.csv --weight friends=50 --json"
    ax = plot("class.csv", *words.split())
    thick = [line.get_linewidth() for line in ax.lines]
    assert thick == [1.4, 1.4, 0.4, 0.4]  # Cleo is not with Dan, but Ada is
    assert len(ax.patches) == 2
    assert ax.get_title(loc="left").endswith("cost -92.36")  # -100 + 1 + 6.64
