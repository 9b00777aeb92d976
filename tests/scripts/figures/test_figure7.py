"""The script of Figure 7, run on a slice of MALE-1990."""

import csv
import gzip
import io
import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts/figures/figure7.py"


@pytest.fixture
def figure7():
    return runpy.run_path(str(SCRIPT))


def test_panel_table_and_figure(figure7, tmp_path):
    """Every curve has a cost for every k, none below the optimum; files are whole."""
    pytest.importorskip("matplotlib")
    panel = figure7["optima"]("male")
    thin = slice(0, None, 97)
    panel.costs["optimum"][:] = panel.costs["optimum"][thin]
    panel = figure7["Panel"]("male", panel.ks[thin], panel.costs)
    figure7["add_curves"](panel, seed=1, workers=1)
    assert set(panel.costs) == {"optimum", *figure7["CURVES"]}
    assert {len(costs) for costs in panel.costs.values()} == {len(panel.ks)}
    assert 1.49 < max(panel.overfull("optimum")) <= 1.51
    assert max(panel.to_optimum("decreasing Spread")) <= 2

    costs, table, drawn = (tmp_path / name for name in ("c.csv.gz", "t.md", "f.png"))
    figure7["write_costs"]([panel], costs)
    rows = list(csv.reader(io.StringIO(gzip.decompress(costs.read_bytes()).decode())))
    assert len(rows) == len(panel.ks) + 1
    assert rows[1][:2] == ["male", str(panel.ks[0])]
    figure7["write_table"]([panel], 1, table)
    assert "| decreasing Spread |" in table.read_text()
    figure7["draw"]([panel], drawn)
    assert drawn.read_bytes().startswith(b"\x89PNG")
