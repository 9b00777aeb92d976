import random
import statistics
from dataclasses import replace
from itertools import combinations, islice

import networkx as nx
import numpy as np
import pytest

import atleastk
from atleastk import ConnectedPartition, InvalidInstanceError
from atleastk.doors.partitioning import page, partition
from atleastk.doors.partitioning.alike import bound_in, cost_in
from atleastk.doors.partitioning.partition import MapRequest, is_polygons
from atleastk.instances.datasets import maps
from atleastk.instances.datasets.counties import sample_counties
from atleastk.instances.datasets.map_files import read_map_file
from atleastk.solvers.brute_force.bin_covering import partitions


def test_polygons(squares):
    made = atleastk.partition(squares, 7, weight="people", name="called")
    assert (made.part, made.weights) == ((1, 1, 2, 2), [7, 7])
    assert made.instance.labels == ("r0", "r1", "r2", "r3")
    assert "  heaviest    7" in str(made)
    assert "planar, 1 component, connectivity 1" in str(made)


def test_a_number_of_parts(squares):
    assert MapRequest(parts=3, weight="people").read(squares).instance.k == 4
    assert MapRequest(parts=99, weight="people").read(squares).instance.k == 1


def test_a_graph():
    assert atleastk.partition(nx.path_graph(6), 3).part == (1, 1, 1, 2, 2, 2)


def test_weights_of_a_graph():
    graph = nx.path_graph(6)
    nx.set_node_attributes(graph, {node: 5 + node for node in graph}, "weight")
    assert atleastk.partition(graph, 10).weights == [18, 17, 10]
    with pytest.raises(InvalidInstanceError, match='"wieght"; did you mean "weight"'):
        atleastk.partition(graph, 10, weight="wieght")
    assert atleastk.partition(graph, 3, weight=None).weights == [3, 3]
    nx.set_node_attributes(graph, "r", "called")
    assert atleastk.partition(graph, 10, name="called").instance.labels[0] == "r"
    with pytest.raises(InvalidInstanceError, match='graph: node 0: no attribute "nam"'):
        atleastk.partition(graph, 10, name="nam")


def test_another_number_of_parts_is_told():
    """Four parts of 7 cannot be connected, as 1 + 1 + 26 shows."""
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: 1, 1: 26, 2: 1}, "weight")
    made = atleastk.partition(graph, parts=4)
    assert (made.instance.k, made.weights, made.asked) == (7, [28], 4)
    assert made.to_dict()["asked"] == 4
    assert "  parts       1, where 4 were asked for: they set k, no more; try" in str(
        made
    )
    assert "  parts       1\n" in str(atleastk.partition(graph, parts=1))
    assert "  parts       1\n" in str(atleastk.partition(graph, 7))


def test_a_number_of_parts_within_a_share():
    """Eight of an eighth would have to weigh the same to the last inhabitant."""
    counties = sample_counties(1)
    exact = MapRequest(parts=8).read(counties).instance
    lower = MapRequest(parts=8, within=0.05).read(counties).instance
    assert MapRequest(parts=8, within=0).read(counties).instance.k == exact.k
    alike = {"alike": ["population"], "parts": 8}
    assert MapRequest(**alike, within=0).read(counties).instance.k == exact.k
    assert MapRequest(**alike).read(counties).instance.k == 1
    assert exact.k == counties.total // 8
    assert lower.k == -(-counties.total * 95 // 800)
    told = page.parts(exact, 7, 8)
    assert told.endswith(f"--maximise lightest for 8, --within 5%, or -k {lower.k}")
    assert "--within 10%, " in page.parts(lower, 7, 8)
    assert "--within 2%, " in page.parts(lower, 9, 8)


def test_parts_are_split_if_none_gets_heavier():
    """The heavy node is the cost; the light ones could be one part, or three."""
    graph = nx.path_graph(7)
    nx.set_node_attributes(graph, dict.fromkeys(graph, 2) | {0: 9}, "weight")
    made = atleastk.partition(graph, 4, time_limit=60)
    assert (made.result.status, made.weights) == ("OPTIMAL", [9, 4, 4, 4])
    assert "  heaviest    9: one region, 0, which cannot be split\n" in str(made)


def test_as_many_parts_as_possible():
    """A star has one: its leaves hang together by its centre only."""
    graph = nx.star_graph(4)
    nx.set_node_attributes(graph, dict.fromkeys(graph, 3) | {0: 40}, "weight")
    made = atleastk.partition(graph, 4, maximise="parts")
    assert (made.weights, made.most) == ([52], 1)
    assert made.standing == ("OPTIMAL", "proved")
    assert "as many as possible: optimal (proved)\n  parts       1\n" in str(made)
    made = atleastk.partition(graph, 3, maximise="parts")
    assert (sorted(made.weights), made.to_dict()["most"]) == ([3, 3, 3, 3, 40], 5)
    assert made.standing == ("OPTIMAL", "certified")


def test_why_nothing_is_feasible():
    weights = [5, 5, 1, 2]
    island = ConnectedPartition(weights, [[0, 1], [2, 3]], 4, labels=[*"abcd"])
    told = str(atleastk.partition(island, 4))
    assert "  reason      c, d: 3, less than 4, and no border to the rest\n" in told
    whole = ConnectedPartition(weights, [[0, 1], [1, 2], [2, 3]], 4)
    told = str(atleastk.partition(whole, 14))
    assert "  reason      4 regions weigh 13 together, less than 14\n" in told
    told = str(atleastk.partition(whole, 13))
    assert "  parts       1: two would weigh 26 or more, all regions 13\n" in told


def test_an_instance_takes_another_k():
    assert MapRequest(k=7).read(sample_counties(5)).instance.k == 7


def test_nothing_is_found():
    made = atleastk.partition(ConnectedPartition([1, 1], [], 1), 2)
    assert made.part is None
    assert made.weights == []
    assert str(made).startswith("2 regions, at least 2 a part: infeasible")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "or a number of parts .both go with alike only"),
        ({"k": 2, "parts": 2}, "or a number of parts"),
        ({"parts": 0}, "or a number of parts"),
        ({"k": 3, "within": 0.1}, "a share below 1"),
        ({"parts": 3, "within": 1.5}, "a share below 1"),
        ({"k": 3, "parts": 3, "within": 0.1, "alike": ["age"]}, "both say how light"),
        ({"k": 3, "maximise": "area"}, 'parts, lightest, got "area"'),
    ],
)
def test_requests_without_sense_are_refused(asked, told):
    with pytest.raises(InvalidInstanceError, match=told):
        MapRequest(**asked)


def test_tables_need_neighbours(squares, tmp_path):
    with pytest.raises(InvalidInstanceError, match="needs one of neighbours"):
        MapRequest(k=3).read(tmp_path / "nodes.csv")
    with pytest.raises(InvalidInstanceError, match="layer: says nothing of a table"):
        MapRequest(k=3, layer="a").read(tmp_path / "nodes.csv")
    with pytest.raises(InvalidInstanceError, match="edges: says nothing of polygons"):
        MapRequest(k=3, edges="e.csv").read(squares)


def test_names_of_files():
    assert is_polygons("map.geojson")
    assert is_polygons("map.json.gz")
    assert not is_polygons("map.csv.gz")


def valley():
    """A ring of six towns: along it 0, 1, 2 are alike, and 3, 4, 5."""
    graph = nx.cycle_graph(6)
    for node, (people, income) in enumerate(
        [(4, 20), (7, 21), (3, 22), (6, 40), (5, 41), (2, 42)]
    ):
        graph.nodes[node].update(population=people, income=income, called=f"t{node}")
    return graph


@pytest.mark.parametrize("minimise", ["squares", "pairs"])
def test_regions_of_one_part_are_alike(minimise):
    made = atleastk.partition(
        valley(), 8, weight="population", minimise=minimise, alike=["income"]
    )
    assert (made.part, made.standing[0]) == ((1, 1, 1, 2, 2, 2), "OPTIMAL")
    assert atleastk.check(made.instance, made.result).feasible
    values = [20, 21, 22, 40, 41, 42]
    mean = sum(values) / 6
    unit = (sum((x - mean) ** 2 for x in values) / 6) ** 0.5
    wanted = 2 * 2 / unit**2 if minimise == "squares" else 2 * 4 / unit
    assert made.to_dict()["cost"] == pytest.approx(wanted, rel=1e-12)
    assert wanted - 1e-2 < made.to_dict()["bound"] <= wanted
    report = str(made)
    assert f"  {minimise:11} {made.to_dict()['cost']:.6g} within parts, of in" in report
    assert "no partition has a heaviest part" not in report


def test_regions_stay_together_and_alike():
    asked = {"weight": "population", "alike": ["income"], "name": "called"}
    made = atleastk.partition(valley(), 8, together=[["t2", "t3"]], **asked)
    assert made.part[2] == made.part[3]
    assert len(set(made.part)) == len(made.weights) > 1


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"minimise": "pairs"}, "alike: give columns"),
        ({"minimise": "heaviest", "alike": ["income"]}, "alike: give columns"),
        ({"minimise": "sum", "alike": ["income"]}, "minimise: expected one of"),
        ({"maximise": "lightest", "alike": ["income"]}, "give the number of parts"),
        ({"alike": ["incom"]}, 'did you mean "income"'),
        ({"alike": ["called"]}, 'has to hold numbers, got "t0" for 0; 6 regi'),
        ({"alike": ["population", "one"]}, "all regions have the same"),
    ],
)
def test_what_cannot_be_alike_is_refused(asked, message):
    graph = valley()
    nx.set_node_attributes(graph, 1, "one")
    with pytest.raises(InvalidInstanceError, match=message):
        atleastk.partition(graph, 8, weight="population", **asked)


def tree(rng, n):
    """Return a random tree of towns, and an edge more."""
    graph = nx.Graph()
    for i in range(n):
        graph.add_node(i, population=rng.randint(1, 9), income=rng.randint(0, 50))
        if i:
            graph.add_edge(i, rng.randrange(i))
    graph.add_edge(0, n - 1)
    return graph


def parts_of(graph, parts):
    """Yield all partitions into so many connected parts, each with its weights."""
    for groups in partitions(len(graph)):
        if len(groups) == parts and all(
            nx.is_connected(graph.subgraph(group)) for group in groups
        ):
            weigh = [sum(graph.nodes[v]["population"] for v in g) for g in groups]
            yield groups, weigh


@pytest.mark.parametrize("seed", range(6))
def test_exactly_so_many_parts_as_even_as_can_be(seed):
    rng = random.Random(seed)
    graph, parts = tree(rng, 7), rng.randint(2, 4)
    made = atleastk.partition(
        graph, parts=parts, weight="population", maximise="lightest"
    )
    best = max(min(weigh) for _, weigh in parts_of(graph, parts))
    assert (len(made.weights), min(made.weights)) == (parts, best)
    assert (made.standing[0], made.most) == ("OPTIMAL", best)
    assert f"no {parts} parts have a lightest above {best}" in str(made)
    assert made.by_group[1][0][-2] == "yes"


@pytest.mark.parametrize("seed", range(4))
def test_so_many_parts_as_alike_as_can_be(seed):
    rng = random.Random(seed)
    graph = tree(rng, 7)
    asked = {"weight": "population", "alike": ["income"], "minimise": "pairs"}
    made = atleastk.partition(graph, parts=3, **asked)
    assert made.standing[0] == "OPTIMAL"
    assert (len(made.weights), made.map.k) == (3, 1)
    assert "7 regions, 3 parts alike in income: optimal" in str(made)
    assert made.draw().get_title(loc="left").count("\n3 parts alike in income: optim")
    uneven = 10 * min(made.weights) * 3 < 9 * sum(made.weights)
    assert uneven == ("parts are uneven; --within 10% bounds them" in str(made))
    cost = made.instance.cost_of
    assert made.result.cost == min(
        sum(map(cost, groups)) for groups, _ in parts_of(graph, 3)
    )
    income = [data["income"] for _, data in graph.nodes(data=True)]
    best = min(
        sum(abs(income[u] - income[v]) for g in groups for u, v in combinations(g, 2))
        for groups, _ in parts_of(graph, 3)
    )
    unit = statistics.pstdev(income)
    assert best / unit - 1e-2 < made.bound <= best / unit <= made.cost + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_so_many_parts_of_at_least_k_as_alike_as_can_be(seed):
    graph = tree(random.Random(seed), 7)
    asked = {"weight": "population", "alike": ["income"], "minimise": "pairs"}
    kept = [groups for groups, weigh in parts_of(graph, 2) if min(weigh) >= 9]
    made = atleastk.partition(graph, 9, parts=2, **asked)
    if not kept:
        assert "no 2 connected parts weigh 9 each" in str(made)
        return
    assert (made.standing[0], len(made.weights)) == ("OPTIMAL", 2)
    assert "7 regions, at least 9 a part, 2 parts: optimal" in str(made)
    assert made.result.cost == min(
        sum(map(made.instance.cost_of, groups)) for groups in kept
    )


@pytest.mark.parametrize("minimise", ["squares", "pairs"])
def test_a_bound_holds_for_numbers_that_are_not_rounded(minimise):
    rng = np.random.default_rng(5)
    places = rng.normal(size=(9, 2))
    rounded = np.rint(10_000 * places).astype(int)
    for groups in islice(partitions(9), 0, None, 97):
        sides = [rounded[[*group]] for group in groups]
        if minimise == "squares":
            cost = sum(
                int((len(x) * np.square(x).sum() - np.square(x.sum(0)).sum()) // len(x))
                for x in sides
            )
        else:
            cost = sum(int(np.abs(x[:, None] - x).sum()) // 2 for x in sides)
        found = cost_in(places, groups, minimise)
        assert found - 2e-2 <= bound_in(places, cost, minimise) <= found + 1e-12


def test_of_pieces_without_a_bound_the_report_says_so():
    graph = valley()
    graph.remove_edges_from([(2, 3), (5, 0)])
    asked = {"weight": "population", "alike": ["income"]}
    made = atleastk.partition(graph, parts=3, **asked)
    unbounded = replace(made, result=replace(made.result, bound=0, status="FEASIBLE"))
    assert "at least    0, nothing is proved so far; the map has 2 " in str(unbounded)
    nx.set_node_attributes(graph, {v: int(v < 3) for v in graph}, "north")
    same = atleastk.partition(graph, 13, weight="population", alike=["north"])
    assert (same.cost, same.result.bound) == (pytest.approx(0, abs=1e-12), 0)
    assert "nothing is proved" not in str(same)


@pytest.mark.parametrize("seed", range(4))
def test_of_the_most_parts_those_that_are_most_alike(seed):
    rng = random.Random(seed)
    graph = tree(rng, 7)
    asked = {"weight": "population", "alike": ["income"], "minimise": "pairs"}
    made = atleastk.partition(graph, 8, maximise="parts", **asked)
    kept = [
        (groups, weigh)
        for parts in range(1, 8)
        for groups, weigh in parts_of(graph, parts)
        if min(weigh) >= 8
    ]
    most = max(len(groups) for groups, _ in kept)
    cost = made.instance.cost_of
    assert (made.standing[0], len(made.weights), made.most) == ("OPTIMAL", most, most)
    assert made.result.cost == min(
        sum(map(cost, groups)) for groups, _ in kept if len(groups) == most
    )


def test_more_parts_than_a_map_has_are_refused():
    graph = valley()
    with pytest.raises(InvalidInstanceError, match="6 at most, however they touch"):
        atleastk.partition(graph, parts=7, weight="population", maximise="lightest")
    graph.remove_edges_from([(2, 3), (5, 0)])
    with pytest.raises(InvalidInstanceError, match="2 pieces without a border"):
        atleastk.partition(graph, parts=3, weight="population", maximise="lightest")


def test_a_table_of_parts_has_their_spread():
    made = atleastk.partition(valley(), 8, weight="population", alike=["income"])
    headings, rows = made.by_group
    assert headings[3:5] == ("mean of income>", "spread of income>")
    assert [row[3:5] for row in rows] == [("21", "0.8165"), ("41", "0.8165")]
    assert made.to_dict()["of_parts"][1]["spread of income"] == "0.8165"
    page = made.to_html("the valley")
    assert "spread of income" in page
    for word in ("optimal", "squares", "connectivity"):
        assert f"<dt>{word}</dt>" in page
    assert "<dt>feasible</dt>" not in page
    assert 'src="data:image/svg+xml' in page


def test_a_map_is_read_once(squares, monkeypatch):
    read = []
    monkeypatch.setattr(
        partition,
        "read_map_file",
        lambda path, layer: read.append(path) or read_map_file(path, layer),
    )
    monkeypatch.setattr(maps, "read_map_file", None)
    atleastk.partition(squares, 7, weight="people", alike=["people"])
    assert read == [squares]
