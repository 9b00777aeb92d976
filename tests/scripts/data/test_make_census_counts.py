import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts/data/make_census_counts.py"


def test_shipped_table_is_reproduced(tmp_path):
    pytest.importorskip("names")
    script = runpy.run_path(str(SCRIPT))
    made = tmp_path / "counts.csv"
    script["write_table"](made)
    assert made.read_bytes() == script["OUT"].read_bytes()
