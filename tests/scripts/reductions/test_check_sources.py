import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest

from atleastk.instances.reductions import exact_cover
from scripts.reductions import check_sources as sources


def test_triple_systems_up_to_isomorphism():
    sizes = Counter(map(len, sources.triple_systems(6, 4)))
    assert (sizes[1], sizes[2], sizes[3], sizes[4]) == (1, 3, 7, 21)


def test_cubic_graphs_are_all():
    graphs = [nx.Graph(problem.edges) for problem in sources.cubic_graphs(8, 0)]
    assert len(graphs) == 5
    assert all(nx.is_connected(graph) for graph in graphs)
    assert not any(nx.is_isomorphic(a, b) for a, b in combinations(graphs, 2))


def test_script_writes_its_report(monkeypatch, tmp_path):
    claims = [r for r in sources.every() if r.source in ("X3C", "RPT")]
    monkeypatch.setattr(sources, "every", lambda: claims)
    sources.main(["--quick", "--out", str(tmp_path)])
    reports = json.loads((tmp_path / "reduction_sources.json").read_text())
    assert len(reports) == len(claims)
    refuted = [report for report in reports if report["refuted"]]
    assert [(r["source"], r["target"], r["repaired"]) for r in refuted] == [
        ("RPT", "c'-SUP", False)
    ]
    assert len(refuted[0]["refuted"]["instance"]["edges"]) == 9
    assert refuted[0]["reference"] == "[Chaytor06] Lemma 4.1.8"


def test_refuted_repairs_end_the_script(monkeypatch, tmp_path):
    wrong = replace(
        exact_cover.REDUCTIONS[0], back=lambda problem, cells: None, repaired=True
    )
    monkeypatch.setattr(sources, "every", lambda: [wrong])
    with pytest.raises(SystemExit, match=r"WRONG\nX3C -> e-SUP"):
        sources.main(["--quick", "--out", str(tmp_path)])
