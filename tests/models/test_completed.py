import json

import pytest

import atleastk
from atleastk import Generalization, KAmbiguity, KAnonymity, Suppression
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.completed import completed, hidden_by, solution_of
from atleastk.models.results.solution import Solution
from atleastk.models.solutions import solution_kind
from scripts import second_checker

TABLE = [["a", 1], ["a", 2], ["b", 1], ["b", 1]]
GROUPS = [[0, 1], [2, 3]]
TREES = [suppression_of(["a", "b"]), suppression_of([1, 2])]
INSTANCES = [
    KAnonymity(TABLE, 2),
    Suppression(TABLE, 2, limits={"per_row": 1}),
    Suppression(TABLE, 2, minimise="k", limits={"rows": 3}),
    Suppression(TABLE, 2, minimise="rows"),
    KAmbiguity(TABLE, 2),
    *(Generalization(TABLE, 2, TREES, on=on) for on in ("entries", "attributes")),
    KAnonymity(TABLE[:3], 2, copies=[1, 1, 2]),
]


def kind_of(instance):
    """Return the class of its solutions; deals are those of tables with copies."""
    plain = type(instance) is KAnonymity and instance.copies is None
    return Solution if plain else solution_kind(instance.problem)


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_groups_stand_for_what_they_need(instance):
    full = completed(instance, Solution.of(GROUPS))
    assert type(full) is kind_of(instance)
    assert completed(instance, full) is full
    assert atleastk.check(instance, full) == atleastk.check(instance, GROUPS)
    if not isinstance(instance, Generalization):
        hidden = hidden_by(instance, Solution.of(GROUPS))
        assert hidden.tolist() == [[False, True]] * 2 + [[False, False]] * 2


@pytest.mark.parametrize("instance", INSTANCES[1:], ids=str)
def test_results_start_runs_and_survive_files(instance):
    result = atleastk.solve(instance, start=GROUPS)
    assert type(result.solution) is kind_of(instance)
    document = json.loads(result.to_json())
    again = atleastk.Result.from_dict(document)
    assert again.solution == result.solution
    assert atleastk.check(instance, again).feasible
    assert atleastk.check(instance, document) == atleastk.check(instance, result)
    for start in (result, document, result.solution, result.solution.to_dict()):
        assert atleastk.solve(instance, start=start).cost == result.cost


def test_the_json_object_of_a_result_is_checked_as_one():
    instance = INSTANCES[3]
    document = json.loads(atleastk.solve(instance).to_json())
    verdict = atleastk.check(instance, {**document, "cost": 3, "bound": 3})
    assert "the claimed cost is 3" in verdict.violations[0]


def test_an_object_without_groups_is_no_solution():
    with pytest.raises(InvalidResultError, match="groups: missing"):
        solution_of({"suppressed": []}, "suppression")
    with pytest.raises(InvalidResultError, match="groups: missing"):
        atleastk.solve(INSTANCES[1], start={})


def test_cells_of_a_start_count():
    instance = Suppression(TABLE, 2, minimise="none", column_order=[[0], [1]])
    cells = [[0, 1], [1, 1], [2, 1], [3, 1]]
    result = atleastk.solve(instance, start={"groups": GROUPS, "suppressed": cells})
    assert result.cost == 0
    assert hidden_by(instance, result.solution).sum() in (2, 4)


@pytest.mark.parametrize("deals", [[], [[0, 0, 1], [1, 0, 1], [2, 0, 2]]])
@pytest.mark.parametrize("instance", [INSTANCES[i] for i in (0, 4, 5, 7)], ids=str)
def test_results_have_groups_or_deals_not_both(instance, deals):
    document = json.loads(atleastk.solve(instance).to_json())
    both = {**document, "groups": GROUPS, "deals": deals}
    with pytest.raises(InvalidResultError, match="groups: expected none beside deals"):
        atleastk.Result.from_dict(both)
    with pytest.raises(second_checker.ERRORS):
        second_checker.check(json.loads(instance.to_json()), both)
