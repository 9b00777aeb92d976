import ast
import json
import random
import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from every_problem import SETTLED
from known import KNOWN

import atleastk
from atleastk.instances import shrinking, suppression
from atleastk.instances.spaces.metric_spaces import Manhattan
from atleastk.instances.suppression_names import variant_named
from atleastk.runs import registry
from atleastk.runs.registry import PROBLEMS
from scripts import (
    second_checker,
    second_report,
    veripb_checker,
    vipr_checker,
    vipr_lists,
)
from scripts.sweeps import __main__ as sweeps
from scripts.sweeps import (
    doors,
    format_fields,
    inputs,
    instances,
    relations,
    runs,
    solver_options,
    tampering,
)
from scripts.sweeps.judges import judge_of


def test_all_problems_are_attacked():
    assert sorted(instances.PROBLEMS) == sorted(SETTLED)


@pytest.mark.parametrize("problem", SETTLED)
def test_a_short_attack_finds_nothing(problem, capsys, tmp_path):
    given = ["--runs", "27", "--problem", problem, "--store", str(tmp_path)]
    assert sweeps.main(given) == 0, capsys.readouterr().out
    assert f"| {problem} | 27 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (sweeps, ["--runs", "0"]),
        (sweeps, ["--minutes", "0"]),
        (inputs, ["--files", "0"]),
        (doors, ["--runs", "0"]),
        (tampering, ["--forgeries", "0", "--problem", "r-gather"]),
    ],
)
def test_who_runs_nothing_has_found_nothing_to_hold(module, words, capsys):
    assert module.main(words) == 1, capsys.readouterr().out


@pytest.mark.sweep
@pytest.mark.parametrize("problem", SETTLED)
def test_a_long_attack_finds_nothing(problem, capsys):
    status = sweeps.main(["--runs", "9100", "--seed", "17", "--problem", problem])
    assert status == 0, capsys.readouterr().out


def test_the_same_seed_makes_the_same_runs():
    first, again = (
        [(document, run) for document, run, _ in sweeps.attack(["r-gather"], 40, 5)]
        for _ in range(2)
    )
    assert first == again


def plant(monkeypatch, run):
    problem = PROBLEMS["bin-covering"]
    methods = [replace(method, run=run) for method in problem.methods]
    lying = {**PROBLEMS, problem.name: replace(problem, methods=methods)}
    monkeypatch.setattr(registry, "PROBLEMS", lying)


def everything_together(search):
    if sum(search.instance.sizes) < search.instance.k:
        search.close_infeasible("too little")
        return
    search.offer([range(search.instance.n)], "one group")
    search.raise_bound(search.cost, "one group")


def test_a_method_that_lies_is_caught_and_shrunk(capsys, monkeypatch):
    """Two items of size 1 are the least that one bin is too few for."""
    plant(monkeypatch, everything_together)
    instance = {"problem": "bin-covering", "sizes": [2**53, 7, 9, 4], "k": 5}
    run = {"call": "solve", "method": "sat", "seed": 1, "start": "result"}
    outcome = sweeps.outcome_of(instance, {**run, "start": None})
    assert outcome.kind == "failed"
    line = sweeps.shrunk_failure(instance, run, outcome.message, seconds=inf)
    case = json.loads(line)
    assert case["fault"] == "OPTIMAL [2, 2], but the optimum is 1"
    assert case["run"] == {"call": "solve"}
    assert case["instance"] == {"problem": "bin-covering", "sizes": [1, 1], "k": 1}


def test_what_is_planted_is_found(capsys, monkeypatch, tmp_path):
    plant(monkeypatch, everything_together)
    given = ["--problem", "bin-covering", "--runs", "60", "--seed", "1"]
    assert sweeps.main([*given, "--store", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    found = [line for line in lines if line.startswith('{"fault": "OPTIMAL')]
    assert found
    files = sorted(tmp_path.iterdir())
    assert {f"{line}\n" for line in found} <= {path.read_text() for path in files}
    assert all(f"stored in {path}" in lines for path in files)
    assert sweeps.main(["--replay", *map(str, files)]) == 1


def test_what_failed_once_holds(capsys):
    stored = sorted(sweeps.STORE.glob("*.json"))
    assert sweeps.replay(stored) == 0, capsys.readouterr().out


def test_a_bound_too_high_by_one_is_caught(monkeypatch):
    """Also where the status claims nothing: 3 is the optimum of two bins."""

    def lying(search):
        search.offer([[0, 1]], "one bin")
        search.raise_bound(4, "too much")

    plant(monkeypatch, lying)
    instance = {"problem": "bin-covering", "sizes": [1, 3], "k": 1}
    outcome = runs.outcome_of(instance, {"call": "solve", "method": "sat"})
    assert outcome.kind == "failed"
    assert "the optimum is 3" in outcome.message


@pytest.mark.parametrize("name", ["check", "the second checker"])
def test_a_checker_that_accepts_everything_is_caught(monkeypatch, name):
    if name == "check":
        monkeypatch.setattr(atleastk, "check", lambda *_: atleastk.Verdict(9))
    else:
        monkeypatch.setattr(second_checker, "check", lambda *_: False)
    document = {"problem": "bin-covering", "sizes": [1, 3], "k": 1}
    judge = judge_of(document)
    forgery = {
        "problem": "bin-covering",
        "status": "FEASIBLE",
        "cost": 9,
        "bound": None,
        "groups": [[0, 1]],
    }
    instance = atleastk.from_dict(document)
    wrong = tampering.accepted_falsehood(instance, forgery, judge)
    assert wrong == f"{name} accepts: cost 9, but it is 4"


def test_checkers_that_differ_are_caught(monkeypatch):
    document = {"problem": "bin-covering", "sizes": [1, 3], "k": 1}
    instance = atleastk.from_dict(document)
    genuine = json.loads(atleastk.solve(instance, certify=True).to_json())
    judge = judge_of(document)
    assert tampering.accepted_falsehood(instance, genuine, judge) is None
    monkeypatch.setattr(second_checker, "fingerprint", lambda _: "another")
    wrong = tampering.accepted_falsehood(instance, genuine, judge)
    assert wrong == "check says proved, the second checker refused"


def test_no_forgery_deceives_a_checker(capsys):
    assert tampering.main(["--forgeries", "60", "--seed", "3"]) == 0
    table, _, told = capsys.readouterr().out.partition("fields that were not forged: ")
    assert len(table.splitlines()[2:]) == len(SETTLED)
    silent, every = map(int, re.search(r"nothing: (\d+) of (\d+)", told).groups())
    assert every == len(tampering.rules())
    assert 4 * (every - silent) > every


@pytest.mark.parametrize("problem", SETTLED)
def test_every_field_of_the_format_is_forged(problem):
    tally = Counter()
    for seed in range(60):
        rng = random.Random(f"{seed} {problem}")
        with suppress(atleastk.InvalidInstanceError, second_checker.UnknownError):
            made = tampering.forgeries(
                tampering.draw(problem, rng), rng, 1, tally=tally
            )
            assert [*made]
        if not tampering.unforged(problem, tally):
            break
    assert tampering.unforged(problem, tally) == []


def test_a_divided_leaf_proves_what_it_proved():
    path = {"problem": "connected-partition", "edges": [[0, 1], [1, 2], [2, 3], [3, 0]]}
    proof = {"kind": "parts", "component": 0, "level": 8}
    leaf = {"weights": [[3, 1]], "most": 0}
    proof["refuted"] = [{"parts": 3, **leaf}]
    result = {"problem": path["problem"], "certificate": proof}
    grown = format_fields.divided(result, random.Random(1))["certificate"]
    assert proof["refuted"] == [{"parts": 3, **leaf}]
    assert set(grown["refuted"][0]) == {"parts", "tree"}
    instance = {**path, "weights": [5, 5, 5, 4], "k": 5}
    assert second_checker.bound_of_parts(instance, grown) == 9


def test_a_certificate_that_is_not_read_is_caught(monkeypatch):
    lying = replace(PROBLEMS["k-ambiguity"], check_certificate=lambda *_: None)
    monkeypatch.setattr(registry, "PROBLEMS", {**PROBLEMS, "k-ambiguity": lying})
    instance = {"problem": "k-ambiguity", "table": [[0], [1]], "k": 2}
    outcome = runs.outcome_of(instance, {"call": "tamper", "certify": True})
    assert outcome.kind == "failed"
    assert outcome.message.startswith("check accepts: bound")


AROUND = {"points": [[0, 0], [0, 90], [0, 180]], "metric": "great-circle"}
FEES = {"points": [[0, 0], [1, 1]], "scale": 1000, "facility_costs": [5, 7]}
SPELLED = {"variant": "r-MIN-c-DEL", "limits": {"rows": 0}, "table": [[0, 1], [0, 2]]}
MEASURED = [
    ({"problem": "r-gather", **AROUND, "r": 2, "max_outliers": 1}, 10007558),
    ({"problem": "cellular-clustering", **FEES, "r": 2}, 2 * 1415 + 5),
    ({"problem": "suppression", **SPELLED, "k": 2}, 1),
    ({"problem": "bin-covering", "sizes": [2**53, 1], "k": 2}, 2**53 + 1),
]
"""What is measured, spelled out, or not a double."""


def test_judges_know_what_is_known():
    known = [(json.loads(json.dumps(each.to_dict())), best) for each, best in KNOWN]
    judged = 0
    for document, best in [*known, *MEASURED]:
        with suppress(ValueError):  # as some are too large
            assert judge_of(document).best == best, document
            judged += 1
    assert judged > 200


@pytest.mark.parametrize(
    "module", [second_checker, second_report, veripb_checker, vipr_checker, vipr_lists]
)
def test_what_checks_knows_nothing_of_the_package(module):
    """It imports the standard library alone."""
    imported = set()
    for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    assert "pathlib" in imported
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize("problem", ["r-gather", "cellular-clustering"])
def test_a_wrong_distance_is_caught(monkeypatch, problem):
    """Enumeration takes the distances of the second checker."""
    instance = {"problem": problem, "points": [[0, 0], [3, 0]], "r": 2}
    instance["metric"] = "manhattan"
    right = Manhattan.apart
    monkeypatch.setattr(Manhattan, "apart", lambda *given: right(*given) + 1)
    assert runs.outcome_of(instance, {"call": "solve"}).kind == "failed"


def test_a_name_that_is_spelled_out_wrongly_is_caught(monkeypatch):
    """Enumeration takes the fields that the second checker gives a variant."""
    named = {"problem": "suppression", "variant": "r-MIN-c-DEL", "limits": {"rows": 0}}
    instance = {**named, "table": [[0, 1], [0, 2]], "k": 2}
    assert runs.outcome_of(instance, {"call": "solve"}).kind == "held"
    lying = replace(variant_named("r-MIN-c-DEL"), minimise="none")
    monkeypatch.setattr(suppression, "variant_named", lambda _: lying)
    assert runs.outcome_of(instance, {"call": "solve"}).kind == "failed"


def test_shrinking_ends_at_the_smallest():
    def fails(document):
        sizes = document["sizes"]
        return len(sizes) > 1 and max(sizes) >= 5 and min(sizes) >= 1

    large = {"problem": "bin-covering", "sizes": [2**63, 7, 9, 4], "k": 10**30}
    found = shrinking.shrunk({**large, "objective": "excess"}, fails)
    assert found == {"problem": "bin-covering", "sizes": found["sizes"], "k": 0}
    assert sorted(found["sizes"]) == [1, 5]


def test_methods_that_contradict_each_other_are_told(monkeypatch):
    """Where nobody enumerates: 30 items in one bin, or in 15."""
    plant(monkeypatch, everything_together)
    instance = {"problem": "bin-covering", "sizes": [1] * 30, "k": 2}
    outcome = runs.outcome_of(instance, {"call": "compare"})
    assert outcome.kind == "failed"
    assert (
        "contradiction: auto OPTIMAL [2, 2], cp-sat OPTIMAL [30, 30]" in outcome.message
    )


def test_a_broken_relation_is_told(monkeypatch):
    lying = lambda document, _: relations.Related(document, least=2)  # noqa: E731
    monkeypatch.setitem(relations.RELATIONS, "scaled", lying)
    instance = {"problem": "bin-covering", "sizes": [1] * 30, "k": 2}
    run = {"call": "relate", "relation": "scaled"}
    outcome = runs.outcome_of(instance, run)
    assert outcome.kind == "failed"
    assert outcome.message == "scaled: OPTIMAL [2, 2] and OPTIMAL [2, 2]"


def test_related_instances_have_the_optimum_they_should():
    rng, seen = random.Random(6), set()
    for problem in 60 * SETTLED:
        document = instances.draw(problem, rng)
        for name, relation in relations.RELATIONS.items():
            found = relation(document, rng)
            if found is None or not few(found.document) or not few(document):
                continue
            with suppress(atleastk.InvalidInstanceError):
                atleastk.from_dict(found.document)
                best, other = judge_of(document).best, judge_of(found.document).best
                for factor, low, high in (
                    (found.least, best, other),
                    (found.most, other, best),
                ):
                    wrong = factor is not None and high is not None and low is None
                    assert not wrong, (name, document)
                if found.least is not None and None not in (best, other):
                    assert found.least * best <= other, (name, document)
                if found.most is not None and None not in (best, other):
                    assert other <= found.most * best, (name, document)
                seen.add((problem, name))
    assert {name for _, name in seen} == {*relations.RELATIONS}
    assert len(seen) >= 45


def few(document):
    items = [document.get(n) or [] for n in ("sizes", "weights", "points", "distances")]
    cells = sum(map(len, document.get("table") or document.get("grid") or []))
    rows = len(document.get("table") or [])
    return max(map(len, items)) <= 7 and cells <= 10 and rows <= 6


@pytest.mark.parametrize(
    ("method", "name", "options"),
    [
        ("sat", "SAT", {"solver": "minisat22"}),
        ("patterns", "HiGHS", {"presolve": "off"}),
        ("arc-flow", "PuLP HiGHS", {"presolve": "off"}),
        ("cp-sat", "RC2", {}),
    ],
)
def test_options_and_other_back_ends_reach_below_a_method(
    monkeypatch, method, name, options
):
    asked = []
    kind = type(solver_options.BACKENDS[name]({}))
    plain = kind._run_on

    def heard(backend, *given):
        asked.append(backend)
        return plain(backend, *given)

    monkeypatch.setattr(kind, "_run_on", heard)
    with solver_options.configured({name: options}, name if name == "RC2" else None):
        result = atleastk.solve(atleastk.BinCovering([3, 3, 2, 2], 5), method=method)
    assert result.cost == 5
    assert asked
    assert all(backend == solver_options.BACKENDS[name](options) for backend in asked)


@pytest.mark.parametrize("problem", SETTLED)
def test_most_of_what_is_smaller_is_an_instance(problem):
    """Not all: a number may be too low, a chain of labels may be needed."""
    instance = instances.draw(problem, random.Random(4))
    tried = list(shrinking.smaller(instance))
    whole = 0
    for less in tried:
        with suppress(atleastk.InvalidInstanceError):
            atleastk.from_dict(less)
            whole += 1
    assert whole > len(tried) / 6 > 0


def test_failures_are_run_again(capsys, tmp_path):
    instance = {"problem": "bin-covering", "sizes": [1], "k": 1}
    line = json.dumps({"fault": "", "run": {"call": "solve"}, "instance": instance})
    path = tmp_path / "found.txt"
    path.write_text(f"100 runs: 1 failures\n{line}\n")
    assert sweeps.main(["--replay", str(path)]) == 0
    assert capsys.readouterr().out == "held: \n"
