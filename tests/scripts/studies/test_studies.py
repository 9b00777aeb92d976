import tomllib
from pathlib import Path

import pytest
from every_problem import SETTLED

import atleastk
from atleastk.runs.pools import Here
from atleastk.runs.registry import problem_named
from scripts.studies import drawn

FOLDER = Path(drawn.__file__).parent
TABLES = Path(__file__).parents[3] / "docs/benchmarks"
SPECS = sorted(path.stem for path in FOLDER.glob("*.toml"))


def few(given):
    """Return a source with the first of its seeds and of its values each.

    Its time is that of the study.
    """
    kept = {k: v for k, v in given.items() if k != "time_limit"}
    first = {k: v[:1] if isinstance(v, list) else v for k, v in kept.items()}
    return first | {"seeds": 1} if "seeds" in given else first


@pytest.mark.parametrize("name", SPECS)
def test_a_study_of_few_of_the_instances_has_no_fault(name):
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    data["instances"] = [few(given) for given in data["instances"][:2]]
    data["time_limit"] = 5 if data.get("algorithms") != [] else 0.2
    found = atleastk.conduct(atleastk.Study.from_dict(data, FOLDER), executor=Here())
    assert found.ratios().faults == []
    assert "failed" not in found.states


@pytest.mark.parametrize("name", SPECS)
def test_its_table_is_published(name):
    alone = name.startswith(("targets", "versus", "peers"))
    file = name if alone else f"ratios_{name}"
    table = (TABLES / f"{file}.md").read_text()
    study = atleastk.Study.load(FOLDER / f"{name}.toml")
    assert table.startswith(f"# {study.title}\n")
    for algorithm in study.known:
        assert f"| {algorithm} |" in table
    assert not study.known or "wrong answers and broken promises: 0.\n" in table


def test_every_algorithm_is_in_a_study():
    studies = [atleastk.Study.load(FOLDER / f"{name}.toml") for name in SPECS]
    for problem in map(problem_named, SETTLED):
        known = {
            which for s in studies if s.problem == problem.name for which in s.known
        }
        assert {each.name for each in problem.algorithms} <= known, problem.name


GATHERED = ["r-gather", "r-eps-gather", "k-r-center", "k-r-eps-center", "k-center"]
CELLULAR = ["cellular", "r-cellular", "r-eps-cellular"]


@pytest.mark.parametrize("kind", [*GATHERED, *CELLULAR])
def test_metrics_are_of_their_problem(kind):
    for seed in range(30):
        made = drawn.metric(seed, kind)
        assert 3 <= made.n <= 7
        assert ("eps" in kind) == bool(made.max_outliers)
        assert (made.problem == "r-gather") != kind.endswith("cellular")
        assert not made.not_metric


def test_the_same_seed_draws_the_same():
    for make in (drawn.bins, drawn.table, drawn.small_map):
        assert make(7) == make(7)
    for problem in drawn._SHAPED:
        assert drawn.shaped(7, problem) == drawn.shaped(7, problem)
        assert drawn.shaped(7, problem).problem == problem
    forwards = atleastk.generate("bin-covering", "tight-fold", k=5)
    assert drawn.backwards(0, "tight-fold", k=5).sizes == forwards.sizes[::-1]
