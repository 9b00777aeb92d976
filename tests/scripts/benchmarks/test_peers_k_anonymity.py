"""The comparison with other anonymisers: its tables, and who is found to be better."""

import gzip

import pytest

from atleastk.instances.k_anonymity import KAnonymity


@pytest.fixture
def peers(script):
    return script("benchmarks.peers_k_anonymity")


def test_samples_are_those_of_r(peers):
    """R 4: set.seed(1); sample(100, 5) is 68 39 1 34 87."""
    assert [i + 1 for i in peers.r_sample(1, 100, 5)] == [68, 39, 1, 34, 87]


def test_a_sample_holds_every_row_once(peers):
    assert sorted(peers.r_sample(7, 300, 300)) == list(range(300))
    assert peers.r_sample(3, 1, 1) == [0]


def test_every_table_has_every_k_once(peers, tmp_path):
    path = tmp_path / "adult.csv.gz"
    rows = [",".join(str(i * j % 7) for j in range(9)) for i in range(2000)]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(["age,b,c,d,e,f,g,h,i", *rows]))
    found = list(peers.cases(path))
    assert len({(table.name, table.k) for table in found}) == len(found) == 10
    assert {table.m for table in found} == {8, 9}


@pytest.mark.parametrize(("cost", "better"), [(2683, 0), (2684, 1), (None, 2)])
def test_better_peers(peers, run, cost, better):
    """Fewer cells are better, equally many are not."""
    sample = KAnonymity([[0], [0]], 2, name=peers.SAMPLE)
    mine = run(sample, cost=cost, status="FEASIBLE", bound=1)
    assert len(list(peers.better_peers([mine]))) == better


def test_report_holds_everybody(peers, run):
    runs = [
        run(KAnonymity([[0]] * 5, k, name=peers.SAMPLE), cost=9, bound=8)
        for k in (2, 5)
    ]
    report = "\n".join(peers.report_lines(runs, 2))
    assert "| **atleastk** | **9** | **9** |" in report
    assert "3,076" in report
    assert "anjana" not in report
