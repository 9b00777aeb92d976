"""Checking the sources of the web: its exact methods, its instances, and a run."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import networkx as nx
import pytest

from atleastk.instances.reductions import exact_cover
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import measures, solution_of_groups


@pytest.fixture
def sources(script):
    return script("reductions.check_sources")


@pytest.fixture
def optima(script):
    return script("reductions.source_optima")


@pytest.fixture
def instances(script):
    return script("reductions.source_instances")


def tables():
    rng = Random(3)
    for n in (6, 7, 8):
        for _ in range(5):
            m = rng.randint(1, 5)
            yield tuple(tuple(rng.randrange(3) for _ in range(m)) for _ in range(n))


@pytest.mark.parametrize("quantity", ["entries", "per_column", "per_row"])
def test_groups_and_partitions_agree(optima, quantity):
    """The models for larger tables against all partitions of small ones."""
    for table in tables():
        instance = Suppression(table, 3, minimise=quantity)
        expected, groups = optima.best_partition(table, 3, quantity)
        solution = solution_of_groups(instance, groups)
        assert measures(instance, solution)[quantity] == expected
        if quantity == "per_row":
            found, groups = optima.least_per_row(table, 3)
        else:
            found, groups = optima.least_by_groups(table, 3, quantity)
        solution = solution_of_groups(instance, groups)
        assert found == expected == measures(instance, solution)[quantity]
        assert min(map(len, groups)) >= 3


def test_partitions_are_all(optima):
    """Of nine rows into groups of three or more there are 491, of six 11."""
    assert sum(1 for _ in optima.partitions(range(6), 3)) == 11
    found = {
        frozenset(map(frozenset, groups)) for groups in optima.partitions(range(9), 3)
    }
    assert len(found) == 491


def test_column_sets_are_all(optima):
    """Against all subsets of columns."""
    for table in tables():
        columns = range(len(table[0]))
        expected = [
            kept
            for size in range(len(columns) + 1)
            for kept in combinations(columns, size)
            if min(Counter(tuple(row[j] for j in kept) for row in table).values()) >= 3
        ]
        assert sorted(optima.column_sets(table, 3)) == sorted(expected)


def test_triple_systems_up_to_isomorphism(instances):
    """As many as are known: 1 of one triple, 3 of two, 7 of three on six elements."""
    sizes = Counter(map(len, instances.triple_systems(6, 4)))
    assert (sizes[1], sizes[2], sizes[3], sizes[4]) == (1, 3, 7, 21)


def test_cubic_graphs_are_all(instances):
    """Five of eight vertices, no two of them isomorphic."""
    graphs = [nx.Graph(problem.edges) for problem in instances.cubic_graphs(8, 0)]
    assert len(graphs) == 5
    assert all(nx.is_connected(graph) for graph in graphs)
    assert not any(nx.is_isomorphic(a, b) for a, b in combinations(graphs, 2))


def test_wrong_claims_are_caught(sources):
    """A limit that is one off, a way back that is lost, a wrong alpha."""
    entries = exact_cover.REDUCTIONS[0]
    yes = ExactCover(6, [(0, 1, 2), (3, 4, 5), (1, 2, 3)])
    no = ExactCover(6, [(0, 1, 2), (2, 3, 4)])
    assert sources.objection(entries, yes) is None
    assert sources.objection(entries, no) is None

    def lax(problem):
        target = exact_cover.to_entries(problem)
        return replace(target, limits={"entries": target.most["entries"] + 3})

    assert "it answers no" in sources.objection(replace(entries, forward=lax), no)
    lost = replace(entries, back=lambda problem, cells: None)
    assert "comes back" in sources.objection(lost, yes)


def test_script_writes_its_report(sources, monkeypatch, tmp_path):
    """Few instances of few claims: who is refuted, and by what."""
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
    text = (tmp_path / "reduction_sources.md").read_text()
    assert "| RPT -> c'-SUP (many-one) | [Chaytor06] Lemma 4.1.8 |" in text


def test_refuted_repairs_end_the_script(sources, monkeypatch, tmp_path):
    """Loudly, with exit code 1."""
    wrong = replace(
        exact_cover.REDUCTIONS[0], back=lambda problem, cells: None, repaired=True
    )
    monkeypatch.setattr(sources, "every", lambda: [wrong])
    with pytest.raises(SystemExit, match=r"WRONG\nX3C -> e-SUP"):
        sources.main(["--quick", "--out", str(tmp_path)])
