from dataclasses import replace

import networkx as nx
import pytest

import atleastk
from atleastk import ConnectedPartition, InvalidInstanceError
from atleastk.doors.partitioning import page
from atleastk.doors.partitioning.partition import MapRequest, is_polygons
from atleastk.instances.datasets.counties import sample_counties


def test_polygons(squares):
    made = atleastk.partition(squares, 7, weight="people", name="called")
    assert (made.part, made.weights) == ((1, 1, 2, 2), [7, 7])
    assert made.instance.labels == ("r0", "r1", "r2", "r3")
    assert "  heaviest    7" in str(made)
    assert "planar, 1 component, connectivity 1" in str(made)


def test_a_number_of_parts(squares):
    assert MapRequest(parts=3, weight="people").instance(squares).k == 4
    assert MapRequest(parts=99, weight="people").instance(squares).k == 1


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


def test_weights_of_polygons(squares):
    told = 'no property "weight" or "population"; there are called, people'
    with pytest.raises(InvalidInstanceError, match=told):
        MapRequest(k=7).instance(squares)
    assert MapRequest(k=2, weight=None).instance(squares).weights == (1, 1, 1, 1)


def test_another_number_of_parts_is_told():
    """Four parts of 7 cannot be connected, as 1 + 1 + 26 shows."""
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: 1, 1: 26, 2: 1}, "weight")
    made = atleastk.partition(graph, parts=4)
    assert (made.instance.k, made.weights, made.asked) == (7, [28], 4)
    assert "  parts       1, where 4 were asked for: they set k, no more; try" in str(
        made
    )
    assert "  parts       1\n" in str(atleastk.partition(graph, parts=1))
    assert "  parts       1\n" in str(atleastk.partition(graph, 7))


def test_a_number_of_parts_within_a_share():
    """Eight of an eighth would have to weigh the same to the last inhabitant."""
    counties = sample_counties(1)
    exact = MapRequest(parts=8).instance(counties)
    lower = MapRequest(parts=8, within=0.05).instance(counties)
    assert exact.k == counties.total // 8
    assert lower.k == -(-counties.total * 95 // 800)
    told = page.parts(exact, 7, 8)
    assert told.endswith(f"they set k, no more; try --within 5%, or -k {lower.k}")
    assert "try --within 10%, " in page.parts(lower, 7, 8)
    assert "try --within 2%, " in page.parts(lower, 9, 8)
    for asked in ({"k": 3, "within": 0.1}, {"parts": 3, "within": 1.5}):
        with pytest.raises(InvalidInstanceError, match="within: expected a share"):
            MapRequest(**asked)


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
    with pytest.raises(InvalidInstanceError, match='"parts", got "area"'):
        MapRequest(3, maximise="area")


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
    assert MapRequest(k=7).instance(sample_counties(5)).k == 7


def test_nothing_is_found():
    made = atleastk.partition(ConnectedPartition([1, 1], [], 1), 2)
    assert made.part is None
    assert made.weights == []
    assert str(made).startswith("2 regions, at least 2 a part: infeasible")


@pytest.mark.parametrize("asked", [{}, {"k": 2, "parts": 2}, {"parts": 0}])
def test_k_or_parts(squares, asked):
    with pytest.raises(InvalidInstanceError, match="or a number of parts"):
        MapRequest(weight="people", **asked).instance(squares)


def test_tables_need_neighbours(tmp_path):
    with pytest.raises(InvalidInstanceError, match="needs one of neighbours"):
        MapRequest(k=3).instance(tmp_path / "nodes.csv")


def test_names_of_files():
    assert is_polygons("map.geojson")
    assert is_polygons("map.json.gz")
    assert not is_polygons("map.csv.gz")


def test_a_note_is_told(squares):
    made = atleastk.partition(squares, 7, weight="people")
    assert "note" not in str(made)
    noted = replace(made, result=replace(made.result, note="it gave up"))
    assert str(noted).endswith("\n  note        it gave up")


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
    assert made.to_dict()["cost"] == pytest.approx(wanted, abs=1e-3)
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
        ({"maximise": "parts", "alike": ["income"]}, "leave one out"),
        ({"alike": ["incom"]}, 'did you mean "income"'),
        ({"alike": ["called"]}, 'has to hold numbers, one region has "t0"'),
        ({"alike": ["population", "one"]}, "all regions have the same"),
    ],
)
def test_what_cannot_be_alike_is_refused(asked, message):
    graph = valley()
    nx.set_node_attributes(graph, 1, "one")
    with pytest.raises(InvalidInstanceError, match=message):
        atleastk.partition(graph, 8, weight="population", **asked)
