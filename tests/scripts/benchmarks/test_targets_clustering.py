"""The targets of clustering: their instances."""

import gzip

import pytest


@pytest.fixture
def targets(script):
    return script("benchmarks.targets_clustering")


@pytest.fixture
def places(tmp_path):
    """A file of places, one of them not in a contiguous state."""
    path = tmp_path / "places.csv.gz"
    rows = ["state,lat,lon", "NY,40.7,-74.0", "AK,61.2,-149.9"]
    rows += [f"TX,{30 + i / 1000},-95.0" for i in range(2100)]
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    return path


def test_cities_are_of_contiguous_states(script, places):
    """The most populous first."""
    case = script("benchmarks.cases_clustering").cities(places, 3, 2)
    assert case.instance.points == ((40.7, -74.0), (30.0, -95.0), (30.001, -95.0))
    assert case.instance.metric == "great-circle"


def test_every_target_is_an_instance_of_its_size(targets, places):
    """Sizes are what they are called; both problems are there."""
    cases = list(targets.every(places, 1))
    assert len(cases) == 3 + 1 + 4 + 5 + 2 + 1 + 1 + 4 + 3
    for case in cases:
        assert case.size.startswith(f"n={case.instance.n} r={case.instance.r}")
    assert {case.family.split(",")[0] for case in cases} == {"r-gather", "cellular"}
    (limited,) = [case for case in cases if "k=10" in case.size]
    assert (limited.instance.max_clusters, limited.instance.max_outliers) == (10, 10)
    (priced,) = [case for case in cases if "median" in case.size]
    assert len(set(priced.instance.facility_costs)) == 1
