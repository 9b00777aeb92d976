"""Rows in groups: against all partitions of a few rows, and wishes that do not go."""

import random
import signal
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from tables import of_columns

import atleastk
from atleastk.doors.assigning import assign as module
from atleastk.doors.assigning.giving_up import GivenUp
from atleastk.doors.assigning.request import AssignRequest
from atleastk.doors.assigning.terms import TERMS
from atleastk.frames.open_frame import framed
from atleastk.runs.ask import Ask
from atleastk.runs.solving import solve_within
from atleastk.solvers.brute_force.bin_covering import partitions

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo"]
PUPILS = of_columns(name=NAMES, sex="fm" * 4, score=[9, 4, 6, 8, 3, 7, 5, 6])


def wishes(rng, n):
    """Return a table, and wishes for `assign`."""
    table = [
        {"sex": rng.choice("fm"), "score": rng.randint(0, 9), "x": rng.randint(0, 50)}
        for _ in range(n)
    ]
    low = rng.randint(1, 3)
    asked = {"size": (low, low + rng.randint(0, 2))}
    pairs = [[i + 1, j + 1] for i, j in combinations(range(n), 2)]
    for name in ("friends", "avoid"):
        if rng.random() < 0.5:
            chosen = rng.sample(pairs, min(4, len(pairs)))
            asked[name] = [[*pair, rng.randint(1, 3)] for pair in chosen]
    for name, column in (("near", "x"), ("mixed", "sex"), ("balance", "score")):
        if rng.random() < 0.4:
            asked[name] = [column]
    for name in ("together", "apart"):
        if rng.random() < 0.3:
            asked[name] = [rng.choice(pairs)]
    if rng.random() < 0.3:
        asked["having"] = {"sex": (1, rng.choice([2, None]))}
    if "friends" in asked:
        asked["at_least_one_friend"] = rng.random() < 0.5
    if rng.random() < 0.2:
        asked["groups"] = rng.randint(1, 3)
    if rng.random() < 0.5:
        asked["weights"] = {
            name: rng.choice([0, 2, 0.5]) for name in TERMS if asked.get(name)
        }
    return table, asked


def cost(table, asked, groups):
    """Return what groups cost by the wishes, None if they break what is required."""
    group = {row: g for g, rows in enumerate(groups) for row in rows}
    low, high = asked["size"]
    least, most = asked.get("having", {}).get("sex", (0, None))
    for rows in groups:
        if not low <= len(rows) <= high:
            return None
        for sex in {row["sex"] for row in table}:
            held = sum(table[row]["sex"] == sex for row in rows)
            if asked.get("having") and not least <= held <= (most or held):
                return None
    if len(groups) != asked.get("groups", len(groups)):
        return None
    same = lambda pair: group[pair[0] - 1] == group[pair[1] - 1]  # noqa: E731
    if not all(map(same, asked.get("together", []))):
        return None
    if any(map(same, asked.get("apart", []))):
        return None
    if asked.get("at_least_one_friend"):
        of = {pair[0]: [] for pair in asked["friends"]}
        for pair in asked["friends"]:
            of[pair[0]].append(same(pair))
        if not all(map(any, of.values())):
            return None
    weight = asked.get("weights", {})
    total = -weight.get("friends", 1) * sum(
        pair[2] for pair in asked.get("friends", []) if same(pair)
    )
    total += weight.get("avoid", 1) * sum(
        pair[2] for pair in asked.get("avoid", []) if same(pair)
    )
    scores = np.array([row["score"] for row in table], dtype=float)
    z = (scores - scores.mean()) / (scores.std() or 1.0)
    for rows in groups:
        for i, j in combinations(rows, 2):
            if "near" in asked:
                total += weight.get("near", 1) * abs(table[i]["x"] - table[j]["x"])
            if "mixed" in asked:
                total += weight.get("mixed", 1) * (table[i]["sex"] == table[j]["sex"])
        if "balance" in asked:
            total += weight.get("balance", 1) * z[rows].sum() ** 2
    return total


def has_none(table, asked):
    """Return whether that is said at once, and not after a search."""
    try:
        made = atleastk.assign(table, **asked, workers=1)
    except atleastk.InvalidInstanceError:
        return True
    assert made.group is None
    assert made.result.status == "INFEASIBLE"
    return False


@pytest.mark.parametrize("block", range(4))
def test_the_groups_are_the_best_of_all(block):
    solved = refused = 0
    for seed in range(20 * block, 20 * block + 20):
        rng = random.Random(seed)
        table, asked = wishes(rng, rng.randint(2, 7))
        costs = [cost(table, asked, groups) for groups in partitions(len(table))]
        best = min((c for c in costs if c is not None), default=None)
        if best is None:
            refused += has_none(table, asked)
            continue
        made = atleastk.assign(table, **asked, workers=1)
        solved += 1
        close = pytest.approx(best, abs=0.002)  # z in steps of 1/10,000
        assert made.cost == close, seed
        assert made.bound == close, seed
        assert cost(table, asked, made.groups) == close, seed
        assert sum(made.to_dict()["sizes"]) == len(table)
    assert solved >= 5
    assert refused >= 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"size": 3}, "size 3..3: 8 rows do not go into groups of that size"),
        ({"groups": 9}, "size 1..1: 8 rows do not go into 9 groups"),
        ({"groups": "2"}, "groups: expected an integer of at least 1, got '2'"),
        ({"groups": 2, "apart": "sex"}, 'apart: column "sex", row 1: no row is called'),
        ({"size": 0}, "size: expected a least number of rows and a most one"),
        ({"size": (4, 5), "groups": 3}, "8 rows do not go into 3 groups"),
        ({"size": (5, None), "groups": 2}, "size 5..: 8 rows do not go into 2 groups"),
        ({"groups": 4, "having": {"sex": 2}}, "; groups 4 needs that many groups"),
        ({"size": 4, "having": {"sex": 3}}, "sex f: 4 in all, too few for at least 3"),
        (
            {"size": 4, "having": {("sex", "f"): (0, 1)}},
            "sex f: 4 in all, too many for at most 1",
        ),
        ({"size": 4, "having": {("sex", "x"): 1}}, 'no row has "x"'),
        (
            {"size": 4, "together": [["Ada", "Ben"]], "apart": [["Ben", "Ada"]]},
            "Ada and Ben: together and apart",
        ),
        ({"size": 4, "apart": [["Ada", "Ben", "Eve"]]}, "apart: 3 rows of one list"),
        (
            {"size": 2, "together": [["Ada", "Ben", "Eve"]]},
            "together: 3 rows of one list",
        ),
        ({"size": 4, "friends": [["Ada", "Zoe"]]}, 'no row is called "Zoe" by "name"'),
        ({"size": 4, "friends": [["Ada"]]}, "friends, pair 1: expected two names"),
        ({"size": 4, "friends": [["Ada", "Eve", -1]]}, "a whole number of at least 0"),
        ({"size": 4, "at_least_one_friend": True}, "give friends, too"),
        (
            {
                "size": 4,
                "friends": [["Ada", "Ben"], ["Ada", "Eve"]],
                "apart": [["Ben", "Ada"], ["Ada", "Eve"]],
                "at_least_one_friend": True,
            },
            "at least one friend: Ada is apart from all of them",
        ),
        (
            {
                "size": (1, 3),
                "friends": [["Ada", "Ben"], ["Ben", "Eve"], ["Finn", "Eve"]],
                "at_least_one_friend": True,
            },
            "Ada, Ben, Eve, Finn have to be together, as each has one friend only, or "
            "is that one: 4 rows, more than 3",
        ),
        (
            {"size": 4, "balance": ["sex"]},
            'column "sex" has texts, "f" in row 1; take mixed',
        ),
        ({"size": 4, "sums": {"sex": 2}}, 'sums: column "sex" has texts'),
        ({"size": 4, "distances": [[0]]}, "expected numbers in 8 rows and 8 columns"),
        ({"size": 4, "weights": {"frends": 2}}, 'got "frends"'),
        ({"size": 4, "near": ["score"], "metric": "hops"}, "metric: expected one of"),
    ],
)
def test_wishes_that_do_not_go_are_refused_by_name(asked, said):
    with pytest.raises(atleastk.InvalidInstanceError) as refused:
        atleastk.assign(PUPILS, name="name", **asked)
    assert said in str(refused.value)


def test_wishes_may_be_columns_and_sizes_even():
    wishes = [("Eve", "", "Ben"), ("Ada", None, ""), ("", "Dan", "")]
    wishes += [("", "", "")] * 4
    names = ("first", "second", "not with")
    pupils = [
        {**pupil, **dict(zip(names, wish, strict=True))}
        for pupil, wish in zip(PUPILS, wishes, strict=False)
    ]
    asked = {"groups": 3, "name": "name"}
    made = atleastk.assign(pupils, friends=names[:2], apart="not with", **asked)
    lists, apart = [("Ada", "Eve"), ("Ben", "Ada"), ("Cleo", "Dan")], [("Ada", "Ben")]
    listed = atleastk.assign(pupils, (2, 3), friends=lists, apart=apart, **asked)
    assert made.group == listed.group
    assert made.cost == -2
    assert sorted(made.to_dict()["sizes"]) == [2, 2, 3]
    # libraries make numbers of a column floats where one is missing
    rows = [(1, 4.0), (2, float("nan")), (3, 2.0), (4, None)]
    made = atleastk.assign(rows, groups=2, name=0, friends=1)
    assert (made.group, made.cost) == ((1, 2, 2, 1), -2)


def test_rows_with_equal_names_cannot_be_meant():
    with pytest.raises(atleastk.InvalidInstanceError, match="rows 1 and 2 are called"):
        atleastk.assign([["a"], ["a"]], 1, name=0, friends=[["a", "a"]])


def test_distances_between_rows_are_kilometres():
    east, west = [(42.4, -71.1), (40.7, -74.0)], [(47.6, -122.3), (49.3, -123.1)]
    places = [{"lat": lat, "lon": lon} for lat, lon in east + west]
    made = atleastk.assign(places, 2, near=["lat", "lon"])
    assert made.group == (1, 1, 2, 2)
    assert made.cost == pytest.approx(306 + 198, abs=5)
    assert made.result.trust == "certified"


def test_the_page_shows_who_is_where_and_which_wishes_were_kept():
    lists = {"friends": [["Ada", "Eve"], ["Ben", "Dan"]], "apart": [["Ben", "Dan"]]}
    made = atleastk.assign(PUPILS, 4, name="name", balance=["score"], **lists)
    page = made.to_html("<class>")
    assert "&lt;class&gt;" in page
    assert "<class>" not in page
    assert "not kept" in page
    for pupil in PUPILS:
        assert pupil["name"] in page
    assert "1 of 2 wishes kept" in str(made)
    assert "<p>No wish is kept of Ben.</p>" in page
    assert ", of any groups" in str(made)
    unknown = str(replace(made, group=None))
    assert ", of any groups, if there are groups at all" in unknown


def test_wishes_are_counted_beside_their_weights():
    made = atleastk.assign(
        PUPILS, 4, name="name", friends=[("Ada", "Ben", 3), ("Cleo", "Dan", 1)]
    )
    assert "2 of 2 wishes kept, 4 of 4 by weight; by chance 1.714" in str(made)


@pytest.mark.parametrize("values", [[0.1] * 6, [3] * 6, [1.0, 1 + 1e-20]])
def test_numbers_that_are_the_same_are_balanced_by_all_groups(values):
    """The mean of six times 0.1 is another double than 0.1."""
    rows = [{"x": value} for value in values]
    assert atleastk.assign(rows, 1, balance=["x"], time_limit=5).cost == 0


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_deviations_are_the_same_in_all_units(unit):
    rows = [{"x": unit * value} for value in (-3, -1, 1, 3)]
    made = atleastk.assign(rows, 1, balance=["x"], alike=["x"], time_limit=5)
    assert made.cost == pytest.approx(4, abs=1e-3)


@pytest.mark.parametrize("apart", [(), [("Ada", "Ben")]])
def test_groups_cost_no_less_than_without_balance(monkeypatch, apart):
    """What wishes come to, or a run without balance, closes one that stays open."""
    runs = []

    def solved(instance, ask):
        outcome = solve_within(instance, ask)
        runs.append(outcome.result.bound)
        if len(runs) == 1:
            left_open = replace(outcome.result, status="FEASIBLE", bound=-(10**15))
            return replace(outcome, result=left_open)
        return replace(outcome, signalled=signal.SIGINT)

    monkeypatch.setattr(module, "solve_within", solved)
    lists = {"friends": [("Ada", "Cleo"), *apart], "apart": apart}
    request = AssignRequest(size=4, name="name", balance=["score"], **lists)
    ask = Ask.of(time_limit=60, workers=1)
    made, outcome = module.assign_frame(framed(PUPILS), request, ask)
    assert runs == [made.result.cost, *([-1] if apart else [])]
    assert made.bound == made.cost == -1
    assert (made.result.status, made.result.trust) == ("OPTIMAL", "proved")
    assert made.result.stopped_because == "closed"
    assert made.result.bound == made.result.cost
    assert outcome.signalled is (signal.SIGINT if apart else None)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_enough_to_give_up_alone(seed):
    """Against all partitions: for each requirement, whether groups keep the others."""
    rng = random.Random(seed)
    n = 6
    table = [{"sex": rng.choice("fm"), "score": 0, "x": 0} for _ in range(n)]
    pairs = [[i + 1, j + 1] for i, j in combinations(range(n), 2)]
    asked = {
        "size": (3, 3),
        "friends": [[*pair, 1] for pair in rng.sample(pairs, 3)],
        "at_least_one_friend": True,
        "apart": rng.sample(pairs, 3),
        "together": [rng.choice(pairs)],
    }
    wishes_of = {
        "--at-least-one-friend": {"at_least_one_friend": False},
        "--apart": {"apart": []},
        "--together": {"together": []},
        "--size": {"size": (1, n)},
    }

    def possible(**changed):
        return any(
            cost(table, asked | changed, groups) is not None for groups in partitions(n)
        )

    enough = tuple(w for w, change in wishes_of.items() if possible(**change))
    try:
        made = atleastk.assign(table, **asked)
    except atleastk.InvalidInstanceError:  # by counting alone
        assert not possible()
        return
    if made.group is None:
        assert not possible()
        assert made.too_much.required == tuple(wishes_of)
        assert set(made.too_much.enough) == set(enough)
        two = {
            (one, other)
            for one, other in combinations(wishes_of, 2)
            if not enough and possible(**wishes_of[one], **wishes_of[other])
        }
        together = made.too_much.together
        assert together in two if two else together == ()
        assert f"  give up     {made.too_much}" in str(made)
    else:
        assert possible()
        assert made.too_much is None


def test_what_to_give_up_in_words():
    required = ("--apart", "--size")
    assert str(GivenUp(required)) == "none was found to be enough"
    assert str(GivenUp(required, open=False)) == "none alone is enough"
    assert str(GivenUp(required, ("--apart",))) == "--apart alone is enough"
    two = "--apart and --size together are"
    assert str(GivenUp(required, (), required)) == f"{two} enough"
    told = str(GivenUp(required, (), required, open=False))
    assert told == f"none alone is enough; {two}"


def test_two_are_given_up_where_none_is_enough_alone():
    """Pairs of friends are no groups of three, nor are two groups of three foes."""
    table = [{"sex": "f", "score": 0, "x": 0} for _ in range(6)]
    friends, apart = [[1, 2, 1], [3, 4, 1], [5, 6, 1]], [[1, 3], [1, 5], [3, 5]]
    lists = {"friends": friends, "apart": apart, "at_least_one_friend": True}
    made = atleastk.assign(table, size=(3, 3), groups=2, **lists)
    two = ("--at-least-one-friend", "--apart")
    assert (made.too_much.enough, made.too_much.together) == ((), two)
    assert made.to_dict()["give_up_together"] == two
    told = str(made)
    assert f"  give up     none alone is enough; {' and '.join(two)} together" in told
    assert "1, 3, 5: any two of these 3 are, and there are 2 groups at most" in told
