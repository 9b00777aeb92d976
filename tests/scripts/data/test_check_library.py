from dataclasses import replace

import pytest
from every_problem import SETTLED

import atleastk
from atleastk.research.collecting.library import Library
from scripts.data.check_library import disagreement, main


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("problem", SETTLED)
def test_both_checkers_agree_on_the_library(problem, every, capsys):
    status = main(["--problem", problem, "--every", str(every)])
    assert (status, capsys.readouterr().out.count("\n")) == (0, 3)


def test_what_is_wrong_is_named(tmp_path, capsys):
    record = atleastk.library["bin-covering-worst-k8-n7"]
    certificate = {**record.certificate, "refutes": 10}
    Library(tmp_path).with_all([replace(record, certificate=certificate)], tmp_path)
    assert main(["--folder", str(tmp_path), "--problem", "bin-covering"]) == 1
    assert "bin-covering-worst-k8-n7: does not hold" in capsys.readouterr().out


def test_what_only_one_refuses_is_a_disagreement():
    assert disagreement(None, certified=True, second=True) == ""
    assert disagreement(None, certified=False, second=False) == ""
    assert "proved to the second" in disagreement(None, certified=True, second=False)
    assert "KeyError" in disagreement(None, certified=True, second="KeyError('p')")
