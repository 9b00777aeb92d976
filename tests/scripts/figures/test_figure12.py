"""The script of Figures 12 and 13, run on a slice of the sample of Adult."""

import csv

import pytest

from atleastk.instances.datasets.adult import COLUMNS, adult


def test_points_report_and_figures(script, tmp_path):
    """Every algorithm has a point for every k and number of columns."""
    pytest.importorskip("matplotlib")
    figure12 = script("figures.figure12")
    table = tmp_path / "table.csv"
    rows = [COLUMNS[:4], *(row[:4] for row in adult(2).table[:200])]
    table.write_text("\n".join(map(",".join, rows)))
    out = tmp_path / "out"
    figure12.main(
        ["--table", f"Some={table}", "--columns=4", "--k=2,8", f"--out={out}"]
    )
    with (out / "figure12.csv").open(newline="") as file:
        points = list(csv.DictReader(file))
    assert len(points) == (2 + 2) * 6
    cells = {
        (point["columns"], point["k"], point["algorithm"]): int(point["cells"])
        for point in points
    }
    for (columns, k, _), paid in cells.items():
        assert paid >= cells[columns, k, "opt-lb"] > 0
    report = (out / "figure12.md").read_text()
    assert "## Some, 4 columns" in report
    assert "- approx-gr / approx-cf, cells: " in report
    for name in ("figure12.png", "figure13.png"):
        assert (out / name).read_bytes().startswith(b"\x89PNG")


def test_ratios_are_taken_where_both_ran(script):
    """Points without a partner, and partners of 0, are left out."""
    figure12 = script("figures.figure12")
    points = [
        figure12.Point("t", 9, 2, "a", 6, 1.0),
        figure12.Point("t", 9, 2, "b", 3, 0.0),
        figure12.Point("t", 9, 4, "a", 6, 1.0),
    ]
    assert figure12.ratios(points, "a", "b", "cells") == [2.0]
    assert figure12.ratios(points, "a", "b", "seconds") == []
