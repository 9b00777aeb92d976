import json
import shlex
from dataclasses import replace

import pytest

import atleastk
from atleastk.cli.main import main
from atleastk.runs import disagreements, registry
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.method import Method

TOO_MANY = {"problem": "bin-covering", "sizes": [9, 7, 7, 8, 5, 6], "k": 5}


def denies(search):
    search.close_infeasible("denies")


def plant(monkeypatch, problem, run=denies):
    """Let a method of a family of its own be the first to be asked."""
    honest = PROBLEMS[problem]
    liar = Method("denies", "lies", "liars", run)
    lying = replace(honest, methods=(liar, *honest.methods))
    monkeypatch.setattr(registry, "PROBLEMS", {**PROBLEMS, problem: lying})


@pytest.fixture(autouse=True)
def folder(here):
    return here / disagreements.FOLDER


def contradicted(folder, instance, told="contradict each other"):
    """Return the folder in which it is kept that two methods contradict each other."""
    with pytest.raises(atleastk.WrongAnswerError, match=told) as error:
        atleastk.solve(instance, workers=1, agree=True)
    (kept,) = folder.iterdir()
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(f"are in {kept.relative_to(folder.parent)}")
    return kept


@pytest.mark.parametrize("problem", list(PROBLEMS))
def test_every_problem_is_told_apart(problem, solved, monkeypatch, folder):
    instance = next(one for one, result in solved(problem) if result.cost is not None)
    plant(monkeypatch, problem)
    kept = contradicted(folder, instance, "against infeasible")
    small = atleastk.load(kept / "instance.json")
    assert atleastk.load(kept / "original.json") == instance
    assert len(json.dumps(small.to_dict())) <= len(json.dumps(instance.to_dict()))
    answers = [
        atleastk.Result.from_dict(json.loads((kept / f"{name}.json").read_text()))
        for name in ("auto", "denies")
    ]
    assert {answer.instance_sha256 for answer in answers} == {small.sha256}
    assert [answer.status for answer in answers] == ["OPTIMAL", "INFEASIBLE"]
    assert all(answer.versions for answer in answers)


def test_the_instance_is_made_small(monkeypatch, folder):
    plant(monkeypatch, "bin-covering")
    kept = contradicted(folder, atleastk.from_dict(TOO_MANY))
    document = json.loads((kept / "instance.json").read_text())
    assert (document["sizes"], document["k"]) == ([], 1)


@pytest.mark.parametrize("fault", ["hangs", "crashes", "sulks"])
def test_what_is_no_contradiction_is_none(fault, monkeypatch, folder):
    def run(search):
        if fault == "crashes":
            raise RuntimeError
        if fault == "hangs":
            search.budget.stop.wait(1.0)

    plant(monkeypatch, "bin-covering", run)
    result = atleastk.solve(atleastk.from_dict(TOO_MANY), agree=True)
    assert result.trust >= atleastk.Trust.AGREED
    assert not folder.exists()


def test_the_command_line_says_it_in_one_line(monkeypatch, folder, capsys):
    plant(monkeypatch, "bin-covering")
    path = folder.parent / "i.json"
    path.write_text(json.dumps(TOO_MANY))
    assert main(["solve", str(path), "--agree"]) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    (kept,) = folder.iterdir()
    assert str(kept.relative_to(folder.parent)) in told
    monkeypatch.chdir(kept)
    commands = (kept / "commands.txt").read_text().splitlines()
    assert [main(shlex.split(command)[1:]) for command in commands] == [0, 1]


def test_a_folder_that_cannot_be_written_is_told(monkeypatch, folder):
    folder.write_text("a file")
    plant(monkeypatch, "bin-covering")
    with pytest.raises(atleastk.WrongAnswerError, match="could not be stored"):
        atleastk.solve(atleastk.from_dict(TOO_MANY), agree=True)


def test_shrinking_ends_in_time(monkeypatch, folder):
    monkeypatch.setattr(disagreements, "_SECONDS", -1.0)
    plant(monkeypatch, "bin-covering")
    kept = contradicted(folder, atleastk.from_dict(TOO_MANY))
    assert atleastk.load(kept / "instance.json") == atleastk.from_dict(TOO_MANY)


def test_bounds_and_costs_contradict_each_other():
    result = atleastk.solve(atleastk.from_dict(TOO_MANY))
    unknown = {"status": atleastk.Status.UNKNOWN, "trust": None, "certificate": None}
    higher = replace(result, **unknown, cost=None, solution=None, bound=10**9)
    contradictory = disagreements.contradictory
    assert contradictory(result, higher)
    assert contradictory(higher, result)
    assert not contradictory(result, result)
