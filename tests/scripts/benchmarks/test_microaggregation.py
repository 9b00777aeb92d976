import numpy as np
import pytest

from scripts.benchmarks import microaggregation as compared


def test_groups_of_the_farthest():
    points = np.array([[0.0], [1.0], [40.0], [41.0], [42.0], [99.0], [100.0]])
    assert sorted(map(sorted, compared.mdav(points, 2))) == [[0, 1], [2, 3, 4], [5, 6]]


def test_the_loss():
    points = np.array([[0.0], [2.0], [10.0], [14.0]])
    loss, mean = compared.lost(points, [[0, 1], [2, 3]]), 6.5
    assert loss == pytest.approx(10 / sum((x - mean) ** 2 for x in (0, 2, 10, 14)))


def test_a_table_line_by_line(tmp_path):
    table = tmp_path / "t.csv"
    rows = "".join(f"{x * x % 17},{x},a\n" for x in range(30))
    table.write_text(f"a,b,c\n{rows}")
    lines = list(compared.compared(f"{table}:a,b", 30, 5.0, 1))
    assert [line[:4] for line in lines] == [
        ["t.csv", "30", "2", k] for k in ("3", "5", "10")
    ]
    assert {len(line) for line in lines} == {len(compared.HEADER)}
