"""The ratios of the algorithms of maps: a run, and what ends it."""

import pytest

from atleastk.registry import problem_named


@pytest.fixture
def ratios(script, monkeypatch):
    module = script("ratios.maps")
    monkeypatch.setattr(module, "PARTS", (82,))
    return module


def test_script_writes_its_report(ratios, tmp_path):
    """A row for every algorithm, nothing wrong; counties, as far as time goes."""
    ratios.main(["--instances", "3", "--out", str(tmp_path), "--seconds", "0.1"])
    report = (tmp_path / "ratios_maps.md").read_text()
    rows = [line for line in report.splitlines() if line.startswith("| `")]
    assert len(rows) == sum(
        len(problem_named(name).algorithms) for name in ratios.DRAWN
    )
    assert "costs below the optimum: 0.\n" in report
    assert "| MS n=82 P=82 |" in report


def test_wrong_answers_end_the_script(ratios, monkeypatch, tmp_path):
    """Loudly, with exit code 1."""
    judge = ratios.enumerated
    wrong = lambda instance: None if judge(instance) is None else 2**62  # noqa: E731
    monkeypatch.setattr(ratios, "enumerated", wrong)
    monkeypatch.setattr(ratios, "PARTS", ())
    with pytest.raises(SystemExit, match=r"WRONG\n.*is below the optimum"):
        ratios.main(["--instances", "2", "--out", str(tmp_path)])
