import pytest
from every_problem import SETTLED

from atleastk.instances.files import files
from atleastk.research.adversary.finds import least_of
from atleastk.research.adversary.judging import Judge
from atleastk.runs.registry import PROBLEMS, algorithm_named, instance_from_dict
from scripts.data import write_worst_ratios

FINDS = [record for _line, record in files.read_lines(write_worst_ratios.FINDS)]


def test_every_shipped_algorithm_has_a_find():
    shipped = {(p, a.name) for p in SETTLED for a in PROBLEMS[p].algorithms}
    assert {(r["instance"]["problem"], r["algorithm"]) for r in FINDS} == shipped


@pytest.mark.parametrize("problem", SETTLED)
def test_finds_are_what_they_say(problem):
    for record in FINDS:
        if record["instance"]["problem"] != problem:
            continue
        entry, instance = PROBLEMS[problem], instance_from_dict(record["instance"])
        algorithm = algorithm_named(entry, record["algorithm"])
        cost = entry.check(instance, algorithm.run(instance, 0)).cost
        assert cost == record["cost"]
        assert record["ratio"] == instance.ratio(cost, least_of(record))
        promise = algorithm.guarantee
        assert promise is None or promise.holds(instance, cost, least_of(record))
        if record["certificate"] is None:
            assert Judge(entry, algorithm).rated(instance).ratio == record["ratio"]
        else:
            entry.check_certificate(instance, record["certificate"], record["optimum"])


def test_to_ask_for_help_writes_nothing(capsys, monkeypatch):
    monkeypatch.setattr(write_worst_ratios, "files", None)
    with pytest.raises(SystemExit, match="0"):
        write_worst_ratios.main(["--help"])
    assert "--check" in capsys.readouterr().out


CROSSED = {
    ("k-anonymity", "approx-fq"): 36 / 10,
    ("connected-partition", "tree-cut"): 59949 / 20086,
    ("rectangle-tiling", "kd-balanced"): 3668 / 1310,
}
"""What finds of other algorithms are for these."""


def test_every_find_is_judged_for_every_algorithm():
    assert write_worst_ratios.completed(FINDS) == FINDS
    problems = {problem for problem, _ in CROSSED}
    left = [
        r
        for r in FINDS
        if r["instance"]["problem"] in problems
        and CROSSED.get((r["instance"]["problem"], r["algorithm"])) != r["ratio"]
    ]
    added = write_worst_ratios.completed(left)[len(left) :]
    found = {(r["instance"]["problem"], r["algorithm"]): r["ratio"] for r in added}
    assert found == CROSSED
