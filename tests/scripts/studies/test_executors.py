import pytest

from scripts.studies import executors
from scripts.studies.executors import main


@pytest.mark.filterwarnings("default")  # what Dask says of a busy machine
def test_executors_agree_and_their_costs_are_a_table(tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(executors, "WORKERS", 1)
    out = tmp_path / "executors.md"
    assert main(["--instances", "3", "--out", str(out)]) == 0
    rows = out.read_text().splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == ["| local processes", "| Dask"]
    assert all(" | 6 | " in row for row in rows)


def test_other_results_are_a_fault(monkeypatch, capsys):
    costs = iter([[{"cost": 1}], [{"cost": 2}]])

    def found(*_):
        rows = [dict.fromkeys(executors._LASTING) | row for row in next(costs)]
        return ([1], type("Found", (), {"rows": rows}))

    monkeypatch.setattr(executors, "measured", found)
    monkeypatch.setattr(executors, "executors", lambda _: [("a", None), ("b", None)])
    assert main([]) == 1
    assert "| a | 1 |" in capsys.readouterr().out
