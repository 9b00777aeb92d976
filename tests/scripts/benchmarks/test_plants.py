from atleastk.research.adversary.judging import Judge
from atleastk.runs.registry import PROBLEMS, algorithm_named, problem_named
from scripts.benchmarks import plants


def test_every_start_is_judged_and_counted(monkeypatch):
    seconds = iter([3.0, 5.0])
    monkeypatch.setattr(plants.time, "process_time", lambda: next(seconds))
    problem = PROBLEMS["bin-covering"]
    judge = Judge(problem, algorithm_named(problem, "fold"))
    ground = problem_named("bin-covering").ground
    starts = len(ground.ks) * len(ground.fields)
    assert plants.rate(judge, seconds=0) == starts / 2


def test_the_table_has_a_row_for_each_problem(monkeypatch, capsys):
    monkeypatch.setattr(plants, "rate", lambda judge, _: len(judge.algorithm.name))
    plants.main([])
    out = capsys.readouterr().out
    assert "| bin-covering | `fold` | 4 | `longest-processing-time` | 23 |" in out
    assert len(out.splitlines()) == 2 + len(PROBLEMS)
