import pytest

import atleastk

BINS = atleastk.generate("bin-covering", "uniform", n=5000)
MOST = 2500
"""Characters of a few lines."""


def test_small_ones_are_shown_in_full():
    shown = repr(atleastk.BinCovering([1, 2, 3], 3))
    assert shown.startswith("BinCovering(")
    assert "sizes=(1, 2, 3), k=3, objective='max'" in shown


@pytest.fixture(scope="module")
def results():
    fields = {"family": "uniform", "seeds": 300, "n": 6}
    document = {
        "problem": "bin-covering",
        "instances": [fields],
        "algorithms": ["fold"],
        "methods": ["subset-dp"],
    }
    return atleastk.conduct(atleastk.Study.from_dict(document), workers=1)


def test_results_of_studies_and_all_that_they_hold(results):
    ratios = results.ratios()
    for one in (results, ratios, ratios["fold"], ratios.worst):
        assert len(repr(one)) < MOST
    assert repr(results).startswith("StudyResults(problem='bin-covering', ")


@pytest.mark.parametrize(
    "make",
    [
        lambda: BINS,
        lambda: atleastk.approximate(BINS, "spread"),
        lambda: atleastk.approximate(BINS, "spread").solution,
        lambda: atleastk.Study(problem="bin-covering", instances=[BINS] * 50),
        lambda: max(
            atleastk.library.filter(problem="k-anonymity"), key=lambda r: r.instance.n
        ),
        lambda: atleastk.anonymize([*zip("abcd" * 500, "xyzxy" * 400, strict=True)], 3),
    ],
    ids=["instance", "result", "solution", "study", "record", "table"],
)
def test_large_objects_take_a_few_lines(make):
    assert len(repr(make())) < MOST
