import json
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from atleastk import BinCovering, CellularClustering, RGather, Solution, solve
from atleastk.instances.fields.errors import (
    AtleastkError,
    BackendUnavailableError,
    ContradictoryResultError,
    InvalidInstanceError,
    InvalidResultError,
    UnknownNameError,
)
from atleastk.instances.files import files
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.result import Event, Result
from atleastk.models.results.status import Status, Stop, Trust
from scripts import second_checker

FULL = Result(
    problem="bin-covering",
    status=Status.OPTIMAL,
    trust=Trust.CERTIFIED,
    cost=10**40,
    bound=10**40,
    solution=Solution.of([[0, 2], [1]]),
    method="auto; agreed with another",
    seconds=1.5,
    instance_sha256="ab" * 32,
    seed=7,
    events=(Event(0.5, 10**40, None), Event(1.25, 10**40, 10**40)),
    versions={"python": "3.11"},
    certificate={"weights": [1, 2, 3]},
    stopped_because=Stop.CLOSED,
    found_by="rounds: local search",
    proved_by="weights",
)
EMPTY = Result(
    problem="bin-covering",
    status=Status.UNKNOWN,
    trust=None,
    cost=None,
    bound=None,
    solution=None,
    method="auto",
    seconds=0.0,
    instance_sha256="",
)


@pytest.mark.parametrize("result", [FULL, EMPTY])
def test_results_survive_json(result):
    assert Result.from_dict(json.loads(result.to_json())) == result


def test_little_is_needed():
    document = {"problem": "p", "status": "UNKNOWN", "instance_sha256": "x", "more": 1}
    result = Result.from_dict(document)
    assert result.status is Status.UNKNOWN
    assert (result.stopped_because, result.interrupted) == (None, False)


def test_numbers_of_numpy_are_numbers():
    groups = [np.array(group) for group in FULL.to_dict()["groups"]]
    kinds = {"seconds": np.float32(0.5), "seed": np.int64(5), "groups": groups}
    plain = {"seconds": 0.5, "seed": 5}
    read = [Result.from_dict(FULL.to_dict() | more) for more in (kinds, plain)]
    assert read[0] == read[1]


def test_the_guarantee_is_not_read_back():
    guarantee = Guarantee("cost <= 2 OPT", "[X] 1", lambda _i, o: Fraction(2 * o), "h")
    document = replace(FULL, guarantee=guarantee).to_dict()
    assert document["guarantee"] == "cost <= 2 OPT if h ([X] 1)"
    assert Result.from_dict(document).guarantee is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"problem": None}, "problem: expected a text, got null"),
        ({"note": 7}, "note: expected a text, got 7"),
        ({"found_by": 7}, "found_by: expected a text, got 7"),
        ({"status": "DONE"}, 'status: expected one of "UNKNOWN", "FEASIBLE", "INF'),
        ({"stopped_because": "boredom"}, 'stopped_because: expected one of "closed"'),
        ({"trust": "blind"}, 'trust: expected one of "heuristic", "proved"'),
        ({"cost": "5"}, "cost: expected an integer, got '5'"),
        ({"cost": 5.0}, "cost: expected an integer, got 5.0"),
        ({"bound": 10**4300}, "bound: expected an integer of at most 4300 digits"),
        ({"bound": True}, "bound: expected an integer, got True"),
        ({"groups": 5}, "groups: expected a list, got 5"),
        ({"groups": [[0], 1]}, r"groups\[1\]: expected a list, got 1"),
        ({"groups": [[0, None]]}, r"groups\[0\]\[1\]: expected an integer, got null"),
        ({"seconds": -1}, "seconds: expected a finite number of at least 0, got -1"),
        ({"seconds": 10**400}, "seconds: expected a finite number"),
        ({"cost": (10**5000,)}, "cost: expected an integer, got one of thousands"),
        ({"groups": [np.array(3)]}, r"groups\[0\]: expected a list, got array\(3\)"),
        ({"groups": [[np.array([0, 1])]]}, r"groups\[0\]\[0\]: expected an integer"),
        ({"seconds": np.array([1, 2])}, r"seconds: expected a finite number, .*array"),
        ({"seconds": "x"}, "seconds: expected a finite number, at most 1.7e308, got"),
        ({"events": [[1, 2]]}, r"events\[0\]: expected \[seconds, cost, bound\]"),
        ({"events": [[1, 2, "x"]]}, r"events\[0\]\[2\]: expected an integer"),
        ({"versions": {"a": 1}}, r"versions\.a: expected a text, got 1"),
        ({"certificate": []}, "certificate: expected an object"),
        ({"seed": None}, "seed: expected an integer, got null"),
    ],
)
def test_malformed_fields_are_named(changes, message):
    with pytest.raises(InvalidResultError, match=message) as caught:
        Result.from_dict({**FULL.to_dict(), **changes})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["problem", "status", "instance_sha256"])
def test_missing_fields_are_named(key):
    document = {k: v for k, v in FULL.to_dict().items() if k != key}
    with pytest.raises(InvalidResultError, match=f"{key}: missing"):
        Result.from_dict(document)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"groups": None}, "OPTIMAL exactly if it has a costed solution"),
        ({"cost": None}, "OPTIMAL exactly if it has a costed solution"),
        ({"status": "INFEASIBLE"}, "INFEASIBLE exactly if"),
        ({"bound": 10**41}, "exceeds the cost"),
        ({"bound": 5}, "an optimal result has a bound equal to its cost"),
    ],
)
def test_contradictions_are_refused(changes, message):
    with pytest.raises(ContradictoryResultError, match=message):
        Result.from_dict({**FULL.to_dict(), **changes})


def test_labels_number_the_groups():
    assert FULL.labels == (0, 1, 0)
    assert EMPTY.labels is None
    clusters = FULL.to_dict() | {"problem": "r-gather", "outliers": [3], "centres": []}
    assert Result.from_dict(clusters).labels == (0, 1, 0, -1)
    for groups in ([[0, 1], [1]], [[0, 10**12]], [[-1, 0]]):
        odd = Result.from_dict({**FULL.to_dict(), "groups": groups})
        with pytest.raises(InvalidResultError, match="items have no label"):
            odd.labels  # noqa: B018 - it is asked for


@pytest.mark.parametrize("library", [None, "pandas", "polars", "pyarrow"])
def test_items_and_their_groups_as_a_table(library):
    table = FULL.to_frame(library=library)
    assert type(table).__module__.startswith(library or "pandas")
    assert _columns(table) == {"item": [0, 1, 2], "group": [0, 1, 0]}
    assert _columns(FULL.to_frame("abc", library))["item"] == ["a", "b", "c"]
    assert _columns(EMPTY.to_frame(library=library)) == {"item": [], "group": []}
    assert _columns(EMPTY.to_frame("abc", library)) == {"item": [], "group": []}


def _columns(table):
    return {name: list(table[name].to_numpy()) for name in ("item", "group")}


def test_tables_need_names_for_all_items_and_a_library(monkeypatch):
    with pytest.raises(InvalidInstanceError, match="names: 2 for 3 items"):
        FULL.to_frame("ab")
    with pytest.raises(UnknownNameError, match="expected one of pandas, polars, py"):
        FULL.to_frame(library="numpy")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert type(FULL.to_frame()).__module__.startswith("polars")
    with pytest.raises(BackendUnavailableError, match="tables need pandas: pip"):
        FULL.to_frame(library="pandas")


@pytest.mark.parametrize(
    ("more", "radius"),
    [({}, 5.0), ({"centres": "any"}, 2.5), ({"metric": "manhattan", "scale": 10}, 7.0)],
)
@pytest.mark.parametrize("kind", [RGather, CellularClustering])
def test_radii_are_in_the_unit_of_the_points(kind, more, radius):
    instance = kind(points=[[0, 0], [3, 4], [10, 10], [10, 10]], r=2, **more)
    result = solve(instance)
    assert result.radius == radius
    read = result.to_dict()
    assert Result.from_dict(read).radius is None
    assert Result.from_dict(read, instance).radius == radius
    assert Result.from_dict(read, instance) == Result.from_dict(read)


def test_what_has_no_radius():
    assert solve(RGather(points=[], r=2)).radius == 0.0
    assert solve(RGather(points=[[0, 0]], r=2)).radius is None
    assert solve(BinCovering(sizes=[1], k=1)).radius is None


@pytest.mark.parametrize("name", ["result.json", "result.json.gz"])
def test_what_is_saved_is_what_is_read(tmp_path, name):
    path = tmp_path / name
    EMPTY.save(path)
    FULL.save(path)
    assert Result.from_dict(files.read(path)) == FULL
    assert [left.name for left in tmp_path.iterdir()] == [name]
    with pytest.raises(AtleastkError, match="cannot be written"):
        FULL.save(tmp_path / "nowhere" / name)


def test_it_prints_itself():
    changes = {"status": "FEASIBLE", "bound": 1}
    message = str(Result.from_dict(FULL.to_dict() | changes))
    assert "FEASIBLE (certified)" in message
    assert "gap 100.00%" in message
    assert "auto; agreed with another, 1.50 s" in message
    assert "  closed  by weights, found by rounds: local search" in message


@pytest.mark.parametrize(
    ("problem", "name"),
    [
        ("generalization", "levels"),
        ("diversity", "suppressed_rows"),
        ("suppression", "region_columns"),
        ("k-ambiguity", "suppressed"),
        ("r-gather", "outliers"),
        ("rectangle-tiling", "rectangles"),
    ],
)
@pytest.mark.parametrize("held", [True, {}, [True], [["0"]]], ids=json.dumps)
def test_lists_beside_groups_are_read_without_groups(problem, name, held):
    result = {**EMPTY.to_dict(), "problem": problem, name: held}
    with pytest.raises(InvalidResultError, match=name):
        Result.from_dict(result)
    with pytest.raises(second_checker.ERRORS):
        second_checker.check_form(result)
    second_checker.check_form({**result, name: None})
    assert Result.from_dict({**result, name: []}).solution is None
