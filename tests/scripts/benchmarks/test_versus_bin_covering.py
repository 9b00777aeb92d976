"""The benchmark of bin covering: its figures, and a run of it from end to end."""

import json

import pytest


@pytest.fixture
def benchmark(script):
    return script("benchmarks.versus_bin_covering")


def test_ratio_says_on_which_side_the_truth_lies(benchmark, run):
    """Geometric means; runs that prove nothing count as the limit."""

    def ratio(*seconds):
        pairs = [
            benchmark.Pair(
                *(
                    run(seconds=s) if s < 10 else run(status="FEASIBLE", cost=8)
                    for s in both
                )
            )
            for both in seconds
        ]
        return benchmark.shown_ratio(pairs, 10.0)

    assert ratio((8.0, 1.0), (2.0, 1.0)) == "4"
    assert ratio((99, 0.1)) == ">= 100"
    assert ratio((0.1, 99)) == "<= 0.01"
    assert ratio((99, 0.1), (0.1, 99)) == "~ 1"
    assert ratio((0.001, 0.002)) == "1"


def test_median_and_gap(benchmark, run):
    """An open run is above every proved one; a gap that is there is never shown 0."""
    open_run = run(status="FEASIBLE", cost=8)
    assert benchmark.shown_median([run(), run(seconds=0.7), open_run], 10) == "0.70"
    assert benchmark.shown_median([run(), open_run], 10) == "> 10"
    assert benchmark.shown_gap(0) == "0"
    assert benchmark.shown_gap(1e-9) == "< 0.001 %"
    assert benchmark.shown_gap(0.125) == "12.500 %"


def test_report_counts_by_family_and_size(benchmark, run):
    """One row per size, one for all; errors are listed."""
    refused = run(status="REFUSED", cost=None, bound=None, error="too large")
    pairs = [
        benchmark.Pair(run(method="cp-sat", seconds=2.0), run()),
        benchmark.Pair(run(method="cp-sat", seconds=3.0), run()),
        benchmark.Pair(
            run(method="cp-sat", size="n=12", status="FEASIBLE", cost=8),
            run(size="n=12"),
        ),
        benchmark.Pair(refused, run()),
    ]
    lines = list(benchmark.report_lines(pairs[:3], 10.0))
    rows = [line for line in lines if line.startswith(("| uniform", "| **all"))]
    assert rows == [
        "| uniform-1e2 | n=9 | 2 | 2 | 2 | 0 | 0 | 3.00 | 0.50 | 4.9 |",
        "| uniform-1e2 | n=12 | 1 | 0 | 1 | 12.500 % | 0 | > 10 | 0.50 | >= 20 |",
        "| **all** |  | 3 | 2 | 3 | 4.167 % | 0 | 3.00 | 0.50 | >= 7.83 |",
    ]
    assert "PAR-2 over all instances: textbook 8.33 s, atleastk 0.50 s." in lines
    pairs[3] = benchmark.Pair(benchmark.Run(**fields_of(refused, "cp-sat")), run())
    assert any("too large" in line for line in benchmark.report_lines(pairs, 10.0))


def fields_of(made, method):
    fields = {name: getattr(made, name) for name in made.__dataclass_fields__}
    return fields | {"method": method}


def test_whole_benchmark_and_its_resumption(
    benchmark, trials, monkeypatch, tmp_path, capsys
):
    """Both sides prove the same on a tiny instance; a second start runs nothing."""
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(benchmark, "SIZES", {"uniform-1e2": (9,)})
    asked = ["--seeds", "1", "--time-limit", "5", "--out", str(tmp_path)]
    benchmark.main(asked)
    textbook, ours = map(
        json.loads, (tmp_path / "bin_covering.jsonl").read_text().splitlines()
    )
    assert [textbook["method"], ours["method"]] == ["cp-sat", "auto"]
    assert textbook["status"] == ours["status"] == "OPTIMAL"
    assert textbook["cost"] == ours["cost"]
    assert textbook["proved_by"] == "cp-sat"
    assert ours["found_by"]
    assert ours["proved_by"]
    assert ours["sources"] == trials.fingerprint()
    report = (tmp_path / "bin_covering.md").read_text()
    assert "| uniform-1e2 | n=9 | 1 | 1 | 1 | 0 | 0 |" in report
    assert (tmp_path / "bin_covering.png").read_bytes().startswith(b"\x89PNG")

    monkeypatch.delattr(trials.Trial, "perform")
    capsys.readouterr()
    benchmark.main(asked)
    assert "2 trials, 2 of them in" in capsys.readouterr().out
    assert (tmp_path / "bin_covering.md").read_text() == report
