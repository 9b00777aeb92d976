"""Two checkers that share no line agree: on what is certified, and on what is not."""

import copy
import json
import math
import random
import re
from itertools import combinations, product
from pathlib import Path

import pytest
from every_problem import SETTLED
from jsonschema import Draft202012Validator

import atleastk
from atleastk.models.certificates.interval_covering import check_certificate
from atleastk.models.forms import result_schema
from atleastk.runs.registry import PROBLEMS
from scripts import second_checker
from scripts.second_checker import UnknownError

ROOT = Path(__file__).resolve().parents[2]

SMALL = {
    "arm": 2,
    "clauses": 3,
    "clusters": 3,
    "columns": 4,
    "count": 2,
    "elements": 6,
    "groups": 5,
    "m": 3,
    "n": 14,
    "p": 4,
    "parts": 3,
    "rows": 4,
    "sets": 5,
    "side": 4,
    "size": 3,
    "sizes": "2,3,2",
    "variables": 3,
}
"""Parameters of families, for instances that are solved and checked in no time."""


@pytest.fixture(autouse=True)
def counted():
    """Count from 0, also where parts of a check are called alone."""
    with second_checker.counted():
        yield


def accepted(document, result):
    try:
        second_checker.check(document, result)
    except UnknownError:
        return None
    except second_checker.ERRORS:
        return False
    return True


def solved(problem):
    for family in PROBLEMS[problem].families:
        known = family.parameters
        small = {name: x for name, x in SMALL.items() if known.get(name) is not None}
        instance = family.make(1, **small)
        result = atleastk.solve(instance, seed=1, workers=1, certify=True)
        written = (instance.to_dict(), result.to_dict())
        yield instance, *json.loads(json.dumps(written))


def integers(document, path=()):
    if type(document) is int:
        yield path
    pairs = document.items() if isinstance(document, dict) else ()
    if isinstance(document, list):
        pairs = enumerate(document)
    for key, held in pairs:
        yield from integers(held, (*path, key))


def changed(result, rng):
    broken = copy.deepcopy(result)
    paths = [("certificate", *path) for path in integers(broken["certificate"])]
    *way, last = rng.choice([*paths, ("bound",)])
    held = broken
    for key in way:
        held = held[key]
    held[last] = (held[last] or 0) + rng.choice((-2, -1, 1, 3))
    return broken


@pytest.mark.parametrize("problem", SETTLED)
def test_both_checkers_agree_on_every_family(problem):
    rng = random.Random(problem)
    form = Draft202012Validator(result_schema(problem))
    for instance, document, result in solved(problem):
        form.validate(result)
        verdict = atleastk.check(instance, result)
        assert verdict.feasible
        assert accepted(document, result) is not False
        if "certificate" not in result:
            continue
        assert verdict.proved
        for _ in range(4):
            broken = changed(result, rng)
            try:
                first = atleastk.check(instance, broken).feasible
            except atleastk.AtleastkError:
                first = False
            assert accepted(document, broken) in (first, None)


def test_both_checkers_accept_the_examples_of_every_kind():
    page = (ROOT / "docs/certificate-examples.md").read_text(encoding="utf-8")
    kinds = set()
    for line in re.findall(r"^\{.*$", page, re.MULTILINE):
        document, proof, bound = json.loads(line).values()
        instance = atleastk.from_dict(document)
        kinds.add((document["problem"], proof["kind"]))
        for claim in (bound,) if bound is None else (bound, bound + 1):
            result = {
                "problem": document["problem"],
                "status": "INFEASIBLE" if claim is None else "UNKNOWN",
                "trust": "certified",
                "bound": claim,
                "instance_sha256": instance.sha256,
                "certificate": proof,
            }
            verdict = atleastk.check(instance, result)
            assert (verdict.feasible and verdict.proved) is (claim == bound), line
            assert accepted(document, result) is (claim == bound), line
    known = second_checker.PROBLEMS.items()
    assert kinds == {
        (problem, kind) for problem, held in known for kind in held.kinds.split()
    }


def test_wrong_witnesses_and_fingerprints_are_refused():
    instance = atleastk.KAnonymity([["a"], ["a"], ["b"], ["c"]], 2)
    result = json.loads(json.dumps(atleastk.solve(instance).to_dict()))
    document = instance.to_dict()
    assert accepted(document, result)
    for name, value in (
        ("cost", result["cost"] - 1),
        ("groups", result["groups"][:1]),
        ("groups", [[0, 2], [1, 3]]),
        ("instance_sha256", "0" * 64),
        ("certificate", None),
    ):
        assert not accepted(document, {**result, name: value})


@pytest.mark.parametrize(
    "document",
    [
        {"sizes": [1] * 9_000, "k": 4_000, "problem": "bin-covering"},
        {"sizes": [1] * 20_000, "k": 3_000, "problem": "interval-covering"},
        {"sizes": [1] * 2_000 + [10**1999] + [1] * 2_000, "k": 10**1999},
    ],
    ids=["subsets", "prefixes", "long numbers"],
)
def test_what_takes_too_long_is_not_told(document):
    document = {"objective": "quadratic", "problem": "interval-covering", **document}
    few = document["problem"] == "bin-covering"
    proof = {"kind": "subsets" if few else "prefixes"}
    with pytest.raises(UnknownError, match="too much work"):
        second_checker.PROBLEMS[document["problem"]].bound(document, proof, None)


@pytest.mark.parametrize(
    ("document", "proof"),
    [
        (
            {"problem": "bin-covering", "sizes": [2**i for i in range(40)], "k": 2**39},
            {"kind": "reach", "item": 0},
        ),
        (
            {"problem": "bin-covering", "sizes": [2**i for i in range(40)], "k": 2**39},
            {"kind": "weights", "scale": 1, "weights": [1] * 40},
        ),
        (
            {"problem": "rectangle-tiling-grid", "grid": [[1] * 50] * 50, "p": 2},
            {"kind": "cuts", "level": 9},
        ),
    ],
    ids=["reach", "weights", "cuts"],
)
def test_small_files_do_not_fill_the_memory(document, proof, monkeypatch):
    monkeypatch.setattr(second_checker, "MOST_SETS", 2**12)
    monkeypatch.setattr(second_checker, "MOST_STEPS", 10**6)
    objective = "max" if proof["kind"] == "reach" else "excess"
    more = {"guillotine": True, "objective": objective}
    whole = {**second_checker.DEFAULTS, **document, **more}
    with pytest.raises(UnknownError, match="too much work"):
        second_checker.PROBLEMS[document["problem"]].bound(whole, proof, None)


def test_every_check_counts_its_own_work(monkeypatch):
    """What others have done before it is no work of it, and nothing is left of it."""
    instance = atleastk.BinCovering([2, 3, 4, 5], 5)
    result = json.loads(atleastk.solve(instance, certify=True).to_json())
    monkeypatch.setattr(second_checker, "MOST_STEPS", 10_000)
    with second_checker.counted():
        second_checker.WORK.spend(10_000, "steps of others")
        assert second_checker.check(instance.to_dict(), result)
        assert second_checker.WORK.steps == 10_000
        with pytest.raises(UnknownError, match="too much work"):
            second_checker.WORK.spend(1, "steps of others")


def test_patterns_of_wide_tables_are_too_many(monkeypatch):
    monkeypatch.setattr(second_checker, "MOST_STEPS", 10_000)
    rows = [tuple(int(i == j) for j in range(40)) for i in range(40)]
    for listing in (second_checker.closed_patterns, second_checker.every_pattern):
        with pytest.raises(UnknownError, match="too much work"):
            for _ in listing(rows, [1] * 40, 2):
                pass


def test_squares_of_long_intervals_are_no_doubles():
    size = 10**200
    sizes, k = [1, size, size, 1], size - 1
    document = {"sizes": sizes, "k": k, "objective": "quadratic"}
    bound = second_checker.bound_of_intervals(document, {"kind": "prefixes"})
    assert bound == 4 * (size + 1)
    instance = atleastk.IntervalCovering(sizes, k, "quadratic")
    check_certificate(instance, {"kind": "prefixes"}, bound)
    document["sizes"] = [1, 1, size, size]
    bound = second_checker.bound_of_bins(document, {"kind": "subsets"})
    assert bound == 4 * (size + 1)


def test_all_connected_sets_are_looked_at():
    for edges in ([(1, 0), (2, 0), (3, 0)], [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]):
        weights = [1, 0, 2, 1]
        around = second_checker.neighbours_of({"weights": weights, "edges": edges})
        connected = [
            set(nodes)
            for size in range(1, 5)
            for nodes in combinations(range(4), size)
            if len(second_checker.pieces(set(nodes), around)) == 1
            and sum(weights[v] for v in nodes) <= 3
        ]
        for y in product((-1, 0, 2), repeat=4):
            for above in (-2, -1, 0, 1, 2, 3):
                found = second_checker.connected_sets(
                    set(range(4)), around, weights, 3, dict(enumerate(y)), above
                )
                worthy = [s for s in connected if sum(y[v] for v in s) > above]
                assert sorted(map(sorted, found)) == sorted(map(sorted, worthy))


def test_parts_are_at_most_the_nodes_that_weigh_something():
    """A path of 1, 5 and 5 is no three parts of 2 to 5, and is not asked for four."""
    path = atleastk.ConnectedPartition([5, 1, 5], [(0, 1), (0, 2)], 2)
    three = {"parts": 3, "weights": [[0, 1], [1, 1], [2, -1]], "most": -1}
    proof = {"kind": "parts", "component": 0, "level": 5, "refuted": [three]}
    assert second_checker.bound_of_parts(path.to_dict(), proof) == 6


def test_it_says_what_it_cannot_tell():
    """A length of which doubles do not say which whole number comes next."""
    assert second_checker.great_circle([0.0, 0.0], [0.0, 1.0], 1) == 111_196
    metre = 180 / (math.pi * second_checker.EARTH_RADIUS)
    with pytest.raises(UnknownError, match="too close to call"):
        second_checker.great_circle([0.0, 0.0], [1.000001 * metre, 0.0], 1)


def test_rows_that_count_for_many_may_cost_more_than_there_are_cells():
    """Seven rows of 24 persons: a tree that proves 56 proves no more than that."""
    heavy = atleastk.Generalization(
        [[3, 4], [1, 4], [0, 4], [1, 0], [2, 0], [2, 3], [2, 5]],
        3,
        [
            [[value, "some", "*"] for value in range(4)],
            [[value, "*"] for value in range(6)],
        ],
        loss="precision",
        row_weights=[3, 1, 4, 5, 4, 2, 5],
    )
    result = json.loads(atleastk.solve(heavy, certify=True, workers=1).to_json())
    assert (result["cost"], result["certificate"]["kind"]) == (56, "tree")
    document = heavy.to_dict()
    assert second_checker.check(document, result)
    worse = {"cost": 72, "groups": [[*range(7)]], "levels": [[1, 1]]}
    for bound, proved in ((56, True), (57, False), (72, False)):
        claim = {**result, **worse, "status": "FEASIBLE", "bound": bound}
        assert accepted(document, claim) is proved


TABLE = '{"problem": "k-anonymity", "table": [[0], [1]], "k": 2}'


def said_of(tmp_path, capsys, instance, **result):
    told = {
        "problem": "k-anonymity",
        "instance_sha256": second_checker.fingerprint(json.loads(TABLE)),
        "status": "OPTIMAL",
        "cost": 2,
        "bound": 2,
        "groups": [[0, 1]],
    }
    paths = [tmp_path / name for name in ("instance.json", "result.json")]
    paths[0].write_text(instance)
    paths[1].write_text(json.dumps({**told, **result}))
    code = second_checker.main(list(map(str, paths)))
    (line,) = capsys.readouterr().out.splitlines()
    return code, line


@pytest.mark.parametrize(
    ("old", "new", "code", "why"),
    [
        ('"k": 2', '"k": 2', 0, "holds, cost 2"),
        ('"k": 2', '"k": 22, "k": 2', 1, "'k' is there twice"),
        ('"k": 2', '"k": 2, "comment": NaN', 1, "NaN is not JSON"),
        ('"k": 2', '"k": 2, "comment": -Infinity', 1, "-Infinity is not JSON"),
        ("[[0], [1]]", "[" * 5000 + "]" * 5000, 2, "nested too deeply"),
        ('"k": 2', '"k": ' + "9" * 5000, 1, "does not hold"),
        (TABLE, "[]", 1, "expected an object"),
    ],
)
def test_the_second_checker_reads_nothing_that_is_no_json(
    tmp_path, capsys, old, new, code, why
):
    text = TABLE.replace(old, new)
    found, line = said_of(tmp_path, capsys, text)
    assert found == code
    assert why in line
    (tmp_path / "first.json").write_text(text)
    if code:
        with pytest.raises(atleastk.InvalidInstanceError):
            atleastk.load(tmp_path / "first.json")


def test_files_that_are_not_there_are_told(tmp_path, capsys):
    missing = str(tmp_path / "none.json")
    assert second_checker.main([missing, missing]) == 2
    assert "No such file" in capsys.readouterr().out
    assert second_checker.main([missing]) == 2
    assert "usage" in capsys.readouterr().out


def hostile():
    """Yield small instances with certificates that take minutes, or the memory."""
    tree = {"kind": "tree", "tree": {"weights": [0], "entries": 1}}
    wide = [[0] * 24]
    yield (
        {"problem": "suppression", "table": wide, "k": 1, "deletion": True}
        | {"minimise": "rows"},
        tree,
    )
    rng = random.Random(3)
    mixed = [[rng.randrange(5) for _ in range(100)] for _ in range(30)]
    weights = {"kind": "weights", "scale": 1, "weights": [300] * 30}
    yield {"problem": "k-anonymity", "table": mixed, "k": 1}, weights
    chains = [[["a", *range(8), "*"]]] * 8
    lattice = {"problem": "generalization", "k": 1, "on": "entries"}
    lattice |= {"table": [["a"] * 8], "hierarchies": chains}
    yield lattice, {"kind": "weights", "scale": 1, "weights": [5]}
    yield {**lattice, "column_weights": [10**8 + j for j in range(8)]}, tree
    yield (
        {"problem": "k-ambiguity", "table": [[0] * 24, [1] * 24], "k": 2},
        {"kind": "weights", "weights": [1, 1]},
    )
    grid = {"problem": "rectangle-tiling-grid", "grid": [[1] * 1400], "p": 3}
    yield {**grid, "guillotine": True}, {"kind": "cuts", "level": 1}
    refuted = [{"parts": [3, 3], "weights": [[0, 0, 5]], "most": 1}] * 20
    yield (
        {**grid, "grid": [[1] * 60] * 60},
        {"kind": "parts", "level": 2000, "refuted": refuted},
    )
    # No set of nodes weighs what half of the map does.
    edges = [[i, j] for i in range(31) for j in range(i)]
    whole = {"problem": "connected-partition", "weights": [7] * 31, "k": 50}
    y = [[i, 10] for i in range(31)]
    refuted = [{"parts": p, "weights": y, "most": 309 // p} for p in (2, 3, 4)]
    proof = {"kind": "parts", "component": 0, "level": 109, "refuted": refuted}
    yield {**whole, "edges": edges}, proof


@pytest.mark.parametrize("place", range(8))
def test_too_much_work_is_told_before_it_is_done(place, monkeypatch):
    monkeypatch.setattr(second_checker, "MOST_STEPS", 10**6)
    document, proof = list(hostile())[place]
    result = {
        "problem": document["problem"],
        "instance_sha256": second_checker.fingerprint(document),
        "status": "UNKNOWN",
        "bound": 10**9 if proof["kind"] not in ("cuts", "parts") else 2,
        "certificate": proof,
    }
    with pytest.raises(UnknownError, match=r"too much work: [0-9,]+ steps with these"):
        second_checker.check(document, result)


@pytest.mark.parametrize("t", ["1e999999999", "9" * 5000])
def test_numbers_that_are_too_long_are_refused(t):
    """A text of twelve characters can stand for a gigabyte of digits."""
    with pytest.raises(second_checker.WrongError, match="no number of a usual length"):
        second_checker.exact(t)


def test_long_rows_of_rectangles_are_by_straight_cuts():
    assert second_checker.by_cuts([(i, 0, i + 1, 9) for i in range(1500)])
    pinwheel = [(0, 0, 1, 2), (0, 2, 2, 3), (2, 1, 3, 3), (1, 0, 3, 1), (1, 1, 2, 2)]
    assert not second_checker.by_cuts(pinwheel)
