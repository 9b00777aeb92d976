import pytest

import atleastk
from atleastk import NotApplicableError, Status

HUGE = (2**63 - 1, 2**63, 2**64, 10**30, 10**400)
LEVELS = [[["a", "*"], ["b", "*"]]]
ROWS = [["a"], ["b"], ["b"]]
TABLES = {
    "k-anonymity": {},
    "k-ambiguity": {},
    "suppression": {},
    "generalization": {"hierarchies": LEVELS},
}
LEAST = {
    **{name: {"table": ROWS, "k": None, **more} for name, more in TABLES.items()},
    "r-gather": {"distances": [[0, 1], [1, 0]], "r": None},
    "cellular-clustering": {"distances": [[0, 1], [1, 0]], "r": None},
    "connected-partition": {"weights": [1, 2], "edges": [[0, 1]], "k": None},
    "rectangle-tiling": {"points": [[0, 0, 1], [1, 0, 2]], "k": None},
    "bin-covering": {"sizes": [1, 2], "k": None},
    "interval-covering": {"sizes": [1, 2], "k": None},
}
QUANTITIES = ("rows", "columns", "entries", "per_row", "per_column")


def answers(document):
    instance, problem = atleastk.from_dict(document), document["problem"]
    for method in ("auto", *(m.name for m in atleastk.methods(problem))):
        try:
            yield atleastk.solve(instance, method=method, workers=1, certify=True)
        except NotApplicableError:
            assert method != "auto"
    for algorithm in atleastk.algorithms(problem):
        try:
            yield atleastk.approximate(instance, algorithm.name)
        except NotApplicableError:
            assert algorithm.refuses(instance) is not None


@pytest.mark.parametrize("huge", [4, *HUGE], ids=range(len(HUGE) + 1))
@pytest.mark.parametrize("problem", list(LEAST))
def test_a_least_size_above_all_there_is_is_infeasible(problem, huge):
    fields = {
        name: huge if value is None else value for name, value in LEAST[problem].items()
    }
    found = list(answers({"problem": problem, **fields}))
    assert {result.status for result in found} == {Status.INFEASIBLE}


@pytest.mark.parametrize("huge", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize("problem", list(TABLES))
def test_an_empty_table_has_groups_of_any_size(problem, huge):
    fields = {**LEAST[problem], "table": [], "k": huge}
    assert {result.cost for result in answers({"problem": problem, **fields})} == {0}


@pytest.mark.parametrize("minimise", [*QUANTITIES, "none", "k"])
def test_huge_limits_limit_nothing(minimise):
    table = {"problem": "suppression", "table": ROWS, "k": 2, "minimise": minimise}
    for quantity, huge in zip(QUANTITIES, HUGE, strict=True):
        for deletion in {False, quantity in ("rows", "columns")}:
            fields = {**table, "deletion": deletion}
            plain = {**fields, "limits": {quantity: 3}}
            best = atleastk.solve(atleastk.from_dict(plain)).cost
            found = list(exact({**fields, "limits": {quantity: huge}}))
            assert {result.cost for result in found} == {best}


def exact(document):
    return (r for r in answers(document) if r.status is not Status.FEASIBLE)


@pytest.mark.parametrize("huge", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize("problem", ["r-gather", "cellular-clustering"])
def test_huge_numbers_of_clusters_and_outliers_limit_nothing(problem, huge):
    line = {"problem": problem, "points": [[0], [3]], "metric": "manhattan"}
    for fields in ({"r": 1, "max_clusters": huge}, {"r": 2, "max_outliers": huge}):
        assert {result.cost for result in answers({**line, **fields})} == {0}


@pytest.mark.parametrize("huge", HUGE, ids=range(len(HUGE)))
def test_huge_numbers_of_rectangles_limit_nothing(huge):
    grid = {"problem": "rectangle-tiling-grid", "grid": [[1, 2], [3, 4]], "p": huge}
    assert {result.cost for result in exact(grid)} == {4}
