from atleastk.instances.datasets.adult import COLUMNS, read_adult
from scripts.data import make_adult_sample


def test_drawn_rows_keep_their_order(tmp_path):
    table, out = tmp_path / "table.csv", tmp_path / "sample.csv"
    rows = [[str(i), *"abcdefgh"] for i in range(1500)]
    table.write_text("\n".join(map(",".join, [COLUMNS, *rows])))
    drawn = []
    for _ in range(2):
        make_adult_sample.main([str(table), "--out", str(out)])
        drawn.append(read_adult(out))
    assert drawn[0] == drawn[1]
    ages = [int(row[0]) for row in drawn[0]]
    assert len(set(ages)) == 1000
    assert ages == sorted(ages)
