import json
from dataclasses import replace

import pytest

import atleastk
from atleastk import Instance, NotApplicableError, Solution, UnknownNameError
from atleastk.cli import reduce
from atleastk.models.suppression import check
from atleastk.research.reducing import (
    REDUCTIONS,
    SOURCES,
    back_along,
    forward_along,
    instance_of,
    way,
)
from atleastk.solvers.brute_force.suppression import optimum

X3C = {"problem": "x3c", "elements": 6, "sets": [[0, 1, 2], [3, 4, 5], [1, 2, 3]]}
UNION = {
    "problem": "suppression",
    "variant": "r-c-DEL",
    "table": [["a", "x"], ["b", "x"], ["b", "y"], ["a", "x"]],
    "k": 2,
    "limits": {"rows": 2, "columns": 1},
}


def test_sources_are_known():
    targets = {r.target for r in REDUCTIONS}
    for reduction in REDUCTIONS:
        assert (
            reduction.source in SOURCES
            or reduction.source in targets
            or (reduction.source.endswith("DEL"))
        )
    assert all(issubclass(kind, Instance) for kind in SOURCES.values())


def test_ways():
    assert [r.name for r in way("X3C", "c-c'-PART")] == [
        "X3C -> c-DEL",
        "c-DEL -> c-c'-PART",
    ]
    (step,) = way("MAX 3SP-B", "MIN-c-DEL")
    assert step.kind == "L"
    assert step.repaired
    with pytest.raises(NotApplicableError, match="r-DEL is not reduced to e-SUP, but"):
        way("r-DEL", "e-SUP")
    with pytest.raises(NotApplicableError, match="but to nothing"):
        way("r-c-c'-PART", "e-SUP")
    assert way("x3c", "E-sup") == way("X3C", "e-SUP")
    with pytest.raises(UnknownNameError, match='did you mean "X3C"'):
        way("X3CC", "e-SUP")
    with pytest.raises(UnknownNameError, match='did you mean "c-DEL"'):
        way("c-DELL", "e-SUP")
    with pytest.raises(NotApplicableError, match="two different"):
        way("e-SUP", "e-SUP")


def test_ways_as_printed():
    (step,) = way("RPT", "c'-SUP", as_printed=True)
    assert step.reference == "[Chaytor06] Lemma 4.1.8"
    assert not step.hypotheses
    assert [r.target for r in way("X3C", "c'-SUP", as_printed=True)] == [
        "RPT",
        "c'-SUP",
    ]
    (step,) = way("r'-SUP", "r'-PART", as_printed=True)
    assert (step.repaired, step.hypotheses) == (False, "n >= k")
    (same,) = way("c-DEL", "c-e-SUP", as_printed=True)
    assert same is way("c-DEL", "c-e-SUP")[0]
    with pytest.raises(NotApplicableError, match="not well-defined as printed: r_B"):
        way("r-c-DEL", "r-c-e-SUP", as_printed=True)


def test_there_and_back():
    steps = way("r-c-DEL", "r-c-r'-PART")
    stops = forward_along(steps, instance_of("r-c-DEL", UNION))
    assert str(stops[-1].variant) == "r-c-r'-PART"
    assert optimum(stops[-1]) == 0
    found = back_along(steps, stops, Solution.of([[0, 1], [2, 5], [3, 4]]))
    assert check(stops[0], found).feasible
    assert {(1, 1), (2, 1)} < set(found.suppressed)
    assert found.groups == ((0, 3), (1, 2))


@pytest.fixture
def write(tmp_path):
    def put(name, document):
        path = tmp_path / name
        path.write_text(json.dumps(document))
        return path

    return put


@pytest.fixture
def and_back(run, write, tmp_path):
    """Reduce a document, solve its image, and map the result back by the command."""

    def go(source, target, document, *words):
        path, image = write("s.json", document), tmp_path / "i.json"
        run("reduce", source, target, path, "-o", image)
        run("solve", image, "--workers", 1, "-o", tmp_path / "r.json")
        return run(
            *("reduce", source, target, path, "--back", tmp_path / "r.json", *words)
        )

    return go


def test_reduce_prints_the_image(run, write):
    code, out, err = run("reduce", "X3C", "c-c'-PART", write("x.json", X3C))
    assert code == 0
    assert json.loads(out)["limits"] == {"columns": 1, "per_column": 6}
    assert err.splitlines() == [
        "X3C -> c-DEL (many-one, [Chaytor06] Corollary 4.1.6; "
        "holds as printed: checked on 2,616)",
        "c-DEL -> c-c'-PART (many-one, [Chaytor06] Table 4.4: N, O; "
        "holds as printed: checked on 631)",
    ]


def test_results_mapped_back_hold(and_back, run, tmp_path):
    back = tmp_path / "b.json"
    assert and_back("r-c-DEL", "r-c-e-SUP", UNION, "-o", back)[0] == 0
    code, out, _ = run("check", tmp_path / "s.json", back)
    assert (code, out.split()[0]) == (0, "holds:")


PACKING = {"problem": "set-packing", "elements": 6, "sets": [[0, 1, 2], [3, 4, 5]]}
TRIANGLE = {"problem": "rpt", "vertices": 3, "edges": [[0, 1], [0, 2], [1, 2]]}
THREES = {"problem": "three-partition", "target": 9, "weights": [3, 3, 3]}
HALVES = {"problem": "partition", "weights": [3, 1, 2]}


@pytest.mark.parametrize(
    ("source", "target", "document", "solution"),
    [
        ("X3C", "c-DEL", X3C, [0, 1]),
        ("MAX 3SP-B", "MIN-c-DEL", PACKING, [0, 1]),
        ("RPT", "c'-SUP", TRIANGLE, [[0, 1, 2]]),
        ("3-PARTITION", "bin-covering", THREES, [[0, 1, 2]]),
        ("PARTITION", "bin-covering", HALVES, [0]),
    ],
)
def test_sources_end_to_end(and_back, source, target, document, solution):
    code, out, _ = and_back(source, target, document)
    found = {"problem": document["problem"], "solution": solution}
    assert (code, json.loads(out)) == (0, found)


def test_cubic_graphs(write, tmp_path, done):
    edges = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    document = {"problem": "cubic-vertex-cover", "vertices": 4, "edges": edges}
    path, image = write("g.json", document), tmp_path / "i.json"
    done("reduce", "VC-3", "k-ANONYMITY", path, "-o", image)
    n, m = 4 * 20 + 2 * 6 + 14, 3
    made = instance_of("k-ANONYMITY", json.loads(image.read_text()))
    result = {
        "problem": "k-anonymity",
        "status": "FEASIBLE",
        "trust": "heuristic",
        "cost": n * m,
        "bound": None,
        "groups": [list(range(n))],
        "instance_sha256": made.sha256,
    }
    names = "reduce", "VC-3", "k-ANONYMITY", path, "--back"
    out = done(*names, write("r.json", result))
    assert json.loads(out)["solution"] == [0, 1, 2, 3]


def test_as_printed(write, tmp_path, capsys):
    """Lemma 4.1.8 answers yes for a graph without triangles, which is told."""
    edges = [[u, v] for u in range(3) for v in range(3, 6)]
    path = write("k33.json", {"problem": "rpt", "vertices": 6, "edges": edges})
    given = reduce.Options(
        source="RPT",
        target="c'-SUP",
        file=str(path),
        back=None,
        as_printed=False,
        list=False,
        output=None,
        input_limit=None,
    )
    with pytest.raises(NotApplicableError, match="holds only for: three vertices"):
        reduce.run(given)
    image = str(tmp_path / "i.json")
    given = replace(given, as_printed=True)
    assert reduce.run(replace(given, output=image)).code == 0
    assert "refuted as printed: wrong on 4 of 524" in capsys.readouterr().out
    solved = atleastk.solve(atleastk.load(image), workers=1, seed=0)
    assert solved.status == "OPTIMAL"
    back = write("r.json", solved.to_dict())
    assert reduce.run(replace(given, back=str(back))).code == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "no solution of RPT is as good as that" in err


def test_an_odd_total_is_not_halved(run, write):
    odd = write("odd.json", {"problem": "partition", "weights": [3, 2]})
    code, _, err = run("reduce", "PARTITION", "bin-covering", odd)
    assert (code, err) == (
        2,
        f"atleastk: error: {odd}: PARTITION -> bin-covering holds only for: an even "
        "total\n",
    )


def test_no_solution_to_map_back(and_back):
    code, out, err = and_back("r-c-DEL", "r-c-e-SUP", {**UNION, "k": 5})
    assert (code, out) == (1, "")
    assert "no solution to map back, it is INFEASIBLE" in err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["X3C", "MIN-r-DEL"], "X3C is not reduced to MIN-r-DEL, but to"),
        (["X3C", "x"], 'no reduction knows a problem "x"'),
        (["RPT", "c'-SUP"], 'problem: RPT is "rpt" in files'),
        (["c-DEL", "c-e-SUP"], "x.json"),
    ],
)
def test_mistakes_are_one_line(write, words, complaint, refused):
    assert complaint in refused("reduce", *words, write("x.json", X3C))


def test_other_results_are_refused(write, refused):
    result = {
        "problem": "suppression",
        "status": "FEASIBLE",
        "trust": "heuristic",
        "cost": 0,
        "bound": None,
        "groups": [[0, 1, 2, 3]],
        "suppressed": [],
        "region_columns": [],
        "instance_sha256": "0" * 64,
    }
    paths = write("u.json", UNION), "--back", write("r.json", result)
    assert "r.json" in refused("reduce", "r-c-DEL", "r-c-e-SUP", *paths)


def test_the_list(done, refused):
    out = done("reduce", "--list")
    assert out.count("[Chaytor06] Table") == 123
    assert out.count("holds as printed") > 80
    assert out.count("not well-defined") == 21
    (line,) = (row for row in out.splitlines() if "MAX TP-B         MIN" in row)
    assert "refuted as printed" in line
    assert "needs FROM, TO and FILE, or --list" in refused("reduce", "X3C")
