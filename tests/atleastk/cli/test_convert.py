import json

import pytest
from map_files import write_geopackage, write_shapefile

import atleastk

TSP = """\
NAME : square
TYPE : TSP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0.0 0.0
2 0 10
3 10.5 0
4 1e1 10
EOF
"""
VRP = TSP.replace("EOF\n", "DEMAND_SECTION\n1 0\n2 7\n3 1\n4 2\nDEPOT_SECTION\n1\n-1\n")
EXPLICIT = """\
NAME: three
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2
1 0
3 2 3 0
EOF
"""
DIMACS = "c a path\np edge 3 3\nn 2 5\ne 1 2\ne 2 1\ne 2 3\n"
OR_LIBRARY = "2\n u1\n 150 3 2\n42\n69\n67\n u2\n 100 2 1\n49.0\n50\n"
BPPLIB = "3\n150\n42\n69\n67\n"
CSV = "name,size\na,3\nb, 4\n"


@pytest.fixture
def convert(run, tmp_path):
    def call(name, text, problem, *words):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        code, out, err = run("convert", problem, path, *words)
        return code, [json.loads(line) for line in out.splitlines()], err

    return call


FILES = {
    "square.tsp": TSP,
    "streets.tsp": TSP.replace("EUC", "MAN"),
    "three.tsp": EXPLICIT,
    "square.vrp": VRP,
    "path.col": DIMACS,
    "sizes.bpp": BPPLIB,
    "sizes.csv": CSV,
}
SQUARE = {"points": [[0, 0], [0, 100], [105, 0], [100, 100]], "metric": "euclidean"}
CUSTOMERS = [[0, 0, 0], [0, 10, 7], [10.5, 0, 1], [10, 10, 2]]
GRAPH = {"weights": [1, 5, 1], "edges": [[0, 1], [1, 2]]}


@pytest.mark.parametrize(
    ("name", "words", "fields"),
    [
        ("square.tsp", "r-gather -k 2", {**SQUARE, "r": 2, "name": "square"}),
        ("square.tsp", "r-gather -k 2", {"comment": "coordinates times 10"}),
        ("streets.tsp", "cellular-clustering -k 2", {"metric": "manhattan", "r": 2}),
        ("streets.tsp", "cellular-clustering -k 2", {"scale": 1}),
        (
            "three.tsp",
            "r-gather -k 2",
            {"distances": [[0, 1, 2], [1, 0, 3], [2, 3, 0]]},
        ),
        ("square.vrp", "rectangle-tiling -k 3", {"points": CUSTOMERS, "k": 3}),
        ("path.col", "connected-partition -k 2", {**GRAPH, "k": 2}),
        ("sizes.bpp", "bin-covering", {"sizes": [42, 69, 67], "k": 150}),
        ("sizes.bpp", "bin-covering", {"name": "sizes.bpp"}),
        (
            "sizes.csv",
            "interval-covering --column size -k 3",
            {"sizes": [3, 4], "k": 3},
        ),
    ],
)
def test_instances(convert, name, words, fields):
    problem, *options = words.split()
    code, (document,), err = convert(name, FILES[name], problem, *options)
    assert (code, err) == (0, "")
    assert {key: document[key] for key in fields} == fields
    assert document["source"] == f"converted from {name}"
    assert atleastk.from_dict(document).problem == problem


def test_a_file_of_several(convert, run, tmp_path):
    """The OR-Library keeps twenty problems in a file."""
    words = ("bin-covering", "--from", "or-library")
    code, documents, _ = convert("binpack1.txt", OR_LIBRARY, *words)
    assert code == 0
    assert [(d["name"], d["k"], d["sizes"]) for d in documents] == [
        ("u1", 150, [42, 69, 67]),
        ("u2", 100, [49, 50]),
    ]
    path, out = tmp_path / "binpack1.txt", tmp_path / "bins.jsonl"
    assert run("convert", *words[:1], path, *words[1:], "-o", out) == (0, "", "")
    assert [one.k for one in atleastk.load_all(out)] == [150, 100]


MAP = "connected-partition"


@pytest.mark.parametrize(
    ("name", "text", "problem", "told"),
    [
        ("x.tsp", TSP.replace("3 10.5", "7 10.5"), "r-gather", ":8: expected 3 and 2"),
        ("x.tsp", TSP.replace("10.5", "ten"), "r-gather", ":8: expected a number, got"),
        ("x.tsp", TSP.replace("4\n", "5\n", 1), "r-gather", "has 4 nodes, DIMENSION"),
        ("x.tsp", TSP.replace("EUC_2D", "GEO"), "r-gather", "GEO is not read; EUC_2D"),
        ("x.tsp", "1 2 3\n", "r-gather", ":1: expected KEY : VALUE, or a section"),
        ("x.tsp", "NAME: x\n", "r-gather", "EDGE_WEIGHT_TYPE is missing in the head"),
        ("x.tsp", EXPLICIT.replace(" 3 0", ""), "r-gather", "7 distances are no 3 x 3"),
        (
            "x.tsp",
            EXPLICIT.replace("FULL_MATRIX", "UPPER_ROW"),
            "r-gather",
            "UPPER_ROW is not read; FULL_MATRIX is",
        ),
        ("x.col", "e 1 2\n", MAP, ":1: expected p edge N M once"),
        ("x.col", "", MAP, "no line p edge N M"),
        ("x.col", "p edge 2 1\ne 1 3\n", MAP, ":2: expected a node 1..2"),
        ("x.col", "p edge 2 1\nn 1 x\n", MAP, ":2: expected a number"),
        ("x.col", "p edge 1e9 1\n", MAP, ":1: expected a whole number"),
        ("x.col", "p edge 999999999 1\n", MAP, ":1: expected 1..1000"),
        ("x.bpp", "3\n150\n42\n", "bin-covering", "1 sizes, the first line says 3"),
        ("x.bpp", "3 4\n", "bin-covering", ":1: expected one number, got 2"),
        ("x.bpp", "", "bin-covering", "the file ends too early"),
        ("x.csv", CSV, "bin-covering", "which column has the sizes? there are name"),
        ("x.csv", "size\n1.5\n", "bin-covering", ":2: expected a whole number"),
        ("x.bpp", "1\n5\n0\n", "bin-covering", "sizes[0]: expected an integer of at"),
        ("x.txt", BPPLIB, "bin-covering", "which format is it? say --from bpplib"),
        ("x.tsp", TSP, "bin-covering", "is not made of tsplib files; those it takes"),
        ("x.tsp", TSP, "k-anonymity", "those it takes: none"),
    ],
)
def test_errors_are_one_line(convert, name, text, problem, told):
    code, documents, err = convert(name, text, problem, "-k", "2")
    assert (code, documents) == (2, [])
    assert told in err
    assert err.count("\n") == 1


def test_k_is_asked_for(convert):
    code, _, err = convert("x.csv", CSV, "bin-covering", "--column", "size")
    assert code == 2
    assert "-k: what does a group have to reach? the file does not say" in err
    code, _, err = convert("x.bpp", BPPLIB, "bin-covering", "--column", "size")
    assert (code, "bpplib files have none: leave out --column" in err) == (2, True)


def test_an_or_library_file_that_ends_too_early(convert):
    words = ("bin-covering", "--from", "or-library")
    for text in ("2\nu1\n150 3 2\n42\n", "1\nu1\n150\n", "0\nu1\n", ""):
        code, documents, err = convert("x.txt", text, *words)
        assert (code, documents) == (2, [])
        assert "x.txt" in err


@pytest.mark.parametrize("write", [write_shapefile, write_geopackage])
def test_maps(write, tmp_path, done, refused):
    path = write(tmp_path / f"map.{'shp' if write is write_shapefile else 'gpkg'}")
    words = ("convert", "connected-partition", path, "-k", 7, "--column", "people")
    out = done(*words)
    document = json.loads(out)
    assert document["weights"] == [3, 4, 3, 4]
    assert document["edges"] == [[0, 1], [1, 2], [2, 3]]
    assert document["source"] == f"converted from {path.name}"
    refused("convert", "connected-partition", path, "-k", 7)
