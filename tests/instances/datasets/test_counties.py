import gzip

import networkx as nx
import pytest

from atleastk.instances.datasets.borders import islands
from atleastk.instances.datasets.counties import (
    connected_partition_from_tables,
    sample_counties,
    table_of,
)
from atleastk.instances.fields.errors import InvalidInstanceError

NODES = """state,fips,name,population,lon,lat
AA,01,Here,5,-86.5,32.25
AA,02,There,0,-87.5,32.5
BB,03,Far,7,-88.5,33
BB,04,"Off, shore",9,-89.5,34
"""
EDGES = """state,fips_u,fips_v
AA,01,02
AA,02,01
AA,02,03
"""


@pytest.fixture
def tables(tmp_path):
    def write(nodes=NODES, edges=EDGES):
        paths = tmp_path / "nodes.csv", tmp_path / "edges.csv"
        for path, text in zip(paths, (nodes, edges), strict=True):
            path.write_text(text, encoding="utf-8")
        return paths

    return write


def test_tables_are_read(tables):
    instance = connected_partition_from_tables(*tables(), 6)
    assert (instance.weights, instance.edges) == ((5, 0, 7, 9), ((0, 1), (1, 2)))
    assert instance.labels == ("Here", "There", "Far", "Off, shore")
    assert instance.positions[0] == (-86.5, 32.25)
    assert (instance.k, instance.name) == (6, "nodes.csv")


def test_regions_that_all_weigh_one(tables):
    paths = tables()
    found = connected_partition_from_tables(*paths, 2, weight=None)
    assert found.weights == (1, 1, 1, 1)
    paths = tables(NODES.replace("population", "weight"))
    assert connected_partition_from_tables(*paths, 2).weights == (5, 0, 7, 9)


def test_a_state_is_chosen(tables):
    instance = connected_partition_from_tables(*tables(), 6, state="BB")
    assert (instance.weights, instance.edges, instance.name) == ((7, 9), (), "BB")
    assert "2 pieces" in instance.comment
    assert "Off, shore" in instance.comment
    instance = connected_partition_from_tables(*tables(), 6, state="AA")
    assert instance.edges == ((0, 1),)
    assert instance.comment is None


def test_columns_of_other_names(tables):
    paths = tables("zip,people\n7,3\n8,4\n", "zip_u,zip_v\n7,8\n")
    instance = connected_partition_from_tables(*paths, 2, code="zip", weight="people")
    assert (instance.weights, instance.labels) == ((3, 4), ("7", "8"))
    assert instance.positions is None
    assert instance.edges == ((0, 1),)
    assert table_of(paths[0]) == (
        ["zip", "people"],
        [{"zip": "7", "people": "3"}, {"zip": "8", "people": "4"}],
    )
    tracts = NODES.replace("fips", "geoid"), EDGES.replace("fips", "geoid")
    assert connected_partition_from_tables(*tables(*tracts), 6).n == 4


def test_compressed_tables(tables):
    paths = tables()
    expected = connected_partition_from_tables(*paths, 6)
    for path in paths:
        path.write_bytes(gzip.compress(path.read_bytes()))
    assert connected_partition_from_tables(*paths, 6) == expected


def test_no_rows(tables):
    headers = NODES.splitlines()[0], EDGES.splitlines()[0]
    assert connected_partition_from_tables(*tables(*headers), 6).n == 0


@pytest.mark.parametrize(
    ("nodes", "edges", "state", "message"),
    [
        ("", EDGES, None, "the file is empty"),
        (
            NODES.replace("population", "pop"),
            EDGES,
            None,
            'no column "weight" or "population"; there are state',
        ),
        (
            NODES.replace("lon", "weight"),
            EDGES,
            None,
            "weight and population are both there",
        ),
        (
            NODES.replace("population", "people"),
            EDGES,
            None,
            '"population"; there are state, f',
        ),
        (NODES, EDGES, "CC", "nodes.csv: state: no 'CC'; there are AA, BB"),
        (NODES.replace("state", "region"), EDGES, "AA", 'no column "state"'),
        (NODES, EDGES.replace("_v", ""), None, 'edges.csv: no column "fips_v"'),
        (NODES, EDGES + "BB,03,99\n", None, "line 5: fips_v: no node has .* '99'"),
        (NODES, EDGES + "BB,03,\n", None, "line 5: fips_v: no node has the code ''"),
        (NODES, EDGES + "BB,03\n", None, "edges.csv:5: 2 cells where the header has 3"),
        (NODES, EDGES + 'BB,03,"04\n', None, "edges.csv:5: broken CSV"),
        (NODES, EDGES.replace("_v", "_u"), None, 'edges.csv:1: two .* "fips_u"'),
        (
            NODES + "BB,05,E,,0,0\nBB,06,F,,0,0\n",
            EDGES,
            None,
            "got '' for E; 2 regions are like that; fill it in",
        ),
        (NODES + "BB,05,E,3.5,0,0\n", EDGES, None, "'3.5' for E; take a smaller unit"),
        (NODES.replace("fips", "key"), EDGES, None, "say which .* by --code NAME"),
        (NODES, EDGES.replace("_u", ""), None, "in fips_u and fips_v, or in the only"),
        (NODES, EDGES + "BB,03,03\n", None, "line 5: 03 cannot be its own neighbour"),
        (NODES + "BB,04,Twice,1,0,0\n", EDGES, None, "line 6: fips: '04' occurs twice"),
        (NODES + "BB,,None,1,0,0\n", EDGES, None, "line 6: fips: missing"),
        (NODES + "BB,05,X,-1,0,0\n", EDGES, None, "line 6: population: .* got '-1'"),
        (NODES + "BB,05,X,1.5,0,0\n", EDGES, None, "line 6: population: .* got '1.5'"),
        (NODES + "BB,05,X,,0,0\n", EDGES, None, "line 6: population: .* got ''"),
        (NODES + f"BB,05,X,{'9' * 5000},0,0\n", EDGES, None, "population: .* got '99"),
        (NODES + f"BB,05,X,{2**63},0,0\n", EDGES, None, "nodes.csv: weights: they add"),
        (NODES + "BB,05\n", EDGES, None, "nodes.csv:6: 2 cells where the header has 6"),
        (NODES + "BB,05,X,1,east,0\n", EDGES, None, "line 6: lon: .* got 'east'"),
        (NODES + "BB,05,X,1,nan,0\n", EDGES, None, "line 6: lon: .* got 'nan'"),
    ],
)
def test_bad_tables_are_refused(tables, nodes, edges, state, message):
    with pytest.raises(InvalidInstanceError, match=message) as error:
        connected_partition_from_tables(*tables(nodes, edges), 6, state=state)
    assert "\n" not in str(error.value)
    assert ".csv:" in str(error.value)


def test_a_missing_file_is_named(tables):
    nodes, edges = tables()
    edges.unlink()
    with pytest.raises(InvalidInstanceError, match=r"edges\.csv"):
        connected_partition_from_tables(nodes, edges, 6)


def test_mississippi():
    instance = sample_counties(100_000)
    assert (instance.n, len(instance.edges), instance.total) == (82, 202, 2_961_279)
    assert nx.is_connected(instance.graph)
    assert nx.check_planarity(instance.graph)[0]
    hinds, rankin = map(instance.labels.index, ("Hinds", "Rankin"))
    assert instance.weights[hinds] == max(instance.weights) == 227_742
    assert rankin in instance.neighbours[hinds]


def test_islands():
    assert islands(0, [], None) is None
    assert islands(3, [(0, 1), (1, 2)], None) is None
    assert islands(4, [(1, 2)], "abcd") == (
        "3 pieces without a border between them; not joined to the largest: a, d"
    )
    assert islands(9, [(0, 8)], None).endswith("largest: 1, 2, 3, 4, 5 and 2 more")


@pytest.mark.parametrize("between", [";", "\t", "|"])
def test_two_columns_of_any_names_are_pairs(tmp_path, between):
    """As spreadsheets of other countries write them."""
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text("AGS,weight\na,3\nb,4\n".replace(",", between), encoding="utf-8")
    edges.write_text("from,to\nb,a\n".replace(",", between), encoding="utf-8")
    found = connected_partition_from_tables(nodes, edges, 3, code="AGS")
    assert (found.weights, found.neighbours) == ((3, 4), ((1,), (0,)))
