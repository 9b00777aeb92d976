import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pages import Reader, needs_browser, too_wide

import atleastk
from atleastk.research.studies import results as studies_results
from atleastk.research.studies.page import page_of, pictures_of
from atleastk.research.studies.profiles import gaps_over_time, time_factors
from atleastk.research.studies.spec import RunLimits
from atleastk.runs.pools import Here
from atleastk.runs.registry import instance_from_dict

NASTY = "<script>alert('x')</script>&\"quoted\" "
MADE = datetime(2026, 1, 2, tzinfo=UTC)


@atleastk.algorithm("bin-covering", guarantee=1.1, name=NASTY)
def one_bin(instance):
    return [range(instance.n)]


def half(instance):
    return [range(instance.n // 2)]


@pytest.fixture(scope="module")
def results():
    study = atleastk.Study(
        problem="bin-covering",
        instances=[{"family": "uniform", "seeds": 3, "n": 7, "k": 90}],
        algorithms=["spread", one_bin, half],
        methods=["subset-dp", "auto"],
        title=NASTY,
        limits=RunLimits(certify=True),
    )
    return atleastk.conduct(study, executor=Here())


def written(results, title):
    ratios = results.ratios()
    return page_of(results, ratios, pictures_of(results, ratios), title, MADE)


@pytest.fixture(scope="module")
def page(results):
    return written(results, results.title)


def test_the_page_is_whole_and_loads_nothing(page):
    reader = Reader(page)
    assert all(link.startswith("data:") for link in reader.links)
    assert reader.elements.count("script") == 1
    assert NASTY.strip() in "".join(reader.texts)


def test_the_page_tells_ratios_faults_methods_and_versions(page, results):
    text = " ".join("".join(Reader(page).texts).split())
    for told in (results.ratios().told, "15 runs, 15 done", *results.versions):
        assert told in text
    assert "half returned a wrong solution" in text
    assert "breaks ratio <= 1.1" in text
    assert "3 certified" in text
    worst = results.ratios().worst
    assert f"{worst.ratio:.4f}" in text
    assert f'"sizes": {list(worst.instance.sizes)}' in text


def test_an_instance_that_is_the_worst_of_two_is_drawn_once(page, results):
    found = [tally for tally in results.ratios() if tally.top]
    one, other = sorted(found, key=lambda tally: -tally.worst.ratio)
    assert one.worst.instance == other.worst.instance
    assert page.count("<figure>") == 3 + 2
    text = " ".join("".join(Reader(page).texts).split())
    assert f"The worst one, too, of {other.name} ({other.worst.ratio:.4f})" in text
    heads = re.findall(r"<button[^>]*>([^<]*)</button>", page)
    assert heads[:2] == ["algorithm", "of promise"]
    assert heads[heads.index("promise") + 1] == "method"
    assert not {"missed 0", "failed", "not taken"} & set(heads)


def test_costs_that_are_squares_tell_their_radii_too():
    @atleastk.algorithm("r-gather", guarantee=1.5)
    def all_in_one(instance):
        return {"groups": [range(instance.n)], "centres": [0]}

    row = atleastk.RGather(points=[(0,), (1,), (10,), (11,)], r=2)
    study = atleastk.Study(problem="r-gather", instances=[row], algorithms=[all_in_one])
    text = written(atleastk.conduct(study, executor=Here()), "squares")
    assert "Cost 121 (radius 11), optimum 1 (radius 1): points" in text
    assert "costs 121 (radius 11), the optimum 1 (radius 1): breaks" in text


def test_the_run_that_is_the_worst_is_drawn():
    def auto(instance, seed):
        n = instance.n
        return [range(n)] if seed else [range(n // 2), range(n // 2, n)]

    row = atleastk.BinCovering([5, 5, 5, 5], 10)
    study = atleastk.Study(
        problem="bin-covering", instances=[row], algorithms=[auto], seeds=[0, 1]
    )
    text = written(atleastk.conduct(study, executor=Here()), "seeds")
    assert "Cost 20, optimum 10" in text
    assert re.findall(r"<figcaption[^>]*>(auto: [^<]*)<", text) == [
        "auto: cost 20.",
        "auto: cost 10.",
    ]


@needs_browser
def test_it_fits_any_screen(page, tmp_path):
    assert too_wide([page], tmp_path) == []


def test_the_page_draws_curves_if_it_is_asked_for(results):
    text = written(replace(results, against="k"), "curves")
    assert "CPU seconds against k" in " ".join(Reader(text).texts)


def test_a_study_without_algorithms_or_results_has_a_page(results):
    only = [row for row in results.rows if row["kind"] == "method"]
    text = written(replace(results, rows=only), "exact")
    assert "Algorithms" not in Reader(text).texts
    assert "nothing" not in written(replace(results, rows=[]), "none")


def test_every_instance_is_parsed_once(results, monkeypatch):
    parsed = []

    def noting(document):
        parsed.append(document["name"])
        return instance_from_dict(document)

    monkeypatch.setattr(studies_results, "instance_from_dict", noting)
    fresh = replace(results, against="k")
    written(fresh, "once")
    assert fresh.table
    assert len(parsed) == len(set(parsed)) == 3


def row(**fields):
    told = '{"status": "UNKNOWN"}'
    plain = {"key": "k", "kind": "method", "state": "done", "result": told}
    return plain | {"status": "OPTIMAL", "cost": 8, "bound": 8} | fields


def test_times_are_compared_with_the_best_of_each_instance(results):
    rows = [
        row(instance="a", name="x", seconds=1.0),
        row(instance="a", name="y", seconds=3.0),
        row(instance="b", name="x", seconds=8.0, status="FEASIBLE"),
        row(instance="b", name="y", seconds=2.0, status="INFEASIBLE"),
    ]
    assert time_factors(replace(results, rows=rows)) == {"x": [1.0], "y": [3.0, 1.0]}


def test_gaps_fall_as_bounds_rise_and_costs_fall(results):
    events = '{"status": "UNKNOWN", "events": [[1.0, 10, null], [2.0, 10, 5]]}'
    rows = [
        row(instance="a", name="x", seconds=3.0, result=events),
        row(instance="b", name="x", seconds=4.0, status="UNKNOWN", cost=None),
    ]
    (seconds, heights) = gaps_over_time(replace(results, rows=rows))["x"]
    assert list(seconds) == [1.0, 2.0, 3.0, 4.0]
    assert list(heights) == [1.0, 0.75, 0.5, 0.5]


def test_the_command_writes_page_and_figures(results, tmp_path, run, done, refused):
    study = atleastk.Study(
        problem="bin-covering",
        instances=[{"family": "uniform", "seeds": 2, "n": 5}],
        algorithms=["spread"],
    )
    file = tmp_path / "small.db"
    atleastk.conduct(study, file, executor=Here())
    written = done("report", file, "--figures", tmp_path).split()
    assert written[0] == str(tmp_path / "small.html")
    assert "<title>Study small</title>" in (tmp_path / "small.html").read_text()
    ends = [f"{n}.{end}" for n in ("ratios", "gaps") for end in ("svg", "pdf", "png")]
    assert written[1:] == [str(tmp_path / end) for end in ends]
    done("report", file, "--figures", tmp_path / "new")
    assert len(list((tmp_path / "new").iterdir())) == len(ends)
    lost = "--figures", tmp_path / "no/new", "-o", tmp_path / "lost.html"
    assert "cannot be written: " in refused("report", file, *lost)
    assert not (tmp_path / "lost.html").exists()
    refused("report", file, "-o", tmp_path / "a.pdf")
    assert "no such file" in refused("report", tmp_path / "none.db")
