"""The targets of maps: their instances."""

import gzip
from itertools import pairwise

import pytest

STATES = {"AA": 6, "BB": 3, "CC": 40}


@pytest.fixture
def targets(script):
    return script("benchmarks.targets_maps")


@pytest.fixture
def folder(tmp_path):
    """States that are paths, but for the last node of AA, an island."""
    nodes, edges = ["state,fips,name,population,lon,lat"], ["state,fips_u,fips_v"]
    for state, n in STATES.items():
        codes = [f"{state}{i:03}" for i in range(n)]
        nodes += [
            f"{state},{code},{code},{10 + i},{i},0" for i, code in enumerate(codes)
        ]
        joined = codes[: n - (state == "AA")]
        edges += [f"{state},{u},{v}" for u, v in pairwise(joined)]
    for kind in ("county", "tract"):
        for what, lines in (("nodes", nodes), ("edges", edges)):
            packed = gzip.compress("\n".join(lines).encode())
            (tmp_path / f"{kind}_{what}_2010.csv.gz").write_bytes(packed)
    return tmp_path


def test_states_have_a_part_per_node_at_most(script, folder):
    maps = script("benchmarks.cases_maps")
    cases = list(maps.counties(folder, (4, 8, maps.HALF)))
    island = " (an island below k: infeasible)"
    assert [case.size for case in cases] == [
        f"AA n=6 P=4{island}",
        f"AA n=6 P=3{island}",
        "BB n=3 P=1",
        "CC n=40 P=4",
        "CC n=40 P=8",
        "CC n=40 P=20",
    ]
    for case in cases:
        parts = int(case.size.split("P=")[1].split()[0])
        assert case.instance.k == case.instance.total // parts
        assert case.family == "counties, 2010"


def test_without_files_there_is_mississippi(script):
    maps = script("benchmarks.cases_maps")
    (case,) = maps.counties(None, (8,))
    assert case.size == "MS n=82 P=8"
    assert list(maps.tracts(None, (8,))) == []


def test_every_target(targets, folder):
    """Counties have their own time, tracts a gap, the rest is to be proved."""
    asked = list(targets.every([folder, folder], 1))
    by_family = {}
    for target in asked:
        by_family.setdefault(target.case.family, []).append(target)
    assert {family: len(found) for family, found in by_family.items()} == {
        "connected-partition, delaunay": 3,
        "connected-partition, cubic": 1,
        "rectangle-tiling, uniform": 3,
        "rectangle-tiling, clustered": 1,
        "rectangle-tiling, full-lattice": 1,
        "rectangle-tiling-grid, uniform": 4,
        "counties, 2010": 7,
        "tracts, 2010": 1,
    }
    assert {target.seconds for target in by_family["counties, 2010"]} == {300.0}
    assert by_family["tracts, 2010"][0].gap == 0.02
    (full,) = by_family["rectangle-tiling, full-lattice"]
    assert len(full.case.instance.points) == 900
    assert all(t.gap == 0 for t in asked if t.case.family != "tracts, 2010")
    assert len({str(target.case) for target in asked}) == len(asked)
