import gzip
import json
from itertools import pairwise

import pytest

import atleastk
from atleastk.instances.datasets.adult import COLUMNS
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import MINIMISATIONS
from scripts.studies import datasets

LIMITS = {
    "rows": 7,
    "columns": 3,
    "entries": 20,
    "per_row": 4,
    "per_column": 6,
    "rows beside columns": 4,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    table = [COLUMNS, *((f"{20 + i}", *"bcdefgh", f"{i % 3}") for i in range(9))]
    nodes, edges = ["state,fips,name,population,lon,lat"], ["state,fips_u,fips_v"]
    for state, n in {"AA": 6, "BB": 3, "CC": 40}.items():
        codes = [f"{state}{i:03}" for i in range(n)]
        nodes += [
            f"{state},{code},{code},{10 + i},{i},0" for i, code in enumerate(codes)
        ]
        joined = codes[: n - (state == "AA")]
        edges += [f"{state},{u},{v}" for u, v in pairwise(joined)]
    written = {"adult/adult_qi9": [",".join(row) for row in table]}
    for of, kind in (("us_counties", "county"), ("us_tracts", "tract")):
        written[f"{of}/{kind}_nodes_2010"] = nodes
        written[f"{of}/{kind}_edges_2010"] = edges
    for name, lines in written.items():
        path = tmp_path / f"{name}.csv.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress("\n".join(lines).encode()))
    datasets.adult_rows.cache_clear()
    monkeypatch.setenv(datasets.DATA, str(tmp_path))
    yield tmp_path
    datasets.adult_rows.cache_clear()


@pytest.fixture
def without(monkeypatch):
    monkeypatch.delenv(datasets.DATA, raising=False)


def test_rows_of_a_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("name,age\na,39\nb,9\n", encoding="utf-8")
    assert datasets.read_rows(path) == [("a", "39"), ("b", "9")]
    assert datasets.read_rows(path, ["age"]) == [("39",), ("9",)]
    assert datasets.read_rows(path, 1) == [("a",), ("b",)]


def test_tables_of_a_folder(folder):
    whole = datasets.adult_table(0, 8, 2, decades=False)
    assert (whole.n, whole.m, whole.table[3][0]) == (9, 8, "23")
    named = datasets.adult_table(0, ["sex", "age"], 2, decades=True)
    assert (named.columns, named.table[3]) == (("sex", "age"), ("g", "20"))
    some = [datasets.adult_table(seed, 8, 2, False, n=4) for seed in (1, 2, 1)]
    assert some[0] == some[2] != some[1]
    assert set(some[0].table) < set(whole.table)


def test_tables_without_a_folder(without):
    made = datasets.adult_labels(0, "attributes", "height", 5)
    assert (made.n, made.m, made.name) == (1000, 8, "Adult")
    assert datasets.adult_labels(3, "entries", "precision", 5, n=50).n == 50
    assert datasets.published(0, "Letter", 8, 2) is None


@pytest.mark.parametrize(
    ("make", "kind"), [(datasets.county_map, "county"), (datasets.tract_map, "tract")]
)
def test_states_have_a_part_per_node_at_most(folder, make, kind):
    maps = [make(seed, parts) for seed in range(4) for parts in (4, 8, "half")]
    island = ", an island below k: infeasible"
    assert [made.name for made in maps if made is not None] == [
        f"AA, {kind}, P=4{island}",
        f"AA, {kind}, P=3{island}",
        f"BB, {kind}, P=1",
        f"CC, {kind}, P=4",
        f"CC, {kind}, P=8",
        f"CC, {kind}, P=20",
    ]
    assert maps[8].k == maps[8].total // 20


def test_without_a_folder_there_is_mississippi(without):
    made = datasets.county_map(0, 8)
    assert (made.name, made.n) == ("MS, P=8", 82)
    assert datasets.county_map(1, 8) is None
    assert datasets.tract_map(0, 8) is None


def test_every_minimisation_gets_its_limits(without, monkeypatch):
    monkeypatch.setattr(datasets, "_binding_limits", lambda rows, k: LIMITS)
    made = {}
    for seed in range(len(MINIMISATIONS)):
        instance = datasets.minimisation(seed, 2, decades=False, n=10)
        made[instance.name] = instance
    assert made.keys() == MINIMISATIONS.keys()
    assert dict(made["r-MIN-e-SUP"].limits) == {"rows": 7}
    assert dict(made["r-c-MIN-e-SUP"].limits) == {"rows": 4, "columns": 2}
    assert dict(made["r-e-MIN-c-SUP"].limits) == {"rows": 4, "entries": 20}
    assert made["MIN-c'-PART"].column_order == datasets.IMPORTANCE
    assert made["MIN-r'-PART"].row_order == (tuple(range(5)), tuple(range(5, 10)))


def test_the_farthest_neighbour():
    table = [(0, 0, 0), (0, 0, 1), (1, 1, 1)]
    assert datasets._farthest(Suppression(table, 2)) == 2
    assert datasets._farthest(Suppression(table, 3)) == 3


def test_published_graphs_are_read_one_by_one(tmp_path, monkeypatch):
    graph = {"nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]], "costs": [3, 1, 2]}
    asked = {"name": "path", "groups": 2, "at_least": 2}
    (tmp_path / "connected_min_size").mkdir()
    (tmp_path / "connected_min_size/path.json").write_text(json.dumps(graph | asked))
    monkeypatch.setenv(datasets.DATA, str(tmp_path))
    assert atleastk.solve(datasets.published_graph(0)).cost == 5
    assert datasets.published_graph(1) is None
