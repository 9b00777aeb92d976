import json
import random
from itertools import pairwise

import pytest
from tables import drawn_rows

import atleastk
from atleastk.doors.anonymizing import tradeoff as doors
from atleastk.instances.fields.errors import InvalidInstanceError, InvalidResultError
from atleastk.instances.generalization import LOSSES
from atleastk.models.results.tradeoff import Case
from atleastk.runs import neighbours

NAMES = ("age", "zip", "sex")
RULES = {"fine": "auto", "coarse": {"age": "bands:20", "zip": "prefix"}}


def rows_of(seed, n=14):
    cells = {"age": range(20, 61), "zip": ["13053", "13068", "14850"], "sex": "fm"}
    cells |= {"home": [f"h{i}" for i in range(1, 9)], "ill": ["flu", "cold", "gout"]}
    return drawn_rows(random.Random(seed), n, **cells)


def kept_by(published):
    """What the report of a table says of what is kept."""
    report = published.report
    made, risk = report.generality, report.risk.after
    if made is None:
        lost, rows = report.share, report.blanked
        levels = {n: count / report.rows for n, count in report.by_column.items()}
    else:
        lost, rows = 1 - made.precision, made.suppressed_rows
        if made.on == "entries":
            rows = published.suppressed.all(axis=1).sum()
        levels = {name: made.level(name) for name in made.cells}
    return lost, rows, levels, risk.mean, risk.highest


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"hierarchies": "auto"},
        {"hierarchies": "auto", "loss": "precision", "suppress_rows": "20%"},
        {"hierarchies": "auto", "loss": "discernibility"},
        {"hierarchies": {"age": "bands:10"}, "on": "entries"},
        {"hierarchies": "auto", "household": "home"},
        {"hierarchies": "auto", "loss": "precision", "sensitive": "ill", "l": 2},
        {"hierarchies": "auto", "recode": {"age": "bands:10"}},
        {"weights": {"age": 3}},
        {"limits": {"per_row": 2}, "minimise": "rows"},
        {"limits": {"rows": 5}},
    ],
    ids=str,
)
def test_every_point_is_what_anonymize_finds(wishes, seed):
    rows = rows_of(seed)
    made = sweep(None, rows, range(1, 6), **wishes)
    for point in made:
        alone = atleastk.anonymize(rows, point.k, NAMES, workers=1, **wishes)
        assert (point.cost, point.bound) == (alone.report.cost, alone.report.bound)
        assert point.result.instance == alone.instance
        if point.cost is None:
            assert point.kept is None
            continue
        again = atleastk.check(point.result.instance, point.result)
        assert again.feasible
        assert point.cost <= point.most
        if point.result.solution == alone.result.solution:
            lost, off, levels, mean, highest = kept_by(alone)
            assert point.kept.lost == pytest.approx(lost)
            assert point.kept.suppressed_rows == off
            assert point.kept.levels == pytest.approx(levels)
            assert (point.kept.mean_risk, point.kept.highest_risk) == (mean, highest)


def test_means_are_those_of_near_rows():
    rows = [{"age": row["age"], "pay": 10 * row["age"] % 70} for row in rows_of(1)]
    made = atleastk.tradeoff(rows, [2, 3, 15], average=True, workers=1)
    for point in (made[2], made[3]):
        alone = atleastk.anonymize(rows, point.k, average=True, workers=1)
        assert point.cost == alone.result.cost
        assert point.kept.lost == pytest.approx(alone.losses.information)
        assert point.kept.highest_risk <= 1 / point.k
        assert point.cost <= point.most
    assert made[15].kept is None


@pytest.mark.parametrize("seed", range(6))
def test_optima_fall_with_the_allowance_and_rise_with_k(seed):
    """By searches of their own; what neighbours tell is the same."""
    rows = rows_of(seed, 9)
    wishes = {"columns": NAMES, "loss": random.Random(seed).choice(LOSSES)}
    allowances, ks = (0, 2, 4), range(1, 6)
    made = sweep(None, rows, ks, rules=RULES, allowances=allowances, **wishes)
    optima = {}
    for point in made:
        _, allowed, rule, _ = point.case
        how = {"hierarchies": RULES[rule], "suppress_rows": allowed, **wishes}
        alone = atleastk.anonymize(rows, point.k, workers=1, **how)
        assert point.cost == alone.report.cost
        optima[point.case] = point.cost
    for rule in RULES:
        for k in ks:
            fewer = [optima[Case(k, allowed, rule)] for allowed in allowances]
            assert all(more >= less for more, less in pairwise(fewer))
        for allowed in allowances:
            rising = [optima[Case(k, allowed, rule)] for k in ks]
            assert rising == sorted(rising)


@pytest.mark.parametrize(
    "wishes", [{}, {"on": "entries"}, {"on": "entries", "hierarchies": "auto"}], ids=str
)
def test_allowances_without_rules(wishes):
    rows = rows_of(5, 10)
    made = sweep(None, rows, [2, 3], allowances=[0, 2], **wishes)
    for point in made:
        asked = {"on": "attributes", **wishes, "suppress_rows": point.case.allowed}
        alone = atleastk.anonymize(rows, point.k, NAMES, workers=1, **asked)
        assert point.cost == alone.report.cost
        assert point.result.instance == alone.instance
        if point.result.solution == alone.result.solution:
            assert point.kept.highest_risk == alone.report.risk.after.highest


def test_every_allowance_is_a_wish():
    asked = {"columns": NAMES, "hierarchies": "auto", "allowances": [0, 2]}
    with pytest.raises(InvalidInstanceError, match="the mean risk alone"):
        atleastk.tradeoff(rows_of(1), [2], **asked, small=3, at_risk=0.5)
    made = atleastk.tradeoff(rows_of(1), [2], **asked, mean_risk=0.5, workers=1)
    assert all(point.kept.mean_risk <= 0.5 for point in made)
    whose = {"household": NAMES[1], "sensitive": NAMES[2], "l": 1}
    with pytest.raises(InvalidInstanceError, match="household: k counts"):
        sweep(None, ks=[2], columns=NAMES[:1], hierarchies="auto", **whose)


def test_less_is_searched_than_there_is(searches):
    how = {"rules": {"a": "auto"}, "allowances": ["0%", "10%", 5]}
    made = sweep(None, rows_of(4), range(2, 15), **how)
    searched = [(one.k, one.suppress_rows) for one in searches]
    assert len({*searched}) == len(searched) < len(made) == 39
    assert all(point.cost == point.bound for point in made)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"hierarchies": "auto", "loss": "precision"},
        {"hierarchies": {"age": "bands:5,10", "zip": "prefix"}, "loss": "height"},
        {"hierarchies": {"age": "bands:10"}, "on": "entries", "loss": "precision"},
        {"weights": {"age": 2, "sex": 3}},
        {"hierarchies": "auto", "sensitive": "ill", "l": 2, "intact": "sex"},
    ],
    ids=str,
)
def test_the_price_of_a_column_is_the_difference_of_optima(wishes, seed):
    rows = rows_of(seed)
    made = sweep(None, rows, [2, 3], prices=[3], **wishes)
    assert [price.column for price in made.prices] == list(NAMES)
    whole = made[3]
    for price in made.prices:
        if whole.cost is None:
            assert price.most is None
            continue
        assert price.least == price.most >= 0
        left = [name for name in NAMES if name != price.column]
        less = dict(wishes)
        for wish in ("hierarchies", "weights"):
            if isinstance(less.get(wish), dict):
                less[wish] = {n: w for n, w in less[wish].items() if n in left}
        if less.get("intact") not in (None, *left):
            del less["intact"]
        alone = atleastk.anonymize(rows, 3, left, workers=1, **less).report
        if wishes.get("loss") == "precision":
            m, n = len(NAMES), len(rows)
            each = n if wishes.get("on") == "entries" else 1
            lost = whole.cost / whole.most * m - (1 - alone.generality.precision) * (
                m - 1
            )
            assert price.most / whole.most * m == pytest.approx(lost)
            assert each * m <= whole.most
        else:
            assert price.most == whole.cost - alone.cost
        assert price.share == pytest.approx(price.most / whole.most)


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"prices": [2], "loss": "discernibility", "hierarchies": "auto"}, "no sum"),
        ({"prices": [2], "minimise": "rows"}, "no sum"),
        ({"prices": [7]}, "k = 7 is not among the k"),
        ({"prices": [2], "columns": ["age"]}, "of two columns or more"),
        ({"rules": RULES, "hierarchies": "auto"}, "rules and hierarchies both say"),
        ({"allowances": [1], "suppress_rows": 2}, "allowances and suppress_rows both"),
        ({"rules": {"odd": "bands:x"}}, "odd: "),
        ({"rules": "auto"}, "rules: expected hierarchies by their names, got 'auto'"),
        ({"average": True, "columns": ["age"], "prices": [2]}, "means of near rows"),
        ({"minimise": "k"}, "a maximised k has no trade-off"),
        ({"shuffle": True}, "says nothing of a trade-off"),
    ],
    ids=str,
)
def test_wishes_without_sense_are_refused(wishes, reason):
    with pytest.raises(InvalidInstanceError, match=reason):
        atleastk.tradeoff(rows_of(1), [2, 3], **{"columns": NAMES, **wishes})


@pytest.mark.parametrize("wish", ["columns", "rules", "allowances", "loss"])
def test_an_instance_takes_no_wishes(wish):
    with pytest.raises(InvalidInstanceError, match=f"{wish}: an instance says all"):
        atleastk.tradeoff(atleastk.BinCovering([1, 2], 1), [1], **{wish: ["x"]})


def test_a_curve_is_chosen_by_what_it_is_of():
    made = sweep(None, rows_of(2), [2, 3], rules=RULES, allowances=[0, 3])
    curve = made.of(rule="fine", allowed=3)
    assert [point.case for point in curve] == [Case(2, 3, "fine"), Case(3, 3, "fine")]
    assert curve[2].case == Case(2, 3, "fine")
    with pytest.raises(LookupError, match="take one curve"):
        made[2]
    with pytest.raises(LookupError, match="there are coarse, fine"):
        made.of(rule="none")


@pytest.fixture
def searches(monkeypatch):
    """The instances of all searches."""
    found = []
    solve = neighbours.solve_within

    def counting(instance, ask):
        found.append(instance)
        return solve(instance, ask)

    monkeypatch.setattr(neighbours, "solve_within", counting)
    return found


def sweep(path, rows=None, ks=(2, 3, 4), **wishes):
    found = rows_of(3) if rows is None else rows
    named = {"columns": NAMES, "workers": 1, "output": path} | wishes
    return atleastk.tradeoff(found, ks, **named)


def test_the_same_file_is_not_computed_again(tmp_path, searches):
    first = sweep(tmp_path / "c.jsonl", prices=[3])
    count = len(searches)
    assert count > 0
    again = sweep(tmp_path / "c.jsonl", prices=[3])
    assert len(searches) == count
    assert again.taken_over == 6
    assert [(p.cost, p.bound, p.kept) for p in again] == [
        (p.cost, p.bound, p.kept) for p in first
    ]
    assert again.prices == first.prices


def test_an_interrupted_sweep_goes_on(tmp_path, searches, monkeypatch):
    path = tmp_path / "c.jsonl"
    whole = sweep(None, ks=range(2, 9))
    searches.clear()
    keep = doors.Lines.add

    def torn(lines, case, result):
        keep(lines, case, result)
        with lines.path.open("ab") as file:
            file.write(b'{"k": 5, "cost')
        raise MemoryError  # as if the process were gone

    monkeypatch.setattr(doors.Lines, "add", torn)
    with pytest.raises(atleastk.OutOfMemoryError):
        sweep(path, ks=range(2, 9))
    monkeypatch.setattr(doors.Lines, "add", keep)
    assert len(searches) == 1
    done = [one.k for one in searches]
    made = sweep(path, ks=range(2, 9))
    assert made.taken_over == 1
    assert not {*done} & {one.k for one in searches[1:]}
    assert [(p.cost, p.bound) for p in made] == [(p.cost, p.bound) for p in whole]
    assert [json.loads(line)["k"] for line in path.read_text().splitlines()] == list(
        range(2, 9)
    )


def test_more_k_and_less_go_on_from_a_file(tmp_path, searches):
    path = tmp_path / "c.jsonl"
    sweep(path, ks=[2, 6])
    searches.clear()
    made = sweep(path, ks=[3, 4])
    assert {one.k for one in searches} <= {3, 4}
    assert [point.k for point in made] == [3, 4]
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"columns": ["age", "zip"]}, "of another table or of other wishes"),
        ({"rows": rows_of(8)}, "of another table or of other wishes"),
        ({"hierarchies": "auto"}, "of another table or of other wishes"),
        ({"rules": RULES}, "is of something else than is asked for"),
        ({"average": True, "columns": ["age"]}, "of another table or of other wishes"),
    ],
    ids=str,
)
def test_results_of_something_else_are_refused(tmp_path, changed, reason):
    path = tmp_path / "c.jsonl"
    sweep(path)
    before = path.read_bytes()
    with pytest.raises(InvalidResultError, match=reason):
        sweep(path, **changed)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (lambda one: one | {"cost": one["cost"] - 1, "status": "FEASIBLE"}, "exceeds"),
        (lambda one: one | {"groups": [[*range(14)]]}, "the claimed cost is"),
        (lambda one: one | {"groups": [[*range(13)], [13]]}, "below k"),
        (lambda one: one | {"k": 9}, "of another table"),
        (lambda one: one | {"k": "x"}, "is of something else"),
        (lambda one: one | {"problem": "bin-covering"}, "c.jsonl:1"),
    ],
)
def test_a_line_that_does_not_hold_is_refused(tmp_path, tamper, reason):
    path = tmp_path / "c.jsonl"
    sweep(path)
    first, *others = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(tamper(json.loads(first))), *others, ""]))
    with pytest.raises(InvalidResultError, match=reason):
        sweep(path)


def test_the_page_has_a_curve_for_each(tmp_path):
    how = {"rules": RULES, "allowances": [0, 3], "prices": [2], "loss": "precision"}
    made = sweep(None, rows_of(2), [2, 3, 20], **how)
    page = made.to_html("<people>")
    told = ["&lt;people&gt;", "What a column costs", "at most 3 rows off", "coarse"]
    for text in (*told, "Risk", "mean risk"):
        assert text in page
    document = json.loads(json.dumps(made.to_dict()))
    assert len(document["points"]) == 12
    assert len(document["prices"]) == 12
    assert "coarse" in made._repr_html_()
    made.plot(tmp_path / "c.png")
    assert str(made).count("\n") == 11
